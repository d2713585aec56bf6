public import Messages

/// The router: admits requests, sends each part to a worker within its credit, merges what comes
/// back, and replies once, at the deadline at the latest; forwards changes to the journal.
///
/// It owns no socket, clock or thread: events go in, actions come out, and equal events give
/// equal actions. It is not to be copied: who is there and what is in flight are objects, changed
/// where they stand. It keeps nothing between requests but who is there, what was just answered and
/// a bounded number of kept results.
public struct Router {
    let configuration: RouterConfiguration
    let keyedHash: @Sendable ([UInt8]) -> ContentHash
    /// What was counted since the router was made.
    public internal(set) var counters = RouterCounters()

    var lifecycle = Lifecycle.running
    var startedAt: MonotonicTime?
    /// Identities by connection; a connection that is not here has not said HELLO.
    var routes: [Peer: Identity] = [:]
    var clients: [Identity: ClientState] = [:]
    var workers: [Identity: WorkerState] = [:]
    var parts: [OfferKey: PartState] = [:]
    var partNames: [String: [OfferKey]] = [:]
    var exchanges: [RequestKey: Exchange] = [:]
    var exchangeBytes = 0
    var dispatches: [RequestID: Dispatch] = [:]
    var finished: RecentKeys<RequestKey>
    var kept: KeptResults
    var strangersTold: RecentKeys<Peer>
    var services: ServiceBoard
    var margin: ReplyMargin
    var dead: DeadRequests
    var jobs = HeldJobs()
    /// Requests of the router's own, and the detached ones that they compute.
    var jobRuns: [RequestKey: RequestID] = [:]
    /// Clients that wait for a detached request.
    var jobWaits: [RequestKey: JobWait] = [:]
    var rejections = RateLimit(perSecondMax: Limits.rejectionsPerSecondMax)
    var timers = TimerHeap<RouterTimer>()
    var journal: Link
    /// Why the journal stores nothing any more, as it last said; nil once it stores again.
    var journalFault: String?
    var isJournalDown = false
    /// Requests that came before the router knew who is there, in order.
    var held: [RequestKey] = []
    var pendingChanges: [RequestID: PendingChange] = [:]
    var changeIDs: [RequestKey: RequestID] = [:]
    var subscriptions: [RequestKey: Subscription] = [:]
    /// Subscriptions by account.
    var subscribers: [String: Set<RequestKey>] = [:]
    /// Subscriptions whose question is to be asked, in order.
    var askable: [RequestKey] = []
    /// Questions under way, and whose they are.
    var asked: [RequestKey: RequestKey] = [:]
    /// Silence before this instant is not judged: the router's own loop stood still.
    var judgedFrom = MonotonicTime(nanoseconds: 0)
    private var nextNumber: UInt64 = 1

    enum Lifecycle: Sendable, Equatable { case running, draining, drained }

    /// A router that knows nobody yet.
    ///
    /// `keyedHash` makes continue tokens: a keyed hash under the deployment's key, so that a
    /// token cannot be guessed and is the same in each router.
    public init(
        _ configuration: RouterConfiguration,
        keyedHash: @escaping @Sendable ([UInt8]) -> ContentHash
    ) {
        self.configuration = configuration
        self.keyedHash = keyedHash
        finished = RecentKeys(countMax: configuration.finishedRequestsMax)
        kept = KeptResults(
            countMax: configuration.keptResultsMax, bytesMax: configuration.keptBytesMax)
        strangersTold = RecentKeys(countMax: configuration.clientsMax)
        services = ServiceBoard(countMax: configuration.countedServicesMax)
        margin = ReplyMargin(
            milliseconds: configuration.replyMarginMilliseconds,
            mostMilliseconds: configuration.replyMarginMillisecondsMax)
        dead = DeadRequests(
            countMax: configuration.deadRequestsMax, bytesMax: configuration.deadBytesMax)
        journal = Link(intervalMilliseconds: configuration.pingIntervalMilliseconds)
        if !configuration.hasJournal { journal.close() }
        for expected in configuration.expectedParts {
            let key = OfferKey(service: expected.service, part: expected.part)
            addPart(key)
            parts[key]?.isExpected = true
        }
    }

