internal import Messages
internal import XXHash

extension Snapshot.Chunk {
    /// Whether some bytes are the chunk's.
    public func holds(_ bytes: [UInt8]) -> Bool {
        bytes.count == byteCount && XXHash.of(bytes) == hash
    }
}

/// The chunks of a snapshot that is being made, without their bytes.
struct ChunkList: Sendable {
    private(set) var chunks: [Snapshot.Chunk] = []

    /// Adds a chunk that its caller made within the limits.
    mutating func add(_ bytes: [UInt8], stream: String) {
        precondition(!bytes.isEmpty, "a chunk has at least one byte")
        precondition(
            bytes.count <= Limits.frameBytesMax,
            "a chunk has at most \(Limits.frameBytesMax) bytes")
        precondition(stream.utf8.count <= Int(UInt16.max), "a stream has a short name")
        chunks.append(
            Snapshot.Chunk(stream: stream, byteCount: bytes.count, hash: XXHash.of(bytes)))
    }

    func snapshot(at position: Position, blobs: [ContentHash]) -> Snapshot {
        Snapshot(position: position, chunks: chunks, blobs: Set(blobs).sorted())
    }
}
