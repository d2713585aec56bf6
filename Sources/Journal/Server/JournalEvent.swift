public import Messages

/// What happened to a journal server.
public enum JournalEvent: Sendable {
    /// A message from the peer of a routing id.
    case message(Message, from: [UInt8])
    /// Frames that are no message.
    case malformed(WireError, from: [UInt8])
    /// The backend stored a group; the head is the one behind it.
    case appended([(ticket: Int, outcome: AppendOutcome)], head: Position)
    /// The backend could not store a group, and why; from then on no change is acknowledged.
    case appendFailed([Int], String)
    /// The records and blobs that a `read` action asked for, as `JournalBackend.tail` gives them:
    /// records of every stream, blobs of the wanted ones.
    case read(Int, records: [Record], blobs: [(ContentHash, [UInt8])])
    /// The records that a `read` action asked for cannot be read, and why.
    case readFailed(Int, String)
    /// `nextWake` has come.
    case tick
    /// A send found nobody behind a routing id.
    case undeliverable([UInt8])
    /// The process is to stop: no new changes, those accepted are still stored.
    case drain
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
