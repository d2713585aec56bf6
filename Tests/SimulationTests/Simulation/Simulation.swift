import Journal
import Messages
import Queue
import TestSupport

/// A router, or two, a journal, workers and clients under one seed: the real state machines on a
/// simulated clock, network and disk.
///
/// For three seconds things go wrong; then everything is mended, and what is asked after that
/// must succeed.
final class Simulation {
    let seed: UInt64
    let planted: Set<PlantedBug>
    var random: SeededRandom
    var faults: FaultProfile
    var events = EventQueue()
    var now: UInt64 = 1_000_000_000
    var checker = Checker()
    var promises = DispatchPromises()
    var jobs = JobPromises()
    var nextJob: UInt64 = 1
    var routers: [RouterProcess] = []
    var journal: JournalProcess
    var workers: [WorkerProcess] = []
    var clients: [ClientProcess] = []
    var connections: [Endpoint: Connection] = [:]
    var openers: [UInt64: Endpoint] = [:]
    var nextNumber: UInt64 = 1
    var nextTicket = 1
    var nextChange = 1
    var nextPicture: UInt64 = 1
    var ticks: [Node: UInt64] = [:]
    var pausedUntil: [Node: UInt64] = [:]
    /// When each connection was last made.
    var brokenAt: [Endpoint: UInt64] = [:]
    /// When each process was last paused.
    var pausedFrom: [Node: UInt64] = [:]
    var isCalm = false
    var isOver = false
    /// Changes with whatever happens, to see that a seed always gives the same run.
    var trace: UInt64 = 0xCBF2_9CE4_8422_2325
    var eventCount = 0
    /// The traffic that clients send in place of random requests; nil for those.
    let month: SimulatedMonth?
    private let eventsMax: Int

    static let chaos: UInt64 = 3_000_000_000
    static let settling: UInt64 = 3_500_000_000
    static let millisecond: UInt64 = 1_000_000

    init(seed: UInt64, planted: Set<PlantedBug> = [], month: SimulatedMonth? = nil) {
        self.seed = seed
        self.month = month
        eventsMax = month == nil ? 400_000 : 100_000_000
        self.planted = planted
        random = SeededRandom(seed: seed)
        faults = FaultProfile(using: &random)
        journal = JournalProcess(machine: Self.makeJournal(0, SimulatedDisk(), month))
        let routerCount = Int.random(in: 1...2, using: &random)
        for router in 0..<routerCount {
            routers.append(RouterProcess(machine: makeRouter(router, generation: 0)))
            connect(.routerToJournal(router))
        }
        for worker in 0..<3 { addWorker(worker) }
        for client in 0..<3 {
            let identity = Identity(high: 3, low: UInt64(client))
            clients.append(
                ClientProcess(
                    identity: identity, router: client % routerCount,
                    machine: makeClient(identity, generation: 0)))
            connect(.client(client))
        }
    }

    /// Runs to the end and returns what was violated; nil if nothing was.
    func run() -> String? {
        for node in nodes { events.insert(.tick(node), at: now) }
        for node in nodes { ticks[node] = now }
        for client in clients.indices {
            events.insert(.clientActs(client), at: now + below(200) * Self.millisecond)
        }
        events.insert(.fault, at: now + below(500) * Self.millisecond)
        // A month ends once all of it was sent.
        if month == nil { events.insert(.heal, at: now + Self.chaos) }
        while let (time, event) = events.pop(), !isOver, checker.violation == nil {
            now = time
            eventCount += 1
            // A run that goes round in circles would not end.
            if eventCount > eventsMax { checker.fail("more than \(eventsMax) events", at: now) }
            perform(event)
        }
        if checker.violation == nil { checkEnd() }
        return checker.violation.map { "seed \(seed): \($0)" }
    }

    var nodes: [Node] {
        routers.indices.map(Node.router) + [.journal] + workers.indices.map(Node.worker)
            + workers.indices.map(Node.replica) + clients.indices.map(Node.client)
    }

