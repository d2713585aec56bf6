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
    /// Milliseconds between two pings to the journal.
    public var pingIntervalMilliseconds = Limits.pingIntervalMilliseconds
    /// Faults for the simulator's own test.
    package var planted: Set<PlantedBug> = []

    /// A configuration with the interval of `Limits`.
    public init(
        identity: Identity, incarnation: UInt64, name: String = "", streams: [String],
        position: Position?
    ) {
        self.identity = identity
        self.incarnation = incarnation
        self.name = name
        self.streams = streams
        self.position = position
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
    /// A TAIL came that answers nothing that is asked.
    case stale
}
