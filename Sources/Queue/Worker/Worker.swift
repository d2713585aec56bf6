public import Messages

/// The worker's side of the protocol: greets routers, takes requests within its credit, starts
/// jobs while there is time, and leaves in order.
///
/// It owns no socket, clock or thread: events go in, actions come out.
public struct Worker: Sendable {
    let configuration: WorkerConfiguration
    var links: [WorkerLink]
    var jobs: [JobID: JobState] = [:]
    /// Jobs by the router's id, to find duplicates and what CANCEL names.
    var jobIDs: [LinkedRequest: JobID] = [:]
    /// Jobs that have not begun, in order of arrival.
    var queue: [JobID] = []
    var running = 0
    var pool: CreditPool
    var recent = RecentKeys<LinkedRequest>(countMax: 4 * Int(Limits.creditMax))
    var timers = TimerHeap<JobID>()
    var replica: Position?
    var isReady = false
    /// When routers last heard of a new position.
    var positionToldAt = MonotonicTime(nanoseconds: 0)
    var lifecycle = Lifecycle.running
    /// When a draining worker stops what still runs; meaningless before.
    private var graceEnds = MonotonicTime(nanoseconds: 0)
    private var nextJob: UInt64 = 1

    enum Lifecycle: Sendable, Equatable { case running, draining, stopped }

    /// A request of one router.
    struct LinkedRequest: Hashable, Sendable {
        let link: Int
        let id: RequestID
    }

    /// A worker with links 0 ..< `routers`.
    public init(_ configuration: WorkerConfiguration, routers: Int) {
        precondition(routers > 0, "a worker serves at least one router")
        self.configuration = configuration
        pool = CreditPool(configuration)
        links = (0..<routers).map { _ in
            WorkerLink(
                Link(
                    intervalMilliseconds: configuration.pingIntervalMilliseconds,
                    forgivesLag: !configuration.planted.contains(.lagIsHeldAgainstOthers)))
        }
    }

    /// Jobs that were accepted and have not ended.
    public var jobCount: Int { jobs.count }
    /// It was told to stop.
    public var isDraining: Bool { lifecycle == .draining }
    /// Jobs that were started and have not ended.
    public var runningCount: Int { running }

    /// When `tick` is wanted at the latest; nil once stopped.
    public var nextWake: MonotonicTime? {
        guard lifecycle != .stopped else { return nil }
        var wake = timers.first
        if lifecycle == .draining { wake = min(wake ?? graceEnds, graceEnds) }
        for link in links {
            guard let due = link.link.nextWake else { continue }
            wake = min(wake ?? due, due)
        }
        return wake
    }

    /// Takes one event and appends what is to be done about it.
    public mutating func handle(
        _ event: WorkerEvent, at now: Now, into actions: inout [WorkerAction]
    ) {
        guard lifecycle != .stopped else { return }
        let time = now.monotonic
        switch event {
        case .message(let message, let link): receive(message, link, time, &actions)
        case .malformed(let error, let link):
            actions.append(.fact(.malformed(link: link, error)))
        case .partial(let id, let output): sendPartial(id, output, &actions)
        case .finished(let id, let result): finish(id, result, time, &actions)
        case .position(let position, let isReady):
            replicaMoved(to: position, isReady: isReady, time, &actions)
        case .accountsEnded(let accounts): tellEnded(accounts, &actions)
        case .changed(let change, let position): tellChanged(change, position, &actions)
        case .undeliverable(let link): reconnect(link, time, &actions)
        case .tick: break
        case .drain: drain(time, &actions)
        }
        expire(time, &actions)
        endGrace(time, &actions)
        startJobs(time, &actions)
        for link in links.indices { keepUp(link, time, &actions) }
        stopIfDone(&actions)
        timers.compact(live: 2 * jobs.count) { jobs[$0] != nil }
    }

    mutating func makeJobID() -> JobID {
        defer { nextJob += 1 }
        return JobID(number: nextJob)
    }

    private mutating func receive(
        _ message: Message, _ link: Int, _ now: MonotonicTime, _ actions: inout [WorkerAction]
    ) {
        guard links.indices.contains(link) else { return }
        links[link].link.heard(at: now)
        switch message.command {
        case .welcome: welcome(message, link, &actions)
        case .request: accept(message, link, now, &actions)
        case .cancel: cancel(message.header.requestID, link, &actions)
        case .ping:
            actions.append(.send(Message(Header(.pong)), link: link))
        case .pong, .draining: break
        case .bye: routerLeft(message, link, now, &actions)
        case .error: refused(message, link, now, &actions)
        case .hello, .ready, .partial, .final, .record, .ack, .subscribe, .tail,
            .fetch, .chunk, .keys, .keyring, .notify:
            actions.append(
                .fact(.refused(link: link, .wrongState, "\(message.command) from a router")))
        }
    }

    private mutating func drain(_ now: MonotonicTime, _ actions: inout [WorkerAction]) {
        guard lifecycle == .running else { return }
        lifecycle = .draining
        graceEnds = now.adding(milliseconds: configuration.graceMilliseconds)
        for link in links.indices where links[link].link.state == .open {
            actions.append(.send(Message(Header(.draining)), link: link))
        }
        guard !configuration.planted.contains(.queueIsNotHandedBack) else { return }
        handBackQueue("the worker stops", &actions)
    }

    /// What still runs at the end of the grace is stopped, and others may have it.
    private mutating func endGrace(_ now: MonotonicTime, _ actions: inout [WorkerAction]) {
        guard lifecycle == .draining, now >= graceEnds else { return }
        graceEnds = MonotonicTime(nanoseconds: .max)
        for (id, job) in jobs.sorted(by: { $0.key.number < $1.key.number })
        where job.stage == .running {
            jobs[id]?.stage = .cancelled
            jobs[id]?.endsWith = .handedBack
            actions.append(.cancel(id))
        }
    }

    private mutating func stopIfDone(_ actions: inout [WorkerAction]) {
        let isReplaced = links.allSatisfy { $0.link.state == .closed }
        guard isReplaced || (lifecycle == .draining && jobs.isEmpty) else { return }
        lifecycle = .stopped
        for link in links.indices where links[link].link.state == .open {
            actions.append(.send(Message(Header(.bye)), link: link))
        }
        for (id, job) in jobs.sorted(by: { $0.key.number < $1.key.number })
        where job.stage == .running {
            actions.append(.cancel(id))
        }
        actions.append(.stopped)
    }
}
