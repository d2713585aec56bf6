import Messages
import Service

/// Server processes of the command on ports of their own.
final class Deployment {
    let folder: String
    /// Where clients connect; workers connect to the next one.
    let port: Int
    let journalPort: Int
    private var processes: [String: ChildProcess] = [:]

    init(folder: String, port: Int, journalPort: Int) {
        self.folder = folder
        self.port = port
        self.journalPort = journalPort
    }

    func process(_ name: String) throws(BenchError) -> ChildProcess {
        guard let process = processes[name] else { throw BenchError(.program, "no '\(name)'") }
        return process
    }

    @discardableResult
    func start(_ name: String, _ arguments: [String]) throws -> ChildProcess {
        let process = try ChildProcess(
            Programs.sightline, arguments, name: name, folder: folder)
        processes[name] = process
        return process
    }

    func startJournal() throws {
        let journal = try start(
            "journal",
            ["journal", "--listen", "127.0.0.1:\(journalPort)", "--data", "\(folder)/journal"])
        try journal.waitForPort(journalPort)
    }

    /// A router; further ones have names and ports of their own.
    func startRouter(_ name: String = "router", port other: Int? = nil) throws {
        let port = other ?? port
        let router = try start(
            name,
            [
                "router", "--listen", "127.0.0.1:\(port)", "--journal",
                "127.0.0.1:\(journalPort)",
            ])
        try router.waitForPort(port)
    }

    /// A worker for the router and for others by their client ports.
    @discardableResult
    func startWorker(_ name: String, others: [Int] = []) throws -> ChildProcess {
        try start(
            name,
            ["worker", "--journal", "127.0.0.1:\(journalPort)", "--name", name]
                + ["--data", "\(folder)/\(name)"]
                + ([port] + others).flatMap { ["--connect", "127.0.0.1:\($0 + 1)"] })
    }

    func end(_ name: String) {
        processes.removeValue(forKey: name)?.end()
    }

    /// Ends all, in the reverse order of the roles' dependence.
    func endAll() {
        for name in processes.keys.sorted().reversed() { end(name) }
    }

    /// The names of workers that take requests, as a router says.
    func readyWorkers(_ client: WireClient) throws -> Set<String> {
        let items = try status(client)
        let router = items.first { $0["role"]?.text == "router" }
        let ready = router?["workers"]?.array?.filter { $0["state"]?.text == "ready" } ?? []
        return Set(ready.compactMap { $0["name"]?.text })
    }

    func status(_ client: WireClient) throws -> [JSONValue] {
        var request = Message.request(
            ServiceName.status, .object([:]), budgetMilliseconds: 2_000)
        request.header.requestID = client.nextID()
        let reply = try client.success(of: request)
        return try JSONValue(parsing: reply.body).array ?? []
    }
}