    func below(_ bound: UInt64) -> UInt64 {
        bound == 0 ? 0 : UInt64.random(in: 0..<bound, using: &random)
    }
    func happens(_ of: UInt64, in all: UInt64) -> Bool { below(all) < of }

    /// Both clocks of a node; wall clocks are wrong by up to an hour, each in its own way.
    func clock(_ node: Int) -> Now {
        if let month { return month.clock(at: now) }
        return Now(
            monotonic: MonotonicTime(nanoseconds: now),
            wall: Timestamp(
                milliseconds: Int64(now / Self.millisecond) + Int64(node * 1_000_000)
                    - 3_600_000 * Int64((now / 700_000_000) % 3)))
    }

    func note(_ value: UInt64) { trace = (trace ^ value) &* 0x100_0000_01B3 }

    private func perform(_ event: SimulatedEvent) {
        switch event {
        case .deliver(let message, let endpoint, let number, let toServer):
            deliver(message, endpoint, number, toServer)
        case .undeliverable(let router, let generation, let peer, let unsent):
            guard routers[router].generation == generation else { return }
            step(router: router, .undeliverable(peer, unsent: unsent))
        case .tick(let node): tick(node)
        case .jobEnds(let worker, let generation, let id): endJob(worker, generation, id)
        case .jobHasPart(let worker, let generation, let id):
            sendPartial(worker, generation, id)
        case .applied(let worker, let generation, let records, let through):
            applied(worker, generation, records, through)
        case .loaded(let worker, let generation, let chunk): loaded(worker, generation, chunk)
        case .finished(let worker, let generation, let through):
            finished(worker, generation, through)
        case .answer(let generation, let event):
            guard journal.generation == generation,
                !isPaused(.journal, .answer(generation: generation, event))
            else { return }
            stepJournal(event)
        case .diskWrote(let generation): diskWrote(generation)
        case .diskRead(let generation, let ticket, let after, let recordsMax, let streams):
            diskRead(generation, ticket, after, recordsMax, streams)
        case .jobFolder(let router, let generation, let change):
            jobFolderChanged(router, generation, change)
        case .clientActs(let client): act(client)
        case .calmRequest(let client): submitCalm(client)
        case .jobQuestions(let client): askForAllJobs(client)
        case .fault: makeFault()
        case .restart(let node): restart(node)
        case .stopLimit(let worker, let generation):
            if workers[worker].isUp, workers[worker].generation == generation,
                (pausedUntil[.worker(worker)] ?? 0) < now
            {
                checker.fail("worker \(worker) does not stop", at: now)
            }
        case .heal: heal()
        case .end: isOver = true
        }
    }

    /// Puts an event for a paused process off to the end of its pause.
    func isPaused(_ node: Node, _ event: SimulatedEvent) -> Bool {
        guard let end = pausedUntil[node], now < end else { return false }
        events.insert(event, at: end)
        return true
    }

    private func tick(_ node: Node) {
        guard ticks[node] == now else { return }
        let process: Node
        switch node {
        case .replica(let worker): process = .worker(worker)
        case .router, .journal, .worker, .client: process = node
        }
        if let end = pausedUntil[process], now < end {
            ticks[node] = end
            events.insert(.tick(node), at: end)
            return
        }
        ticks[node] = nil
        switch node {
        case .router(let router): step(router: router, .tick)
        case .journal: stepJournal(.tick)
        case .worker(let worker): step(worker: worker, .tick)
        case .replica(let worker): step(replica: worker, .tick)
        case .client(let client): step(client: client, .tick)
        }
    }

    /// Schedules the tick that a machine asks for, if it is not scheduled already.
    func schedule(_ node: Node, _ wake: MonotonicTime?) {
        guard let wake else { return }
        let time = max(wake.nanoseconds, now + 1)
        if let other = ticks[node], other <= time { return }
        ticks[node] = time
        events.insert(.tick(node), at: time)
    }
}
