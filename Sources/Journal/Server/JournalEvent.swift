public import Messages

/// What happened to a journal server.
public enum JournalEvent: Sendable {
    /// A message from the peer of a routing id.
    case message(Message, from: [UInt8])
    /// Frames that are no message.
    case malformed(WireError, from: [UInt8])
    /// The backend stored a group; the head is the one behind it, and `bodies` are those of the
    /// acknowledgements that have one, by ticket.
    case appended(
        [(ticket: Int, outcome: AppendOutcome)], head: Position, bodies: [Int: [UInt8]] = [:])
    /// The backend could not store a group, and why; from then on no change is acknowledged.
    case appendFailed([Int], String)
    /// What a `read` action asked for, as `JournalBackend.tail` gives it: records of every
    /// stream, blobs and keys of the wanted ones.
    case read(Int, TailPart)
    /// The records that a `read` action asked for cannot be read, and why.
    case readFailed(Int, String)
    /// What a `keys` action asked for.
    case keys([AccountKey], isLast: Bool, for: JournalQuestion)
    /// What a `fetch` action asked for; nil: there is no such snapshot any more.
    case chunk(FetchedChunk?, for: JournalQuestion)
    /// What a `keys` or `fetch` action asked for cannot be read, and why.
    case answerFailed(String, for: JournalQuestion)
    /// A snapshot was made, or records and snapshots were removed.
    case holds(JournalHoldings)
    /// `nextWake` has come.
    case tick
    /// A send found nobody behind a routing id.
    case undeliverable([UInt8])
    /// The process is to stop: no new changes, those accepted are still stored.
    case drain
}

/// Whose question an answer belongs to.
public struct JournalQuestion: Sendable, Equatable {
    /// The routing id of who asked.
    public let route: [UInt8]
    /// The id of the question.
    public let requestID: RequestID
}

/// A chunk as it was read, or what there is instead of one.
public struct FetchedChunk: Sendable {
    /// The snapshot as its journal describes it.
    public var snapshot: Snapshot
    /// The number of the chunk; one behind the last if no further one is of a wanted stream.
    public var index: Int
    /// The chunk; empty if there is none.
    public var bytes: [UInt8]

    /// From its parts.
    public init(snapshot: Snapshot, index: Int, bytes: [UInt8]) {
        self.snapshot = snapshot
        self.index = index
        self.bytes = bytes
    }
}

/// What a journal still has of its past.
public struct JournalHoldings: Sendable, Equatable {
    /// The sequence of the first record that can be read; one behind the head's if there is none.
    public var firstSequence: UInt64
    /// The newest snapshot; nil if there is none.
    public var snapshot: SnapshotOffer?

    /// What a journal holds that has never been compacted.
    public init(firstSequence: UInt64 = 1, snapshot: SnapshotOffer? = nil) {
        self.firstSequence = firstSequence
        self.snapshot = snapshot
    }
}

/// What a TAIL says of a snapshot.
public struct SnapshotOffer: Sendable, Equatable {
    /// The snapshot's id.
    public var id: ContentHash
    /// Everything up to it is in the snapshot.
    public var position: Position
    /// Its chunks.
    public var chunksTotal: Int

    /// Of a snapshot.
    public init(_ snapshot: Snapshot) {
        id = snapshot.id
        position = snapshot.position
        chunksTotal = snapshot.chunks.count
    }
}

/// What a journal server wants done, in order.
public enum JournalAction: Sendable {
    /// Send a message to the peer of a routing id.
    case send(Message, to: [UInt8])
    /// Give a group to the backend; there is never a second one before the first was answered.
    case append([(ticket: Int, entry: JournalEntry)])
    /// Read records for a replica, as `JournalBackend.tail` does.
    case read(
        ticket: Int, after: UInt64, recordsMax: Int, bytesMax: Int, streams: Set<String>)
    /// Look up the key of an account, if it has one, or else the keys behind an id, at most `Limits.keyringKeysMax`.
    case keys(account: String?, after: KeyID?, for: JournalQuestion)
    /// Read the first chunk from a number on whose stream is wanted.
    case fetch(snapshot: ContentHash, from: Int, streams: Set<String>, for: JournalQuestion)
    /// Something to count or log.
    case fact(JournalFact)
}

/// What a journal server did or saw; for logs, metrics and tests. Holds nothing personal.
public enum JournalFact: Sendable, Equatable {
    /// A router or replica said HELLO.
    case peerJoined(Identity)
    /// A peer left, was silent for too long, or could not be reached.
    case peerLost(Identity)
    /// A newer incarnation, or a newer connection of the same one, took a peer's place.
    case peerReplaced(Identity)
    /// A group was stored: changes stored, found again, refused.
    case stored(records: Int, duplicates: Int, refused: Int)
    /// A change was refused before it reached the backend.
    case refused(ErrorCode)
    /// A message that is none.
    case malformed(WireError.Code)
    /// A command that is not allowed in the peer's state, or never to a journal.
    case unexpected(Command)
    /// The journal stopped acknowledging, and why.
    case stopped(String)
    /// A replica could not be served, and why.
    case readFailed(String)
    /// Everything that was accepted is answered; the process may end.
    case drained
}
