public import Messages

/// What a router is told.
public enum RouterEvent: Sendable {
    /// A message came.
    case message(Message, from: Peer)
    /// Something came that is no message.
    case malformed(WireError, from: Peer)
    /// A send found the peer gone (EHOSTUNREACH). The message that was not sent, if the caller
    /// still has it: a REQUEST that never reached its worker did not kill it.
    case undeliverable(Peer, unsent: Message? = nil)
    /// A send found the peer's queue full (EAGAIN). The message that was not sent, if the caller
    /// still has it: a REQUEST then goes to another worker at once.
    case stalled(Peer, unsent: Message? = nil)
    /// What `RouterAction.keepJob` asked for under this number is done, or failed with a reason.
    case jobKept(RequestID, write: UInt64, failure: String?)
    /// `nextWake` is reached.
    case tick
    /// Take nothing new, finish what is in flight, then emit `drained`. Never undone.
    case drain
}

/// What a router wants done, in order.
public enum RouterAction: Sendable {
    /// Send the message; never wait for room.
    case send(Message, to: Peer)
    /// A request and its only reply, for the message log; as-of is stamped in the request. With
    /// when the request came.
    case exchange(request: Message, reply: Message, client: Identity, arrival: MonotonicTime)
    /// Keep a detached request so that it outlives the process, in place of what was kept of it;
    /// `RouterEvent.jobKept` answers.
    case keepJob(DetachedRequest, write: UInt64)
    /// Forget what was kept of a detached request.
    case forgetJob(RequestID)
    /// Nothing is kept of an account any more, so nobody may hold its key.
    case accountEnded(String)
    /// Something worth a log line or a count.
    case fact(RouterFact)
    /// Nothing is in flight after `drain`; emitted once.
    case drained
}

/// Something that happened in a router.
public enum RouterFact: Sendable, Equatable {
    /// A peer said HELLO for the first time, or came back on another connection.
    case joined(Peer, Identity, name: String)
    /// A peer is silent for too long or cannot be reached.
    case lost(Peer, Identity)
    /// A peer said BYE.
    case left(Peer, Identity)
    /// A newer incarnation of an identity took over from the peer.
    case replaced(Peer, Identity)
    /// A client made room for another one.
    case evicted(Peer, Identity)
    /// A message was refused.
    case refused(Peer, ErrorCode, String)
    /// Something that is no message came.
    case malformed(Peer, WireError)
    /// A result came for a dispatch that is over.
    case late(Identity)
    /// A request came again while in flight; it joins the one there.
    case joinedInFlight(RequestID)
    /// A request came again after its reply and was dropped.
    case duplicate(RequestID)
    /// What is done once for all parts of a request is done; the parts begin.
    case prepared(RequestID)
    /// That took too long: every part does it for itself.
    case unprepared(RequestID, client: Identity)
    /// A part goes to another worker.
    case retried(RequestID, part: String, reason: ErrorCode)
    /// A part is tried at a second worker beside the first.
    case hedged(RequestID, part: String)
    /// A request was admitted although its service has lately needed more time than it has.
    case probed(RequestID, service: String)
    /// A request had to go because the queue stands.
    case shed(RequestID, service: String)
    /// Workers died under a request; it is put aside under this number.
    case putAside(RequestID, number: UInt64)
    /// A detached request came.
    case jobAccepted(RequestID, service: String)
    /// A detached request has a result; nil for FINAL.
    case jobOver(RequestID, ErrorCode?)
    /// A detached request cannot be kept.
    case jobNotKept(RequestID, String)
    /// A request is over.
    case finished(RequestID, service: String, Outcome)
    /// A reply found no connection to its client.
    case unsent(RequestID)
    /// The router's own loop stood still for this long; nobody is judged silent for it.
    case lagged(milliseconds: UInt64)
    /// The journal answers.
    case journalUp
    /// The journal is silent; changes are refused.
    case journalDown

    /// How a request ended.
    public enum Outcome: Sendable, Equatable {
        /// FINAL with every part.
        case complete
        /// FINAL without some parts.
        case incomplete
        /// ERROR.
        case failed(ErrorCode)
    }
}

/// What a router has counted since it was made.
public struct RouterCounters: Sendable, Equatable {
    /// Requests that came, refused ones included.
    public internal(set) var requests: UInt64 = 0
    /// Replies with every part.
    public internal(set) var complete: UInt64 = 0
    /// Replies without some parts.
    public internal(set) var incomplete: UInt64 = 0
    /// Requests that ended with ERROR, refused ones included.
    public internal(set) var failed: UInt64 = 0
    /// Requests refused because something was full.
    public internal(set) var overloaded: UInt64 = 0
    /// Of those, requests that had waited, in a queue that stands.
    public internal(set) var shed: UInt64 = 0
    /// Requests refused because their service needs more time than they had.
    public internal(set) var tooLate: UInt64 = 0
    /// Requests for services that nobody offers.
    public internal(set) var unroutable: UInt64 = 0
    /// Messages in the wrong state.
    public internal(set) var wrongState: UInt64 = 0
    /// Things that are no message.
    public internal(set) var malformed: UInt64 = 0
    /// Results for dispatches that were over.
    public internal(set) var late: UInt64 = 0
    /// Requests that came again.
    public internal(set) var duplicates: UInt64 = 0
    /// Requests sent to workers.
    public internal(set) var dispatched: UInt64 = 0
    /// Attempts after one that failed or was handed back.
    public internal(set) var retried: UInt64 = 0
    /// Second attempts beside the first.
    public internal(set) var hedged: UInt64 = 0
    /// Of those, the ones that answered first.
    public internal(set) var hedgesWon: UInt64 = 0
    /// Requests put aside because workers died under them.
    public internal(set) var putAside: UInt64 = 0
    /// Detached requests accepted.
    public internal(set) var jobs: UInt64 = 0
    /// Of those, the ones that are over.
    public internal(set) var jobsOver: UInt64 = 0
    /// Workers lost.
    public internal(set) var workersLost: UInt64 = 0
    /// Replies without a connection to their client.
    public internal(set) var unsent: UInt64 = 0
    /// Changes forwarded to the journal.
    public internal(set) var changes: UInt64 = 0
    /// Changes acknowledged.
    public internal(set) var acknowledged: UInt64 = 0
    /// NOTIFYs to clients.
    public internal(set) var notified: UInt64 = 0

    /// Names and values in a fixed order.
    public var table: [(name: String, value: UInt64)] {
        [
            ("requests", requests), ("complete", complete), ("incomplete", incomplete),
            ("failed", failed), ("overloaded", overloaded), ("shed", shed),
            ("tooLate", tooLate), ("unroutable", unroutable), ("wrongState", wrongState),
            ("malformed", malformed), ("late", late), ("duplicates", duplicates),
            ("dispatched", dispatched), ("retried", retried), ("hedged", hedged),
            ("hedgesWon", hedgesWon), ("putAside", putAside), ("jobs", jobs),
            ("jobsOver", jobsOver), ("workersLost", workersLost),
            ("unsent", unsent), ("changes", changes), ("acknowledged", acknowledged),
            ("notified", notified),
        ]
    }
}
