import Foundation
import Messages
import Service
import ZeroMQ

/// How long after its acknowledgement an entity is found on every worker.
enum VisibleBench: Benchmark {
    static let name = "visible"
    static let summary =
        "the time from an acknowledged put until every one of four workers finds it"
    static let options = ["puts", "workers"]

    static func run(_ options: BenchOptions) throws {
        let puts = try options.count("puts", default: 500)
        let workers = try options.count("workers", default: 4)
        print("### Visible on every worker\n\n\(Machine.line).\n")
        let folder = try Started.makeFolder(in: options["folder"])
        defer { Started.remove(folder) }
        let probing = try VisibleProbing(folder: folder, workers: workers)
        try probing.run(puts: puts)
        print(
            """
            \(workers) workers as processes, each with a router of its own beside the common one, \
            so that each can be asked by itself. After the acknowledgement of a put every worker \
            is asked at once, with a search that states the position.

            """)
        print(probing.table.text + "\n")
    }
}

/// A deployment in which each worker can be asked by itself.
final class VisibleProbing {
    private let deployment: Deployment
    private let producer: WireClient
    private let probes: [WireClient]
    /// Of each answer of a worker.
    private var eachSeconds: [Double] = []
    /// Of the last worker of each put.
    private var lastSeconds: [Double] = []
    private var notFound = 0
    private var removals = 0
    private var returnedAfterRemoval = 0
    private static let budgetMilliseconds: UInt32 = 5_000
    private static let putsPerRemoval = 5

    init(folder: String, workers: Int) throws {
        let base = try LoopbackAddress.freePorts(3 + 2 * workers)
        deployment = Deployment(folder: folder, port: base, journalPort: base + 2)
        try deployment.startJournal()
        try deployment.startRouter()
        let ports = (0..<workers).map { base + 3 + 2 * $0 }
        for (number, port) in ports.enumerated() {
            try deployment.startRouter("router-\(number)", port: port)
            try deployment.startWorker("worker-\(number)", others: [port])
        }
        producer = try WireClient(port: base, seed: 1)
        probes = try ports.enumerated().map { try WireClient(port: $1, seed: UInt64($0) + 2) }
        for (number, probe) in probes.enumerated() {
            try deployment.process("worker-\(number)").wait("worker \(number) is ready") {
                try deployment.readyWorkers(probe).contains("worker-\(number)")
            }
        }
    }

    deinit { deployment.endAll() }

    func run(puts: Int) throws {
        // A new router holds requests until workers have had time to greet it.
        usleep(700_000)
        _ = try acknowledge(Samples.typeDeclaration())
        for number in 0..<puts {
            try producer.greet()
            for probe in probes { try probe.greet() }
            let label = "visible \(number)"
            let put = try acknowledge(Samples.put(number, labels: [label]))
            let answers = try ask(label, at: put.position)
            eachSeconds += answers.map { $0.at - put.at }
            lastSeconds.append((answers.map(\.at).max() ?? put.at) - put.at)
            notFound += answers.count { $0.ids != [Samples.name(number).id] }
            if number.isMultiple(of: Self.putsPerRemoval) {
                let removal = try acknowledge(Samples.removal(number))
                removals += 1
                returnedAfterRemoval += try ask(label, at: removal.position).count {
                    !$0.ids.isEmpty
                }
            }
        }
    }

    private func acknowledge(_ change: Message) throws -> (position: Position, at: Double) {
        var message = change
        message.header.requestID = producer.nextID()
        let answer = try producer.success(of: message)
        guard let position = answer.fields.position else {
            throw BenchError(.answer, "an ACK without a position")
        }
        return (position, Clock.seconds())
    }

    /// Asks all workers at once.
    private func ask(
        _ label: String, at position: Position
    ) throws -> [(ids: [String], at: Double)] {
        var request = Message.request(
            ServiceName.imageSearch, SearchRequest(subject: .none, labels: [label]).json,
            budgetMilliseconds: Self.budgetMilliseconds)
        request.fields.leastPosition = position
        var waiting: [Int: RequestID] = [:]
        for (index, probe) in probes.enumerated() {
            request.header.requestID = probe.nextID()
            waiting[index] = request.header.requestID
            try probe.send(request)
        }
        var answers: [(ids: [String], at: Double)] = []
        let end = Clock.seconds() + Double(Self.budgetMilliseconds) / 1_000 + 1
        while !waiting.isEmpty {
            guard Clock.seconds() < end else { throw BenchError(.answer, "a worker is silent") }
            _ = try Poller.wait(sockets: probes.map(\.socket), timeoutMilliseconds: 20)
            for (index, probe) in probes.enumerated() {
                while let answer = try probe.take() {
                    guard answer.header.requestID == waiting[index] else { continue }
                    let now = Clock.seconds()
                    guard answer.command == .final else {
                        throw BenchError(.answer, answer.errorLine)
                    }
                    waiting[index] = nil
                    answers.append((try Self.ids(answer), now))
                }
            }
        }
        return answers
    }

    private static func ids(_ answer: Message) throws -> [String] {
        (try JSONValue(parsing: answer.body).array ?? []).compactMap { $0["id"]?.text }
    }

    var table: MarkdownTable {
        func milliseconds(_ share: Double, _ values: [Double]) -> String {
            Figure.of(Measures.percentile(share, of: values) * 1_000)
        }
        var table = MarkdownTable("what", "p50 ms", "p99 ms", "most ms", "bar")
        for (name, values, bar) in [
            ("found on one worker, with the search itself", eachSeconds, ""),
            ("found on every worker", lastSeconds, "p99 ≤ 100 ms"),
        ] {
            table.add(
                "\(name) (\(values.count))", milliseconds(0.5, values), milliseconds(0.99, values),
                milliseconds(1, values), bar)
        }
        table.add("not found at the position", "\(notFound)", "", "", "0")
        table.add(
            "returned after its removal (\(removals) removed)", "\(returnedAfterRemoval)", "", "",
            "0")
        return table
    }
}
