import Foundation
import Messages
import Service
import TestSupport
import Testing

/// Server processes on ports of their own, on loopback.
final class Deployment {
    let port: Int
    let folder: String
    private(set) var processes: [String: ServerProcess] = [:]
    /// What the tests themselves show to the servers; nil without keys.
    var keys: ConnectionKeys?

    /// Ports differ between tests and between test runs on one machine.
    init(folder: String) {
        self.folder = folder
        port = Self.freePorts()
    }

    var client: Endpoint { Endpoint(port: port) }
    var connect: [String] { ["--connect", "127.0.0.1:\(port)"] }

    /// Everything in one process.
    func serve(
        _ more: [String] = [], environment: [String: String] = [:], wrapper: [String] = []
    ) async throws {
        try start(
            "serve", ["serve", "--listen", ":\(port)", "--data", "\(folder)/data"] + more,
            environment, wrapper)
        try await untilAnswering(workers: 1)
    }

    /// Journal, router and some workers as processes.
    func startRoles(
        workers: Int, record: String? = nil, journal: [String] = []
    ) async throws {
        try startJournal(journal)
        try startRouter(record.map { ["--record", $0] } ?? [])
        for number in 0..<workers { try startWorker("worker-\(number + 1)") }
        guard workers > 0 else { return }
        try await untilAnswering(workers: workers)
    }

    /// A router without a journal.
    func startRouter(_ more: [String] = [], environment: [String: String] = [:]) throws {
        try start(
            "router",
            ["router", "--listen", ":\(port)", "--journal", ":\(port + 2)"] + more, environment)
    }

    /// The journal, on the folder that it had before.
    func startJournal(_ more: [String] = []) throws {
        try start(
            "journal",
            ["journal", "--listen", ":\(port + 2)", "--data", "\(folder)/journal"] + more)
    }

    /// One more worker, on an empty folder unless it ran before.
    func startWorker(
        _ name: String, _ more: [String] = [], environment: [String: String] = [:]
    ) throws {
        try start(
            name,
            [
                "worker", "--connect", ":\(port + 1)", "--journal", ":\(port + 2)", "--data",
                "\(folder)/\(name)", "--name", name,
            ] + more, environment)
    }

    private func start(
        _ name: String, _ arguments: [String], _ environment: [String: String] = [:],
        _ wrapper: [String] = []
    ) throws {
        processes[name] = try ServerProcess(
            arguments, environment: environment, wrapper: wrapper)
    }

    func process(_ name: String) throws -> ServerProcess { try #require(processes[name]) }

    /// Waits until the router answers and so many workers are ready.
    func untilAnswering(workers: Int) async throws {
        for _ in 0..<600 {
            if try await readyWorkers() >= workers { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("the servers do not answer within 30 s")
        throw NotAnswering()
    }

    /// Waits until the router answers, with or without workers.
    func untilListening() async throws {
        for _ in 0..<600 {
            if let connection = try? RouterConnection.open(client, name: "probe", keys: keys) {
                connection.close()
                return
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("the router does not answer within 30 s")
        throw NotAnswering()
    }

    /// Waits until the router has noticed that workers are gone.
    func untilWorkers(are count: Int) async throws {
        for _ in 0..<200 {
            if try await readyWorkers() == count { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("the router does not notice within 10 s")
        throw NotAnswering()
    }

    struct NotAnswering: Error {}

    private func readyWorkers() async throws -> Int {
        do {
            let connection = try RouterConnection.open(client, name: "probe", keys: keys)
            defer { connection.close() }
            let reply = try await connection.request(
                .request(ServiceName.status, .object([:]), budgetMilliseconds: 1_000))
            let router = reply.items.first { $0["role"]?.text == "router" }
            let workers = router?["workers"]?.array ?? []
            return workers.count { $0["state"]?.text == "ready" }
        } catch is NoServer {
            return 0
        } catch is RequestFailure {
            return 0
        }
    }

    /// Runs the command against the router.
    func run(_ arguments: String...) throws -> Command.Result {
        try Command.run(arguments + connect)
    }

    private static func freePorts() -> Int {
        for _ in 0..<1_000 {
            let base = Int.random(in: 20_000...31_000)
            if (base...base + 2).allSatisfy(isFree) { return base }
        }
        return 25_000
    }

    private static func isFree(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}

/// Runs `body` with everything served from a folder of its own, and ends the server in order.
func withServedFolder(
    _ more: [String] = [], _ body: (Deployment, String) async throws -> Void
) async throws {
    try await withTemporaryDirectory { folder in
        let deployment = Deployment(folder: folder)
        try await deployment.serve(more)
        try await body(deployment, folder)
        try deployment.process("serve").terminate()
        #expect(try deployment.process("serve").wait() == 0)
    }
}
