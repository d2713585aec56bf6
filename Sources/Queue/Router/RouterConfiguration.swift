public import Messages

/// What a router is told when it is made.
public struct RouterConfiguration: Sendable {
    /// Names the router to its peers.
    public var identity: Identity
    /// Grows with each start of the process; part of the ids that the router makes.
    public var incarnation: UInt64
    /// A name for people.
    public var name = "router"
    /// Milliseconds between two pings to a peer.
    public var pingIntervalMilliseconds = Limits.pingIntervalMilliseconds
    /// Milliseconds before the deadline at which the reply leaves with what has arrived, until
    /// the router has measured how late it is; at most half the budget.
    public var replyMarginMilliseconds = Limits.replyMarginMilliseconds
    /// Milliseconds that this margin grows to where the router is late.
    public var replyMarginMillisecondsMax = Limits.replyMarginMillisecondsMax
    /// Milliseconds that a request may wait before a queue counts as standing, or a quarter of
    /// its budget if that is more.
    public var queueDelayTargetMilliseconds = Limits.queueDelayTargetMilliseconds
    /// Milliseconds for which a queue stands before requests are shed.
    public var queueDelayIntervalMilliseconds = Limits.queueDelayIntervalMilliseconds
    /// Turns of a fairness key where others have one; 1 for those not named, 1 to
    /// `Limits.fairnessWeightMax`.
    public var fairnessWeights: [String: UInt32] = [:]
    /// Second attempts beside the first for 1,000 dispatches of a part; 0 for none.
    public var hedgesPerThousand = Limits.hedgesPerThousand
    /// Results of a part before it is known which of them take long: with fewer, a service that
    /// does a tenth of its work slowly by nature looks as if it did so by chance.
    public var hedgeSamplesMin = 100
    /// Second attempts that may be saved up for a part.
    public var hedgesSavedMax = Limits.hedgesSavedMax
    /// Requests put aside because workers died under them; the oldest make room.
    public var deadRequestsMax = Limits.deadRequestsMax
    /// Bytes of all of them.
    public var deadBytesMax = Limits.deadBytesMax
    /// Detached requests held at a time; more are refused with OVERLOADED.
    public var jobsMax = Limits.jobsMax
    /// Detached requests of one client or fairness key.
    public var jobsPerClientMax = Limits.jobsPerClientMax
    /// Bytes of all detached requests that wait or run.
    public var jobRequestBytesMax = Limits.jobRequestBytesMax
    /// Bytes of one result of a detached request.
    public var jobResultBytesMax = Limits.jobResultBytesMax
    /// Bytes of all of them.
    public var jobResultsBytesMax = Limits.jobResultsBytesMax
    /// Milliseconds that a detached request may wait for room.
    public var jobWaitMilliseconds = Limits.jobWaitMilliseconds
    /// Milliseconds that its result is kept.
    public var jobKeptMilliseconds = Limits.jobKeptMilliseconds
    /// `RouterAction.keepJob` is obeyed, and `jobs` is what was kept; without it every detached
    /// request ends with its router.
    public var keepsJobs = false
    /// Detached requests that an earlier process kept.
    public var jobs: [DetachedRequest] = []
    /// Services that are counted on their own; the rest is counted together.
    public var countedServicesMax = Limits.countedServicesMax
    /// Requests in flight at a time; more are refused with OVERLOADED.
    public var inFlightMax = Limits.inFlightMax
    /// Requests in flight of one client.
    public var inFlightPerClientMax = Limits.inFlightPerClientMax
    /// Bytes of all requests in flight.
    public var inFlightBytesMax = Limits.inFlightBytesMax
    /// Requests that wait for one part of a service.
    public var waitingPerPartMax = Limits.waitingPerPartMax
    /// Changes that wait for the journal's acknowledgement.
    public var pendingChangesMax = Limits.pendingChangesMax
    /// Clients known at a time; the ones idle for longest make room.
    public var clientsMax = Limits.peersMax
    /// Workers known at a time; more are refused.
    public var workersMax = Limits.workersMax
    /// Answered requests whose ids are remembered.
    public var finishedRequestsMax = Limits.finishedRequestsMax
    /// Attempts of one part at workers that die or fail.
    public var attemptsMax = Limits.attemptsMax
    /// Milliseconds that a part is remembered after its last worker left.
    public var partMemoryMilliseconds = Limits.partMemoryMilliseconds
    /// Milliseconds after the start in which requests wait before they are fanned out: workers
    /// that are already there need up to three ping intervals to notice a new router, and without
    /// them a part would be left out that nobody knows is missing. 0 where workers start later.
    public var settleMilliseconds =
        UInt64(Limits.pingIntervalMilliseconds) * Limits.missedPingsMax
    /// Parts that exist whether or not a worker offers them now; a reply without one of them is
    /// never complete.
    public var expectedParts: [ServiceOffer] = []
    /// Replies kept for `search.continue`.
    public var keptResultsMax = Limits.keptResultsMax
    /// Bytes of all kept replies.
    public var keptBytesMax = Limits.keptBytesMax
    /// Milliseconds that a reply is kept.
    public var keptMilliseconds = Limits.keptMilliseconds
    /// A client's own as-of is obeyed: on loopback, from an allowed key, in a replay.
    public var allowsClientAsOf = false
    /// There is a journal to forward changes to.
    public var hasJournal = true
    /// The route of kept results; `{token}` is replaced by the continue token in hexadecimal.
    public var continueRoute = "sightline://continue/{token}"
    /// Emit `RouterAction.exchange` for each answered request.
    public var records = false
    /// Faults for the simulator's own test.
    package var planted: Set<PlantedBug> = []

    /// A configuration with the limits of `Limits`.
    public init(identity: Identity, incarnation: UInt64) {
        self.identity = identity
        self.incarnation = incarnation
    }
}
