import Messages

/// The journal role as a process, spoken to over ZeroMQ.
final class JournalContender: AppendContender {
    let name = "Sightline"
    private let process: ChildProcess
    private let client: WireClient

    init(folder: String) throws {
        let port = try LoopbackAddress.freePorts()
        process = try ChildProcess(
            Programs.sightline,
            [
                "journal", "--listen", "127.0.0.1:\(port)", "--data", "\(folder)/journal",
                // No snapshot begins while the others are measured.
                "--snapshot-every", "1000000000",
            ],
            name: "journal", folder: folder)
        try process.waitForPort(port)
        client = try WireClient(port: port)
        try client.greet()
        try send([Samples.calendarAccess()])
    }

    var processorSeconds: Double { process.processorSeconds }

    func prepare() throws { try client.greet() }

    func append(_ group: [AppendSample]) throws { try send(group.map(\.message)) }

    private func send(_ group: [Message]) throws {
        for change in group {
            var message = change
            message.header.requestID = client.nextID()
            try client.send(message)
        }
        var missing = group.count
        while missing > 0 {
            guard let answer = try client.receive(milliseconds: 30_000) else {
                throw BenchError(.answer, "\(missing) changes are not acknowledged")
            }
            guard answer.command == .ack else { throw BenchError(.answer, answer.errorLine) }
            missing -= 1
        }
    }
}
