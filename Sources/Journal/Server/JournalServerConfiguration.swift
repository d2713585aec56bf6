public import Messages

/// How a journal speaks to its routers and replicas.
public struct JournalServerConfiguration: Sendable {
    /// The journal's own identity, told in WELCOME.
    public var identity: Identity
    /// Grows with every start of the journal's process.
    public var incarnation: UInt64
    /// Milliseconds without a message to a peer after which it gets a PING.
    public var pingIntervalMilliseconds = Limits.pingIntervalMilliseconds
    /// Ping intervals of a peer that may pass in silence before it is lost.
    public var missedPingsMax = Limits.missedPingsMax
    /// Peers that may be connected; a further HELLO gets OVERLOADED.
    public var peersMax = Limits.peersMax
    /// Changes that may wait for the disk; a further one gets OVERLOADED.
    public var pendingMax = Limits.pendingChangesMax
    /// Bytes of all changes that wait for the disk, blobs included.
    public var pendingBytesMax = 256 << 20
    /// Changes of one group, which is synced at once.
    public var groupRecordsMax = 256
    /// Bytes of one group, but always one change.
    public var groupBytesMax = 32 << 20
    /// Milliseconds for which the first change of a group waits for others.
    public var groupMillisecondsMax = Limits.groupMillisecondsMax
    /// Records of one TAIL.
    public var tailRecordsMax = Limits.tailRecordsMax
    /// Bytes of one TAIL, but always one record.
    public var tailBytesMax = Limits.tailBytesMax
    /// Chunks and keys that one peer may ask for before they are answered.
    public var questionsMax = 8
    /// Milliseconds after which a change that met a full queue may be sent again.
    public var retryAfterMilliseconds: UInt32 = 50
    /// What is wrong with a record's body and fields beyond what the journal checks itself; nil
    /// if nothing is.
    public var validate: @Sendable (Record) -> String?
    /// What a record would have put and removed, by name, at most so many: for the reply that
    /// says that the owner of the store does not allow it.
    public var parts: @Sendable (Record, Int) -> [String] = { _, _ in [] }

    /// From what has no default.
    public init(
        identity: Identity, incarnation: UInt64,
        validate: @escaping @Sendable (Record) -> String? = { _ in nil }
    ) {
        self.identity = identity
        self.incarnation = incarnation
        self.validate = validate
    }
}
