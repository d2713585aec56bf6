import Foundation
import Messages
import Service

/// A million requests through one router, whose memory must not grow, and a router with nothing
/// to do, which must not be busy.
enum SteadyBench: Benchmark {
    static let name = "steady"
    static let summary = "a million requests: resident memory; nothing to do: processor time"
    static let options = [
        "requests", "size", "window", "idle-seconds", "clients", "workers", "json",
    ]

    static func run(_ options: BenchOptions) throws {
        let folder = try Started.makeFolder(in: options["folder"])
        defer { Started.remove(folder) }
        ReadWait.bePrecise()
        let requests = try options.count("requests", default: 1_000_000)
        let size = try options.count("size", default: 256)
        let memory = try memory(
            requests, size, window: options.count("window", default: 64), folder)
        let idle = try IdleRouter(
            clients: options.count("clients", default: 8),
            workers: options.count("workers", default: 4), folder: folder)
        defer { idle.end() }
        let share = try idle.share(seconds: options.count("idle-seconds", default: 10))
        if options["json"] == "true" {
            print(json(requests, memory, share))
        } else {
            print(text(requests, size, memory, share, idle))
        }
    }

    /// Megabytes of the router's memory after each tenth of the requests.
    private static func memory(
        _ requests: Int, _ size: Int, window: Int, _ folder: String
    ) throws -> [Double] {
        let system = try QueueSystem.sightline(folder: folder)
        defer { system.end() }
        // Requests are held until workers have had time to greet a new router.
        usleep(900_000)
        let connection = try system.connection(size: size)
        defer { connection.close() }
        let run = LoadRun(connection: connection)
        return try (0..<10).map { tenth in
            let count = requests * (tenth + 1) / 10 - requests * tenth / 10
            try run.counted(window: window, count: count)
            return system.residentMegabytes
        }
    }

    private static func json(_ requests: Int, _ memory: [Double], _ share: Double) -> String {
        let document = JSONValue.object([
            "requests": .integer(requests),
            "residentMegabytes": .array(memory.map(JSONValue.number)),
            "growth": .number(growth(memory)), "idleShareOfACore": .number(share),
        ])
        return String(decoding: document.canonical(), as: UTF8.self)
    }

    private static func growth(_ memory: [Double]) -> Double {
        guard let first = memory.first, let last = memory.last, first > 0 else { return 0 }
        return last / first
    }

    private static func text(
        _ requests: Int, _ size: Int, _ memory: [Double], _ share: Double, _ idle: IdleRouter
    ) -> String {
        var table = MarkdownTable("router", "figure", "bar")
        let first = Figure.of(memory.first ?? 0)
        let last = Figure.of(memory.last ?? 0)
        table.add(
            "resident MB after a tenth of \(requests) requests of \(size) bytes, and at the end",
            "\(first), \(last): \(Figure.of(growth(memory), digits: 3))", "0.95 to 1.05")
        table.add(
            "processor time with \(idle.clients) idle clients and \(idle.workers) idle workers",
            "\(Figure.of(share * 100, digits: 2)) % of a core", "< 1 %")
        let steps = memory.map { Figure.of($0) }.joined(separator: ", ")
        return "\(Machine.line).\n\n\(table.text)\n\nAfter each tenth: \(steps) MB."
    }
}

/// A router with workers and clients of the real kinds, none of which wants anything.
private final class IdleRouter {
    let clients: Int
    let workers: Int
    private let router: ChildProcess
    private var others: [ChildProcess] = []
    private var connections: [RouterConnection] = []
    private static let settleMicroseconds: UInt32 = 2_000_000

    init(clients: Int, workers: Int, folder: String) throws {
        self.clients = clients
        self.workers = workers
        let port = try LoopbackAddress.freePorts(3)
        router = try ChildProcess(
            Programs.sightline,
            ["router", "--listen", "127.0.0.1:\(port)", "--journal", "127.0.0.1:\(port + 2)"],
            name: "idle-router", folder: folder)
        try router.waitForPort(port + 1)
        for number in 0..<workers {
            others.append(
                try ChildProcess(
                    Programs.own,
                    ["sleep-worker", "--port", "\(port + 1)", "--name", "idle-\(number)"],
                    name: "idle-worker-\(number)", folder: folder))
        }
        for number in 0..<clients {
            connections.append(
                try RouterConnection.open(Endpoint(port: port), name: "idle-\(number)"))
        }
        usleep(Self.settleMicroseconds)
    }

    /// The part of a core that the router takes.
    func share(seconds: Int) throws -> Double {
        let before = router.processorSeconds
        let passed = Clock.time { usleep(UInt32(seconds) * 1_000_000) }
        return (router.processorSeconds - before) / passed
    }

    func end() {
        for connection in connections { connection.close() }
        for process in others { process.end() }
        router.end()
    }
}
