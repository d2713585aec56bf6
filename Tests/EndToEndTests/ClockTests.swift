import Foundation
import Messages
import Service
import TestSupport
import Testing

extension EndToEndTests {
    /// Wall clocks that are wrong or jump, in real processes.
    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct ClockTests {
        private func list(_ connection: RouterConnection, asOf: Timestamp? = nil) async -> Message?
        {
            var request = Message.request(
                ServiceName.entityList, .object([:]), budgetMilliseconds: 1_000)
            request.fields.asOf = asOf
            // Any refusal is one answer less.
            guard let reply = try? await connection.request(request), reply.isComplete else {
                return nil
            }
            return reply.message
        }

        @Test("T13: a jump of the wall clock by an hour touches neither deadlines nor a replay")
        func wallClockJumps() async throws {
            try await withTemporaryDirectory { folder in
                let clock = try ShiftedClock(folder: folder)
                try Covers.write(1, to: folder, concertDate: Traffic.concertDate)
                let server = Deployment(folder: folder)
                try await server.serve(
                    ["--record", "\(folder)/log"], environment: clock.environment)
                _ = try server.run("import", "album", "\(folder)/albums.jsonl")
                let connection = try RouterConnection.open(server.client, name: "test")
                var instants: Set<Int64> = []
                for number in 0..<40 {
                    if number == 10 { try clock.set(3_600) }
                    if number == 20 { try clock.set(-3_600) }
                    if number == 30 { try clock.set(0) }
                    let reply = try #require(await list(connection), "request \(number)")
                    instants.insert((reply.fields.asOf?.milliseconds ?? 0) / 1_800_000)
                    try await Task.sleep(for: .milliseconds(40))
                }
                connection.close()
                // The server did see the jumps: as-of is its wall clock.
                #expect(instants.count >= 3)
                try server.process("serve").terminate()
                #expect(try server.process("serve").wait() == 0)
                let span = Double(try Recording.span("\(folder)/log")) / 1e9
                #expect(span < 30)
                let result = try Command.run([
                    "replay", "\(folder)/log", "--data", "\(folder)/data", "--speed", "1x",
                    "--json",
                ])
                #expect(result.status == 0, "\(result)")
                let line = try #require(result.output.split(separator: "\n").last)
                let summary = try JSONValue(parsing: Array(line.utf8))
                #expect((summary["same"]?.integer ?? 0) >= 40)
                let took = Double(summary["milliseconds"]?.integer ?? 0) / 1_000
                #expect(took >= span * 0.95 && took <= span * 1.05 + 1, "\(took) of \(span) s")
            }
        }

        @Test(
            "report 25: workers whose wall clocks are minutes apart give the same answers in time")
        func wallClocksApart() async throws {
            try await withTemporaryDirectory { folder in
                try Covers.write(2, to: folder, concertDate: Traffic.concertDate)
                let server = Deployment(folder: folder)
                try await server.startRoles(workers: 0)
                for (name, seconds) in [("early", Int64(-120)), ("late", 120)] {
                    let clock = try ShiftedClock(folder: folder)
                    try clock.set(seconds)
                    try server.startWorker(name, environment: clock.environment)
                }
                try await server.untilAnswering(workers: 2)
                for type in ["album", "concert"] {
                    _ = try server.run("import", type, "\(folder)/\(type)s.jsonl")
                }
                let connection = try RouterConnection.open(server.client, name: "test")
                defer { connection.close() }
                let instant = InstantText.parse(Traffic.asOf)
                var bodies: [String: Set<[UInt8]>] = [:]
                await withTaskGroup(of: (String, [UInt8])?.self) { group in
                    for _ in 0..<100 {
                        group.addTask {
                            guard let reply = await list(connection, asOf: instant) else {
                                return nil
                            }
                            return (Self.worker(reply), reply.body)
                        }
                    }
                    for await answer in group {
                        guard let (worker, body) = answer else {
                            Issue.record("no complete answer within a second")
                            continue
                        }
                        bodies[worker, default: []].insert(body)
                    }
                }
                #expect(Set(bodies.keys) == ["early", "late"])
                #expect(bodies["early"] == bodies["late"])
                #expect(bodies["early"]?.count == 1)
            }
        }

        private static func worker(_ reply: Message) -> String {
            let diagnostics = reply.diagnostics.flatMap { try? JSONValue(parsing: $0) }
            return diagnostics?["parts"]?.array?.first?["worker"]?.text ?? "unknown"
        }
    }
}
