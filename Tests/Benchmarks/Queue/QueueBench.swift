import Foundation

/// What a hop through the router costs, beside raw ZeroMQ, the smallest broker that can be
/// written, and nats-server: one load client, interleaved rounds.
enum QueueBench: Benchmark {
    static let name = "queue"
    static let summary = "requests through the router beside raw ZeroMQ, brk.c and nats-server"
    static let options = [
        "sizes", "windows", "loads", "rounds", "seconds", "systems", "json", "pinned",
    ]

    static func run(_ options: BenchOptions) throws {
        let plan = try QueuePlan(options)
        let folder = try Started.makeFolder(in: options["folder"])
        defer { Started.remove(folder) }
        ReadWait.bePrecise()
        let line = Machine.line
        let systems = try start(plan, folder: folder)
        defer { for system in systems { system.end() } }
        guard systems.contains(where: { $0.name == QueuePlan.base }) else {
            throw BenchError(.program, "BENCH_BRK names the program that brk.c makes")
        }
        if plan.isPinned {
            for system in systems { try system.pin() }
            try Pinning.pin(getpid(), toCore: 1)
        }
        // Requests are held until workers have had time to greet a new router.
        usleep(900_000)
        var report = QueueReport(plan: plan, systems: systems.map(\.name))
        let cores = CoreUse()
        let before = systems.reduce(0) { $0 + $1.allSeconds } + ProcessorTime.ofSelf()
        for size in plan.sizes {
            try QueueRounds(size: size, plan: plan, systems: systems).run(into: &report)
        }
        let own = systems.reduce(0) { $0 + $1.allSeconds } + ProcessorTime.ofSelf() - before
        let machine = "\(line); \(plan.pinning); \(cores.text(own: own))"
        if plan.writesJSON {
            print(report.json(machine: machine))
        } else {
            print(
                "### Queue\n\n\(plan.rounds) interleaved rounds of \(plan.seconds) s; \(machine).\n"
            )
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
            try add(QueuePlan.base) { try .minimal(program, isProxy: false, folder: folder) }
        }
        try add(QueuePlan.own) { try .sightline(folder: folder) }
        try add("sightline-recording") { try .sightline(records: true, folder: folder) }
        try add("sightline-curve") { try .sightline(hasKeys: true, folder: folder) }
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
}