    /// Requests in flight.
    public var inFlightCount: Int { exchanges.count }
    /// Parts of requests that wait for a worker.
    public var waitingCount: Int { parts.values.reduce(0) { $0 + $1.waiting.count } }
    /// Dispatches that hold a worker's credit.
    public var dispatchCount: Int { dispatches.count }
    /// Workers that are known.
    public var workerCount: Int { workers.count }
    /// Clients that are known.
    public var clientCount: Int { clients.count }
    /// Lists that clients want to hear of.
    public var subscriptionCount: Int { subscriptions.count }
    /// Changes that wait for the journal.
    public var pendingChangeCount: Int { pendingChanges.count }
    /// How many dispatches each worker holds and how many it granted, by identity.
    package var workerLoads: [(worker: Identity, inFlight: Int, credit: Int)] {
        sortedWorkers.map { ($0.identity, $0.inFlight.count, $0.credit) }
    }
    /// Dispatches that run though nobody waits for them.
    package var unwantedDispatchCount: Int {
        dispatches.count { id, dispatch in
            guard !dispatch.isCancelled else { return false }
            guard let exchange = exchanges[dispatch.key], exchange.serial == dispatch.serial
            else { return true }
            let part = exchange.parts[dispatch.part]
            return part.attempt?.id != id && part.hedge?.id != id
        }
    }
    /// Instants that are remembered, those that mean nothing any more included.
    package var timerCount: Int { timers.count }
    /// Requests put aside because workers died under them.
    public var deadCount: Int { dead.count }
    /// Detached requests that are held.
    public var jobCount: Int { jobs.count }
    /// The most detached requests that one client has.
    package var jobsOfOneMax: Int { jobs.largestOwner }
    /// Bytes of results that are kept, with those that what runs may bring.
    package var jobResultBytes: Int {
        jobs.resultBytes + jobs.runningCount * configuration.jobResultBytesMax
    }
    /// The longest queue of a part.
    package var longestQueue: Int { parts.values.map(\.waiting.count).max() ?? 0 }

    /// When `tick` is wanted at the latest; nil once drained.
    public var nextWake: MonotonicTime? {
        guard lifecycle != .drained else { return nil }
        guard let journalWake = journal.nextWake else { return timers.first }
        return timers.first.map { min($0, journalWake) } ?? journalWake
    }

    /// Takes one event and appends what is to be done about it.
    public mutating func handle(
        _ event: RouterEvent, at now: Now, into actions: inout [RouterAction]
    ) {
        guard lifecycle != .drained else { return }
        if startedAt == nil { start(now, &actions) }
        noteLag(now.monotonic, &actions)
        switch event {
        case .message(let message, let peer): receive(message, peer, now, &actions)
        case .malformed(let error, let peer): refuseMalformed(error, peer, now, &actions)
        case .undeliverable(let peer, let unsent): peerGone(peer, unsent, now, &actions)
        case .stalled(let peer, let unsent): peerStalled(peer, unsent, now, &actions)
        case .jobKept(let id, let write, let failure): jobKept(id, write, failure, now, &actions)
        case .tick: break
        case .drain: drain(now, &actions)
        }
        runTimers(now, &actions)
        beginJobs(now, &actions)
        keepUpJournal(now, &actions)
        finishDrain(&actions)
        compactTimers()
    }

    private mutating func compactTimers() {
        let live =
            exchanges.count + dispatches.count + pendingChanges.count + clients.count
            + workers.count + parts.count + subscriptions.count + jobs.count + jobWaits.count
        timers.compact(live: live) { timer in
            switch timer {
            case .reply(let key, let serial): exchanges[key]?.serial == serial
            case .client(let identity, let serial): clients[identity]?.serial == serial
            case .worker(let identity, let serial): workers[identity]?.serial == serial
            case .change(let id): pendingChanges[id] != nil
            case .hedge(_, _, _, let attempt): dispatches[attempt] != nil
            case .retry(let key, let serial, _): exchanges[key]?.serial == serial
            case .preparation(let key, let serial):
                exchanges[key]?.serial == serial && exchanges[key]?.following != nil
            case .cancelAgain(let id): dispatches[id] != nil
            case .part(let key): parts[key] != nil
            case .subscription(let key, let alarm): subscriptions[key]?.alarm == alarm
            case .job(let id, let alarm): jobs[id]?.alarm == alarm
            case .jobWait(let key, let serial): jobWaits[key]?.serial == serial
            case .jobTurn: !jobs.queues.isEmpty
            case .settled: true
            }
        }
    }

