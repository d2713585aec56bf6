internal import Messages

/// A detached request in its router.
struct HeldJob: Sendable {
    enum State: Sendable, Equatable {
        /// Not accepted before it is kept.
        case accepting
        /// Begins when there is room, and not before this instant.
        case waiting(notBefore: MonotonicTime)
        /// Its beginning is being kept, so that one that ends its router is not begun for ever.
        case starting
        /// Computed by this request of the router's own.
        case running(RequestKey)
        /// There is a result, which nobody is told before it is kept: it will be the only one.
        case ending
        case over
    }

    var job: DetachedRequest
    var state: State
    /// It outlives its router.
    let isDurable: Bool
    /// Answers that were incomplete or too late.
    var tries = 0
    /// The last thing that is being kept of it; nil if nothing is.
    var write: UInt64?
    /// The timer that counts.
    var alarm: UInt64 = 0

    /// What a client is told.
    var stateName: String {
        switch state {
        case .accepting, .waiting, .starting: "waiting"
        case .running, .ending: "running"
        case .over: "over"
        }
    }
    var isRunning: Bool {
        switch state {
        case .starting, .running: true
        case .accepting, .waiting, .ending, .over: false
        }
    }
}

/// A client that waits for a detached request to be accepted, or to be over.
struct JobWait: Sendable {
    let job: RequestID
    let isAcceptance: Bool
    let serial: UInt64
}

/// The detached requests that a router holds, and what they take.
struct HeldJobs: Sendable {
    private(set) var all: [RequestID: HeldJob] = [:]
    private(set) var keys: [JobKey: RequestID] = [:]
    /// Those that wait, by service, in order.
    private(set) var queues: [String: [RequestID]] = [:]
    private(set) var requestBytes = 0
    private(set) var resultBytes = 0
    private(set) var runningCount = 0
    private var owners: [String: Int] = [:]

    var count: Int { all.count }
    func count(of owner: String) -> Int { owners[owner] ?? 0 }
    var largestOwner: Int { owners.values.max() ?? 0 }
    func waitingCount() -> Int { queues.values.reduce(0) { $0 + $1.count } }
    func runningCount(of service: String) -> Int {
        runningCount == 0
            ? 0 : all.values.count { $0.isRunning && $0.job.service == service }
    }

    subscript(_ id: RequestID) -> HeldJob? { all[id] }

    mutating func insert(_ held: HeldJob) {
        _ = remove(held.job.id)
        add(held)
        owners[held.job.owner, default: 0] += 1
        if let key = JobKey(held.job.request) { keys[key] = held.job.id }
    }

    /// Changes one, if it is there.
    mutating func update(_ id: RequestID, _ change: (inout HeldJob) -> Void) {
        guard var held = take(id) else { return }
        change(&held)
        add(held)
    }

    mutating func remove(_ id: RequestID) -> HeldJob? {
        guard let held = take(id) else { return nil }
        let owner = held.job.owner
        owners[owner] = (owners[owner] ?? 1) > 1 ? (owners[owner] ?? 1) - 1 : nil
        if let key = JobKey(held.job.request), keys[key] == id { keys[key] = nil }
        return held
    }

    /// The ids of those that a condition takes, in a fixed order.
    func ids(where isMeant: (HeldJob) -> Bool) -> [RequestID] {
        all.values.filter(isMeant).map(\.job.id).sorted { ($0.high, $0.low) < ($1.high, $1.low) }
    }

    private mutating func add(_ held: HeldJob) {
        let id = held.job.id
        all[id] = held
        requestBytes += held.job.requestBytes
        resultBytes += held.job.resultBytes
        if held.isRunning { runningCount += 1 }
        if case .waiting = held.state { enqueue(id, held.job.service) }
    }

    private mutating func enqueue(_ id: RequestID, _ service: String) {
        guard queues[service]?.contains(id) != true else { return }
        queues[service, default: []].append(id)
    }

    private mutating func take(_ id: RequestID) -> HeldJob? {
        guard let held = all.removeValue(forKey: id) else { return nil }
        requestBytes -= held.job.requestBytes
        resultBytes -= held.job.resultBytes
        if held.isRunning { runningCount -= 1 }
        if case .waiting = held.state {
            queues[held.job.service]?.removeAll { $0 == id }
            if queues[held.job.service]?.isEmpty == true { queues[held.job.service] = nil }
        }
        return held
    }
}
