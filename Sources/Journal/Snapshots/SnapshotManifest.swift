internal import Messages

/// The bytes of a snapshot's manifest.
///
/// ```
///      0    4  magic 53 4C 53 4E ("SLSN")
///      4    4  format version, 1
///      8    8  epoch
///     16    8  sequence
///     24    4  number of chunks
///             each chunk: 2 bytes length of the stream's name, the name, 8 bytes count, 16 hash
///           4  number of blobs
///             each blob: 32 bytes
///           4  CRC-32C of everything before
/// ```
/// Integers are unsigned and big-endian.
enum SnapshotManifest {
    static let magic: [UInt8] = [0x53, 0x4C, 0x53, 0x4E]
    static let version: UInt32 = 1
    static let hashBytes = 16

    static func encode(_ snapshot: Snapshot) -> [UInt8] {
        var bytes = magic + bigEndianBytes(version)
        bytes += bigEndianBytes(snapshot.position.epoch)
        bytes += bigEndianBytes(snapshot.position.sequence)
        bytes += bigEndianBytes(UInt32(snapshot.chunks.count))
        for chunk in snapshot.chunks {
            let name = Array(chunk.stream.utf8)
            bytes += bigEndianBytes(UInt16(name.count)) + name
            bytes += bigEndianBytes(UInt64(chunk.byteCount)) + chunk.hash
        }
        bytes += bigEndianBytes(UInt32(snapshot.blobs.count))
        for blob in snapshot.blobs { bytes += blob.bytes }
        return bytes + bigEndianBytes(CRC32C(bytes).value)
    }

    /// Nil if this is no whole manifest.
    static func decode(_ bytes: [UInt8]) -> Snapshot? {
        guard bytes.count > 4,
            bigEndianInteger(bytes.suffix(4)) == CRC32C(bytes.dropLast(4)).value
        else { return nil }
        var reader = ByteReader(bytes.dropLast(4))
        guard reader.take(4).map(Array.init) == magic, reader.integer() == version,
            let epoch: UInt64 = reader.integer(), let sequence: UInt64 = reader.integer(),
            let chunkCount: UInt32 = reader.integer()
        else { return nil }
        var chunks: [Snapshot.Chunk] = []
        for _ in 0..<chunkCount {
            guard let chunk = chunk(&reader) else { return nil }
            chunks.append(chunk)
        }
        guard let blobCount: UInt32 = reader.integer(),
            reader.remaining == Int(blobCount) * ContentHash.byteCount
        else { return nil }
        let blobs = (0..<blobCount).compactMap { _ in
            reader.take(ContentHash.byteCount).flatMap { ContentHash(bytes: Array($0)) }
        }
        let position = Position(epoch: epoch, sequence: sequence)
        return Snapshot(position: position, chunks: chunks, blobs: blobs)
    }

    private static func chunk(_ reader: inout ByteReader) -> Snapshot.Chunk? {
        guard let length: UInt16 = reader.integer(), let name = reader.take(Int(length)),
            let count: UInt64 = reader.integer(), count > 0,
            count <= UInt64(Limits.frameBytesMax), let hash = reader.take(hashBytes)
        else { return nil }
        return Snapshot.Chunk(
            stream: String(decoding: name, as: UTF8.self), byteCount: Int(count),
            hash: Array(hash))
    }
}