    /// A number that this router has not used before.
    mutating func makeNumber() -> UInt64 {
        defer { nextNumber += 1 }
        return nextNumber
    }
    /// An id that no earlier incarnation used either.
    mutating func makeID() -> RequestID {
        RequestID(high: configuration.incarnation, low: makeNumber())
    }
    var sortedWorkers: [WorkerState] { workers.values.sorted { $0.serial < $1.serial } }

    private mutating func start(_ now: Now, _ actions: inout [RouterAction]) {
        startedAt = now.monotonic
        timers.insert(
            .settled, at: now.monotonic.adding(milliseconds: configuration.settleMilliseconds))
        loadJobs(now, &actions)
    }

    private mutating func drain(_ now: Now, _ actions: inout [RouterAction]) {
        guard lifecycle == .running else { return }
        lifecycle = .draining
        for key in subscriptions.keys { removeSubscription(key) }
        putBackJobs(now, &actions)
    }
    /// Whoever is there has had the time to say HELLO.
    func isSettled(at now: MonotonicTime) -> Bool {
        now >= (startedAt ?? now).adding(milliseconds: configuration.settleMilliseconds)
    }

    private mutating func noteLag(_ now: MonotonicTime, _ actions: inout [RouterAction]) {
        let interval = configuration.pingIntervalMilliseconds
        guard let wake = nextWake, wake.nanoseconds > 0,
            now > wake.adding(milliseconds: interval)
        else { return }
        judgedFrom = now.adding(milliseconds: interval)
        actions.append(.fact(.lagged(milliseconds: now.milliseconds(since: wake))))
    }

    private mutating func runTimers(_ now: Now, _ actions: inout [RouterAction]) {
        while let timer = timers.pop(dueAt: now.monotonic) {
            switch timer {
            case .reply(let key, let serial): replyDue(key, serial, now, &actions)
            case .client(let identity, let serial): clientDue(identity, serial, now, &actions)
            case .worker(let identity, let serial): workerDue(identity, serial, now, &actions)
            case .change(let id): changeDue(id, &actions)
            case .hedge(let key, let serial, let part, let attempt):
                hedgeDue(key, serial, part: part, attempt, now, &actions)
            case .retry(let key, let serial, let part):
                retryDue(key, serial, part: part, now, &actions)
            case .preparation(let key, let serial):
                preparationDue(key, serial, now, &actions)
            case .cancelAgain(let id): cancelAgain(id, now, &actions)
            case .part(let key): partDue(key, now)
            case .subscription(let key, let alarm):
                subscriptionDue(key, alarm, now, &actions)
            case .job(let id, let alarm): jobDue(id, alarm, now, &actions)
            case .jobWait(let key, let serial): jobWaitDue(key, serial, &actions)
            case .jobTurn: break
            case .settled: beginHeld(now, &actions)
            }
        }
    }

    private mutating func finishDrain(_ actions: inout [RouterAction]) {
        guard lifecycle == .draining, exchanges.isEmpty, pendingChanges.isEmpty,
            !jobs.all.values.contains(where: { $0.write != nil })
        else { return }
        lifecycle = .drained
        let known =
            clients.values.sorted { $0.serial < $1.serial }.compactMap(\.peer)
            + sortedWorkers.map(\.peer)
        for peer in known { actions.append(.send(Message(Header(.bye)), to: peer)) }
        if journal.state == .open { actions.append(.send(Message(Header(.bye)), to: .journal)) }
        actions.append(.drained)
    }
}

/// So many a second, counted in windows of one second.
struct RateLimit: Sendable {
    let perSecondMax: Int
    private var windowStart = MonotonicTime(nanoseconds: 0)
    private var used = 0

    init(perSecondMax: Int) { self.perSecondMax = perSecondMax }

    mutating func allows(at now: MonotonicTime) -> Bool {
        if now.milliseconds(since: windowStart) >= 1_000 {
            windowStart = now
            used = 0
        }
        used += 1
        return used <= perSecondMax
    }
}
