internal import Messages

/// A list that a client wants to hear of whenever it changes.
struct Subscription: Sendable {
    /// What the client was last told.
    enum Told: Sendable, Equatable {
        case nothing
        case list(ContentHash?)
        case refused(ErrorCode, body: [UInt8])
    }
    let serial: UInt64
    /// The question, as a REQUEST without id, budget and as-of.
    let question: Message
    let service: String
    let account: String
    let catalog: String
    /// The list that the client has from before; its first NOTIFY says whether it still stands.
    var known: ContentHash?
    var told = Told.nothing
    /// The request by which it is being asked.
    var asking: RequestKey?
    /// Something changed since it was asked last.
    var isStale = true
    /// It stands in the queue.
    var isQueued = false
    /// What the answer has to know.
    var least: Position?
    /// Wall-clock instant from which on the answer may be another with time alone.
    var holdsUntil: Timestamp?
    /// It is not asked again before this.
    var restsUntil = MonotonicTime(nanoseconds: 0)
    /// The timer that counts.
    var alarm: UInt64 = 0
}
