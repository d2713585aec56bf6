internal import Messages

/// A connection to a router.
struct WorkerLink: Sendable {
    var link: Link
    /// Jobs of this router that count against its credit.
    var inFlight = 0
    /// What READY granted last; nil before it.
    var granted: UInt32?

    init(_ link: Link) { self.link = link }
}

/// A request that a worker accepted.
struct JobState: Sendable {
    enum Stage: Sendable {
        /// Not begun: no room yet, or the replica is not far enough.
        case queued
        /// `start` was emitted.
        case running
        /// `cancel` was emitted; `finished` is awaited.
        case cancelled
    }
    let job: Job
    var stage = Stage.queued
    /// When `start` was emitted.
    var startedAt: MonotonicTime?
    /// What the router is told when a cancelled job ends; nil: its link is gone.
    var endsWith: ErrorCode?
    /// A queued job that waits for its position is given up then.
    let holdUntil: MonotonicTime
}
