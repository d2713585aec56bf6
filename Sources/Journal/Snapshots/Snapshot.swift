public import Messages

/// What a journal says of one of its snapshots: the state at a position, in chunks.
///
/// The journal does not know what is in a chunk; whoever makes snapshots and whoever takes them
/// agree on that.
public struct Snapshot: Sendable, Equatable {
    /// SHA-256 of position and chunks; names the snapshot.
    public let id: ContentHash
    /// Everything up to it is in the snapshot.
    public let position: Position
    /// In order.
    public let chunks: [Chunk]
    /// Blobs that the state refers to, sorted; they are kept as long as the snapshot is.
    public let blobs: [ContentHash]

    /// One chunk of a snapshot.
    public struct Chunk: Sendable, Equatable {
        /// The stream whose replicas need it.
        public let stream: String
        /// Bytes of the chunk.
        public let byteCount: Int
        /// Its XXH3-128.
        public let hash: [UInt8]

        /// From its parts.
        public init(stream: String, byteCount: Int, hash: [UInt8]) {
            self.stream = stream
            self.byteCount = byteCount
            self.hash = hash
        }
    }

    /// From its parts; the id follows from position and chunks.
    public init(position: Position, chunks: [Chunk], blobs: [ContentHash]) {
        var named = bigEndianBytes(position.epoch) + bigEndianBytes(position.sequence)
        for chunk in chunks {
            named += chunk.hash + bigEndianBytes(UInt64(chunk.byteCount))
            named += Array(chunk.stream.utf8) + [0]
        }
        id = ContentHash.of(named)
        self.position = position
        self.chunks = chunks
        self.blobs = blobs
    }

    /// The first chunk from a number on whose stream is wanted; one behind the last if there is
    /// none. No streams means all.
    public func firstChunk(from number: Int, in streams: Set<String>) -> Int {
        let start = min(max(number, 0), chunks.count)
        return chunks[start...].firstIndex { streams.isEmpty || streams.contains($0.stream) }
            ?? chunks.count
    }

    /// Bytes of all chunks.
    public var byteCount: Int { chunks.reduce(0) { $0 + $1.byteCount } }
}

/// Takes the chunks of a snapshot that is being made; one thread uses it.
public protocol SnapshotWriter: AnyObject {
    /// Adds a chunk of at least one byte and at most `Limits.frameBytesMax`.
    func append(_ chunk: [UInt8], stream: String) throws(JournalError)
    /// Keeps the snapshot: it is on the disk once this returns. Without it nothing is kept.
    func finish(blobs: [ContentHash]) throws(JournalError) -> Snapshot
}

/// How much of the past a journal keeps when it is compacted.
public struct RetentionPolicy: Sendable, Equatable {
    /// Records younger than this are kept, and what is needed to rebuild any position from the
    /// oldest of them on.
    public var historyMilliseconds: Int64
    /// The newest snapshots that are kept in any case, at least one.
    public var snapshotsMin: Int

    /// From its parts.
    public init(
        historyMilliseconds: Int64 = Limits.historyMilliseconds, snapshotsMin: Int = 2
    ) {
        self.historyMilliseconds = historyMilliseconds
        self.snapshotsMin = snapshotsMin
    }
}

/// What a compaction removed.
public struct CompactionResult: Sendable, Equatable {
    /// Records, with their segment files.
    public var records: UInt64 = 0
    /// Snapshots.
    public var snapshots = 0
    /// Blobs that neither a kept record nor a kept snapshot refers to.
    public var blobs = 0
    /// Bytes of all of it.
    public var bytes = 0

    /// Nothing.
    public init() {}
}
