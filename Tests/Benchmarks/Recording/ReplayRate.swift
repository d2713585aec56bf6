import Foundation
import Messages

/// A replay as fast as possible beside a closed loop of the same requests.
final class ReplayRate {
    private let folder: String
    private let requests: [Message]
    private var replayed: [Double] = []
    private var asked: [Double] = []
    private static let window = 16

    /// Records the requests once, in a server on a fresh folder.
    init(folder: String, catalog: SearchedCatalog, requests: [Message]) throws {
        self.folder = folder
        self.requests = requests
        try withServer(["--record", "\(folder)/log"]) { client in
            let position = try catalog.fill(through: client)
            var ready = Message.lookup([0], budgetMilliseconds: 30_000)
            ready.fields.leastPosition = position
            ready.header.requestID = client.nextID()
            _ = try client.success(of: ready)
            try ClosedLoop(client: client, window: Self.window).run(requests)
        }
    }

    func run(rounds: Int) throws {
        try withServer([]) { client in
            let loop = ClosedLoop(client: client, window: Self.window)
            // A new router holds requests until workers have had time to greet it.
            usleep(700_000)
            try loop.run(requests)
            for round in 0..<rounds {
                if round.isMultiple(of: 2) { try replay(round) }
                try client.greet()
                let seconds = try Clock.time { try loop.run(requests) }
                asked.append(Double(requests.count) / seconds)
                if !round.isMultiple(of: 2) { try replay(round) }
            }
        }
    }

    /// Replays the log, which must give the same replies again.
    private func replay(_ round: Int) throws {
        let process = try ChildProcess(
            Programs.sightline,
            [
                "replay", "\(folder)/log", "--data", "\(folder)/server", "--json", "--window",
                "\(Self.window)",
            ], name: "replay-\(round)", folder: folder)
        try process.waitForEnd(seconds: 300)
        let lines = process.text.split(separator: "\n")
        guard let start = lines.lastIndex(where: { $0.hasPrefix("{") }) else {
            throw BenchError(.answer, "no summary: \(process.text.suffix(600))")
        }
        let text = lines[start...].joined(separator: "\n")
        let document = try JSONValue(parsing: Array(text.utf8))
        let summary = document["summary"] ?? document
        guard let same = summary["same"]?.integer, same >= requests.count,
            summary["different"]?.integer == 0, summary["failed"]?.integer == 0,
            let milliseconds = summary["milliseconds"]?.double, milliseconds > 0
        else { throw BenchError(.answer, "not the same replies: \(text.suffix(600))") }
        replayed.append(Double(same) / milliseconds * 1_000)
    }

    private func withServer(_ more: [String], _ body: (WireClient) throws -> Void) throws {
        let port = try LoopbackAddress.freePorts(3)
        let process = try ChildProcess(
            Programs.sightline,
            ["serve", "--listen", "127.0.0.1:\(port)", "--data", "\(folder)/server"] + more,
            name: "server", folder: folder)
        defer { process.end() }
        try process.waitForPort(port)
        try body(try WireClient(port: port))
    }

    var table: MarkdownTable {
        var table = MarkdownTable("same requests", "requests/s", "ratio (quartiles)", "bar")
        table.add(
            "replay as fast as possible", Figure.of(Measures.median(replayed)),
            Figure.ofRatios(Measures.ratios(replayed, asked)), "≥ 0.8")
        table.add("closed loop, 16 in flight", Figure.of(Measures.median(asked)), "", "")
        return table
    }
}
