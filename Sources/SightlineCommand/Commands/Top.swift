import Foundation
import Messages
import Service

/// `sightline top`.
enum Top: Subcommand {
    static let name = "top"
    static let summary = "watch the router: services, workers, queues, and whether more are wanted"
    static let usage = ["[--connect ADDRESS] [--every DURATION] [--once]"]
    static let options: [CommandOption] = [
        .connect, .key, .serverKey, .deadline,
        .value("every", "DURATION", "time between two looks, from 100ms to 60s (default 1s)"),
        .flag("once", "print two looks' difference once, and end"),
    ]

    static func run(
        _ arguments: Arguments, environment: [String: String]
    ) async throws -> ExitStatus {
        try arguments.requirePositionals(0...0, "no argument")
        let every = try arguments.every()
        return try await arguments.withConnection { connection in
            var last = try await look(connection, arguments)
            while true {
                try await Task.sleep(for: .milliseconds(Int(every)))
                let now = try await look(connection, arguments)
                let text = TopScreen(before: last, now: now).text
                if arguments.isSet("once") {
                    print(text)
                    return .success
                }
                // Clears the screen and begins at its top.
                FileHandle.standardOutput.write(Data("\u{1B}[H\u{1B}[2J\(text)\n".utf8))
                last = now
            }
        }
    }

    private static func look(
        _ connection: RouterConnection, _ arguments: Arguments
    ) async throws -> JSONValue {
        let reply = try await connection.request(
            .request(
                ServiceName.status, .object([:]), budgetMilliseconds: try arguments.deadline()))
        return reply.items.first { $0["role"]?.text == "router" } ?? .null
    }
}

extension Arguments {
    /// Milliseconds between two looks.
    fileprivate func every() throws -> UInt32 {
        guard let text = self["every"] else { return 1_000 }
        let milliseconds: UInt32?
        if text.hasSuffix("ms") {
            milliseconds = UInt32(text.dropLast(2))
        } else {
            milliseconds = text.hasSuffix("s") ? UInt32(text.dropLast()).map { $0 * 1_000 } : nil
        }
        guard let milliseconds, (100...60_000).contains(milliseconds) else {
            throw UsageError("--every takes 100ms to 60s, not '\(text)'")
        }
        return milliseconds
    }
}

/// What a router did between two looks at it.
struct TopScreen {
    let before: JSONValue
    let now: JSONValue

    var text: String {
        [summary, services.text, workers.text].joined(separator: "\n\n")
    }

    private var seconds: Double {
        let passed = number(now, "uptimeMilliseconds") - number(before, "uptimeMilliseconds")
        return max(Double(passed) / 1_000, 0.001)
    }
    private func number(_ value: JSONValue?, _ name: String) -> Int {
        value?[name]?.integer ?? 0
    }
    private func rate(_ name: String) -> String {
        let difference = number(now["counters"], name) - number(before["counters"], name)
        return "\(Int((Double(difference) / seconds).rounded()))"
    }

    private var summary: String {
        let scaling = now["scaling"]
        let load = scaling?["backlogPerHundredCredits"]?.integer.map { "\($0) %" } ?? "no credit"
        return """
            router \(TerminalText.escaped(now["name"]?.text ?? ""))  up \(number(now, "uptimeMilliseconds") / 1_000) s  \
            clients \(number(now, "clients"))  in flight \(number(now, "inFlight"))  \
            journal \(now["journal"]?.text ?? "?")  put aside \(number(now, "dead"))
            scaling: oldest waits \(number(scaling, "oldestWaitingMilliseconds")) ms  \
            backlog \(number(scaling, "backlog")) for credit \(number(scaling, "credit")) (\(load))
            a second: requests \(rate("requests"))  shed \(rate("shed"))  too late \(rate("tooLate"))  \
            hedged \(rate("hedged"))  retried \(rate("retried"))  late \(rate("late"))  \
            unroutable \(rate("unroutable"))
            """
    }

    private var services: Table {
        let old = Dictionary(
            (before["services"]?.array ?? []).map { ($0["service"]?.text ?? "", $0) },
            uniquingKeysWith: { first, _ in first })
        let rows = (now["services"]?.array ?? []).map { service -> [String] in
            let name = service["service"]?.text ?? ""
            let requests = number(service, "requests") - number(old[name], "requests")
            let outcomes = service["outcomes"]
            func milliseconds(_ kind: String, _ quantile: String) -> String {
                guard let microseconds = service[kind]?[quantile]?.integer else { return "-" }
                return "\(microseconds / 1_000).\(microseconds % 1_000 / 100)"
            }
            return [
                name.isEmpty ? "(others)" : name,
                "\(Int((Double(requests) / seconds).rounded()))",
                milliseconds("microseconds", "p50"), milliseconds("microseconds", "p99"),
                milliseconds("queueMicroseconds", "p99"), "\(number(outcomes, "complete"))",
                "\(number(outcomes, "incomplete"))", "\(number(outcomes, "overloaded"))",
                "\(number(outcomes, "failed"))",
            ]
        }
        return Table(
            header: [
                "service", "a second", "p50 ms", "p99 ms", "queue p99 ms", "complete",
                "incomplete", "overloaded", "failed",
            ], rows: rows)
    }

    private var workers: Table {
        let rows = (now["workers"]?.array ?? []).map { worker in
            [
                worker["name"]?.text ?? "", worker["state"]?.text ?? "",
                "\(number(worker, "inFlight"))", "\(number(worker, "credit"))",
                worker["position"]?.text ?? "",
            ]
        }
        return Table(
            header: ["worker", "state", "in flight", "credit", "position"], rows: rows)
    }
}
