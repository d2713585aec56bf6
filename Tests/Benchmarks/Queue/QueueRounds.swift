/// All rounds of one body size: each system in turn, in another order each time.
final class QueueRounds {
    private let size: Int
    private let plan: QueuePlan
    private let systems: [QueueSystem]
    private let connections: [any LoadConnection]
    /// Requests a second of each system in this round, with most outstanding.
    private var maxima: [String: Double] = [:]
    /// Not measured, so that caches and clocks are as they are under load.
    private static let warmUpSeconds = 0.05

    init(size: Int, plan: QueuePlan, systems: [QueueSystem]) throws {
        self.size = size
        self.plan = plan
        self.systems = systems
        connections = try systems.map { try $0.connection(size: size) }
    }

    deinit { for connection in connections { connection.close() } }

    func run(into report: inout QueueReport) throws {
        for round in 0..<plan.rounds {
            for load in plan.loads {
                for turn in systems.indices {
                    let place = (turn + round) % systems.count
                    guard let result = try measure(load, place) else { continue }
                    let name = systems[place].name
                    report.add(result, name, size: size, load: load, round: round)
                    if load == .window(plan.widest) { maxima[name] = result.requestsPerSecond }
                }
            }
            Machine.say("\(size) bytes, round \(round + 1) of \(plan.rounds)")
        }
    }

    /// Nil for a system that cannot do what all are asked for: its queue would only grow. Ours is
    /// measured whatever comes.
    private func measure(_ load: QueueLoad, _ place: Int) throws -> LoadResult? {
        let run = LoadRun(connection: connections[place])
        let system = systems[place]
        let maximum = maxima[system.name] ?? 1
        let base = maxima[QueuePlan.base] ?? 1
        switch load {
        case .window(let window):
            return try result(system) { seconds in
                try run.closed(window: window, seconds: seconds)
            }
        case .own(let percent):
            return try result(system) { seconds in
                try run.open(rate: maximum * Double(percent) / 100, seconds: seconds)
            }
        case .common(let percent):
            let rate = base * Double(percent) / 100
            guard rate < maximum || system.name == QueuePlan.own else { return nil }
            return try result(system) { try run.open(rate: rate, seconds: $0) }
        }
    }

    private func result(
        _ system: QueueSystem, _ run: (Double) throws -> LoadSample
    ) throws -> LoadResult {
        _ = try run(Self.warmUpSeconds)
        let (broker, all) = (system.brokerSeconds, system.allSeconds + ProcessorTime.ofSelf())
        let sample = try run(plan.seconds)
        let brokerSeconds = system.brokerSeconds - broker
        let allSeconds = system.allSeconds + ProcessorTime.ofSelf() - all
        let count = Double(max(sample.answered, 1))
        var result = LoadResult()
        result.requestsPerSecond = Double(sample.answered) / max(sample.seconds, 1e-9)
        result.p50 = Measures.percentile(0.5, of: sample.latencies) * 1e6
        result.p99 = Measures.percentile(0.99, of: sample.latencies) * 1e6
        result.brokerMicroseconds = brokerSeconds / count * 1e6
        result.allMicroseconds = allSeconds / count * 1e6
        result.failed = Double(sample.failed)
        return result
    }
}
