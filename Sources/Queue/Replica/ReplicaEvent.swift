public import Messages

/// What a replica is told when it is made.
public struct ReplicaConfiguration: Sendable {
    /// Names the replica to the journal.
    public var identity: Identity
    /// Grows with each start.
    public var incarnation: UInt64
    /// A name for people.
    public var name: String
    /// The streams to follow, such as `catalog`; all if empty.
    public var streams: [String]
    /// What the store holds already; nil if it is empty.
    public var position: Position?
    /// The snapshot that the store has in part; nil if none.
    public var partialSnapshot: PartialSnapshot?
    /// Milliseconds between two pings to the journal.
    public var pingIntervalMilliseconds = Limits.pingIntervalMilliseconds
    /// Faults for the simulator's own test.
    package var planted: Set<PlantedBug> = []

    /// A configuration with the interval of `Limits`.
    public init(
        identity: Identity, incarnation: UInt64, name: String = "", streams: [String],
        position: Position?, partialSnapshot: PartialSnapshot? = nil
    ) {
        self.identity = identity
        self.incarnation = incarnation
        self.name = name
        self.streams = streams
        self.position = position
        self.partialSnapshot = partialSnapshot
    }

    /// The streams hold what belongs to accounts, so that their keys are needed.
    var wantsKeys: Bool { streams.isEmpty || streams.contains { $0 != "catalog" } }
}

/// A snapshot of which a store has the first chunks.
public struct PartialSnapshot: Sendable, Equatable {
    /// The snapshot's id.
    public var id: ContentHash
    /// Everything up to it is in the snapshot.
    public var position: Position
    /// The first chunk that is not there.
    public var nextChunk: Int

    /// From its parts.
    public init(id: ContentHash, position: Position, nextChunk: Int) {
        self.id = id
        self.position = position
        self.nextChunk = nextChunk
    }
}

/// A chunk of a snapshot as it came, its hash not checked yet.
public struct SnapshotChunk: Sendable, Equatable {
    /// The snapshot, as it is once this chunk is applied.
    public var snapshot: PartialSnapshot
    /// The chunk's number.
    public var index: Int
    /// The chunk.
    public var bytes: [UInt8]
    /// Its XXH3-128, as the journal states it.
    public var hash: [UInt8]

    /// From its parts.
    public init(snapshot: PartialSnapshot, index: Int, bytes: [UInt8], hash: [UInt8]) {
        self.snapshot = snapshot
        self.index = index
        self.bytes = bytes
        self.hash = hash
    }
}

/// What a replica is told.
public enum ReplicaEvent: Sendable {
    /// A message came from the journal.
    case message(Message)
    /// Something came that is no message.
    case malformed(WireError)
    /// The store holds everything to this position; answers an `apply`.
    case applied(through: Position)
    /// The store has a chunk; answers a `load`.
    case loaded(chunk: Int)
    /// A chunk is not what its hash says, or cannot be read; answers a `load`.
    case loadFailed(chunk: Int, String)
    /// `nextWake` is reached.
    case tick
}

/// What a replica wants done, in order.
public enum ReplicaAction: Sendable {
    /// Send the message to the journal.
    case send(Message)
    /// Apply the records (possibly none) in order and keep `through` as the store's position, in
    /// one transaction; then answer `applied`. One at a time.
    case apply(
        records: [Record], blobs: [(hash: ContentHash, bytes: [UInt8])], through: Position)
    /// Check the chunk's hash, apply what is in it and keep how far the snapshot is taken, in one
    /// transaction; then answer `loaded` or `loadFailed`. One at a time. The first chunk of a
    /// snapshot that the store has nothing of comes behind a `reset`.
    case load(SnapshotChunk)
    /// All wanted chunks are loaded: the store stands at the position; then answer `applied`.
    case finishSnapshot(through: Position)
    /// Use these keys, and forget all others.
    case replaceKeys([AccountKey])
    /// Use these keys too.
    case addKeys([AccountKey])
    /// Empty the store: another journal, or the same one restored, begins from its start.
    case reset(epoch: UInt64)
    /// Close the socket and open a new one; a `send` of HELLO follows.
    case reconnect
    /// Everything that the journal held is applied; emitted each time the store catches up.
    case caughtUp(Position)
    /// Something worth a log line or a count.
    case fact(ReplicaFact)
}

/// Something that happened in a replica.
public enum ReplicaFact: Sendable, Equatable {
    /// The journal said WELCOME.
    case welcomed
    /// The journal is silent.
    case journalLost
    /// The journal refused something.
    case refused(ErrorCode?, String)
    /// Something that is no message, or no list of records, came.
    case malformed(WireError)
    /// A snapshot is taken, from a chunk on.
    case loading(ContentHash, fromChunk: Int)
    /// A chunk was damaged on its way, or on the journal's disk, and is asked for again.
    case damagedChunk(Int, String)
    /// A TAIL came that answers nothing that is asked.
    case stale
}
