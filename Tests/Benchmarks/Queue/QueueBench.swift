import Foundation

/// What a hop through the router costs, beside raw ZeroMQ, the smallest broker that can be
/// written, and nats-server: one load client, interleaved rounds.
enum QueueBench: Benchmark {
    static let name = "queue"
    static let summary = "requests through the router beside raw ZeroMQ, brk.c and nats-server"
    static let options = ["sizes", "windows", "loads", "rounds", "seconds", "systems", "json"]

    static func run(_ options: BenchOptions) throws {
        let plan = try QueuePlan(options)
        let folder = try Started.makeFolder(in: options["folder"])
        defer { Started.remove(folder) }
        let line = Machine.line
        let systems = try start(plan, folder: folder)
        defer { for system in systems { system.end() } }
        guard systems.contains(where: { $0.name == QueuePlan.base }) else {
            throw BenchError(.program, "BENCH_BRK names the program that brk.c makes")
        }
        // Requests are held until workers have had time to greet a new router.
        usleep(900_000)
        var report = QueueReport(plan: plan, systems: systems.map(\.name))
        for size in plan.sizes { try measure(size, plan, systems, &report) }
        if plan.writesJSON {
            print(report.json())
        } else {
            print("### Queue\n\n\(plan.rounds) interleaved rounds of \(plan.seconds) s; \(line).\n")
            print(report.tables())
        }
    }

    private static func start(_ plan: QueuePlan, folder: String) throws -> [QueueSystem] {
        let environment = ProcessInfo.processInfo.environment
        var systems: [QueueSystem] = []
        func add(_ name: String, _ make: () throws -> QueueSystem) throws {
            if plan.wants(name) { systems.append(try make()) }
        }
        if let program = environment["BENCH_BRK"] {
            try add("raw-echo") { try .rawEcho(program, folder: folder) }
            try add("zmq-proxy") { try .minimal(program, isProxy: true, folder: folder) }
            try add("minimal-c") { try .minimal(program, isProxy: false, folder: folder) }
        }
        try add("sightline") { try .sightline(folder: folder) }
        try add("sightline-curve") { try .sightline(hasKeys: true, folder: folder) }
        try add("sightline-recording") { try .sightline(records: true, folder: folder) }
        let servers = [
            ("nats-2.9", "BENCH_NATS_SERVER_DEBIAN"), ("nats-2.15", "BENCH_NATS_SERVER"),
        ]
        for (name, variable) in servers {
            guard let program = environment[variable],
                FileManager.default.isExecutableFile(atPath: program)
            else { continue }
            try add(name) { try .nats(program, name: name, folder: folder) }
        }
        return systems
    }

    /// All rounds of one body size: each system in turn, in another order each time.
    private static func measure(
        _ size: Int, _ plan: QueuePlan, _ systems: [QueueSystem], _ report: inout QueueReport
    ) throws {
        let connections = try systems.map { try $0.connection(size: size) }
        defer { for connection in connections { connection.close() } }
        for connection in connections {
            _ = try LoadRun(connection: connection).closed(window: 16, seconds: 0.2)
        }
        var fastest = 1.0
        for round in 0..<plan.rounds {
            for load in plan.loads {
                for turn in systems.indices {
                    let place = (turn + round) % systems.count
                    let result = try one(
                        load, systems[place], connections[place], plan, base: fastest)
                    report.add(result, systems[place].name, size: size, load: load)
                    if case .window(64) = load, systems[place].name == QueuePlan.base {
                        fastest = max(1, result.requestsPerSecond)
                    }
                }
            }
            Machine.say("\(size) bytes, round \(round + 1) of \(plan.rounds)")
        }
    }

    private static func one(
        _ load: QueueLoad, _ system: QueueSystem, _ connection: any LoadConnection,
        _ plan: QueuePlan, base: Double
    ) throws -> LoadResult {
        let (broker, all) = (system.brokerSeconds, system.allSeconds + ProcessorTime.ofSelf())
        let run = LoadRun(connection: connection)
        var latencies: [Double] = []
        let seconds = try Clock.time {
            switch load {
            case .window(let window):
                latencies = try run.closed(window: window, seconds: plan.seconds)
            case .share(let percent):
                latencies = try run.open(
                    rate: base * Double(percent) / 100, seconds: plan.seconds)
            }
        }
        let count = Double(max(latencies.count, 1))
        var result = LoadResult()
        result.requestsPerSecond = count / seconds
        result.p50 = Measures.percentile(0.5, of: latencies) * 1e6
        result.p99 = Measures.percentile(0.99, of: latencies) * 1e6
        result.brokerMicroseconds = (system.brokerSeconds - broker) / count * 1e6
        result.allMicroseconds =
            (system.allSeconds + ProcessorTime.ofSelf() - all) / count * 1e6
        return result
    }
}

/// How requests are offered.
enum QueueLoad: Hashable {
    /// So many outstanding.
    case window(Int)
    /// So many hundredths of what the minimal broker does with 64 outstanding.
    case share(Int)

    var text: String {
        switch self {
        case .window(let window): "window \(window)"
        case .share(let percent): "\(percent) % load"
        }
    }
}

/// What is measured.
struct QueuePlan {
    /// The system that the others are held against.
    static let base = "minimal-c"
    let sizes: [Int]
    let loads: [QueueLoad]
    let rounds: Int
    let seconds: Double
    let writesJSON: Bool
    private let systems: Set<String>

    init(_ options: BenchOptions) throws(BenchError) {
        sizes = try Self.numbers(options["sizes"] ?? "256,4096,65536,524288", "sizes")
        let windows = try Self.numbers(options["windows"] ?? "1,16,64", "windows")
        let shares = try Self.numbers(options["loads"] ?? "50,80", "loads", least: 0)
        // The open loop needs the rate of window 64 of its own round.
        loads =
            (windows.contains(64) ? windows : windows + [64]).sorted(by: >).map(QueueLoad.window)
            + shares.filter { $0 > 0 }.map(QueueLoad.share)
        rounds = try options.count("rounds", default: 21)
        guard let seconds = Double(options["seconds"] ?? "0.4"), seconds > 0 else {
            throw BenchError(.usage, "--seconds is a number above 0")
        }
        self.seconds = seconds
        writesJSON = options["json"] == "true"
        systems = Set((options["systems"] ?? "").split(separator: ",").map(String.init))
    }

    func wants(_ system: String) -> Bool {
        systems.isEmpty || system == Self.base || systems.contains(system)
    }

    private static func numbers(
        _ text: String, _ option: String, least: Int = 1
    ) throws(BenchError) -> [Int] {
        let numbers = text.split(separator: ",").compactMap { Int($0) }
        guard !numbers.isEmpty, numbers.allSatisfy({ $0 >= least && $0 <= 1 << 20 }) else {
            throw BenchError(.usage, "--\(option) is a list of whole numbers, as 256,4096")
        }
        return numbers
    }
}
