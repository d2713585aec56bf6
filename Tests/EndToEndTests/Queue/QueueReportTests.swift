import Foundation
import Journal
import Messages
import Queue
import Service
import TestSupport
import Testing

extension EndToEndTests {
    /// Reports from other systems about publishing and about processes, held against ours.
    @Suite(.serialized, .timeLimit(.minutes(Soak.isOn ? 60 : 5)))
    struct QueueReportTests {
        private func access(_ account: String, id: String, budget: UInt32) -> Message {
            Message.change(
                .calendarAccess, .object(["status": .string("fullAccess")]), source: "test", id: id,
                partitionKey: account, account: account, budgetMilliseconds: budget)
        }

        @Test("Report 7: what is published while no router is there is told or delivered")
        func publishingWithoutARouterIsNeverSilent() async throws {
            try await withTemporaryDirectory { folder in
                let deployment = Deployment(folder: folder)
                let early = try deployment.run("calendar", "access", "ada", "fullAccess")
                #expect(early.status == 3, "\(early)")
                #expect(early.errors.contains("no server"))

                try await deployment.startRoles(workers: 0)
                try await deployment.untilListening()
                let producer = try RouterConnection.open(deployment.client, name: "producer")
                defer { producer.close() }
                try deployment.process("router").killNow()
                // Its time is over before a router is there: it says so.
                let untold = await producer.send(access("ada", id: "one", budget: 400))
                guard case .timedOut = untold else {
                    Issue.record("\(untold)")
                    return
                }
                // It has time until one is there: it is delivered.
                async let told = producer.send(access("ada", id: "two", budget: 20_000))
                try await Task.sleep(for: .milliseconds(300))
                try deployment.startRouter()
                let outcome = await told
                guard case .ack(let position, _) = outcome else {
                    Issue.record("\(outcome)")
                    return
                }
                // Sent again, neither is stored twice.
                let again = try await producer.change(access("ada", id: "two", budget: 5_000))
                #expect(again == position)
                let first = try await producer.change(access("ada", id: "one", budget: 5_000))
                #expect(first != position)
                let repeated = try await producer.change(access("ada", id: "one", budget: 5_000))
                #expect(repeated == first)
            }
        }

        @Test("Report 14: 32 MiB that a command publishes before it ends arrive whole")
        func aLargePublicationArrivesWhole() async throws {
            // Cards of 128 KiB: short, so that the default run takes seconds.
            let count = Soak.isOn ? 256 : 64
            try await withTemporaryDirectory { folder in
                let deployment = Deployment(folder: folder)
                try await deployment.serve()
                #expect(try deployment.run("contacts", "access", "ada", "fullAccess").status == 0)
                let line = String(repeating: "a note of many words, ", count: 5_950)
                let cards = (0..<count).map { number in
                    "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:card-\(number)\r\nFN:Person \(number)\r\n"
                        + "NOTE:\(line)\r\nEND:VCARD\r\n"
                }.joined()
                try Covers.save(Array(cards.utf8), "\(folder)/cards.vcf")
                let pushed = try Command.run(
                    ["contacts", "push", "ada", "friends", "\(folder)/cards.vcf"]
                        + ["--deadline", "30s"] + deployment.connect)
                #expect(pushed.status == 0, "\(pushed)")
                #expect(pushed.output.hasPrefix("stored \(count) contacts"))
                // A worker has what is stored a little later.
                var (found, bytes) = (0, 0)
                for _ in 0..<40 where found < count {
                    let exported = try Command.run(
                        ["account", "export", "ada", "--deadline", "30s"] + deployment.connect)
                    #expect(exported.status == 0, "\(exported.errors)")
                    found = (0..<count).count { exported.output.contains("UID:card-\($0)\\r") }
                    bytes = exported.output.utf8.count
                }
                #expect(found == count)
                #expect(bytes > count * 130_000)

                // With the server gone it does not say that it stored anything.
                try deployment.process("serve").killNow()
                let refused = try Command.run(
                    ["contacts", "push", "ada", "friends", "\(folder)/cards.vcf"]
                        + ["--deadline", "500ms"] + deployment.connect)
                #expect(refused.status != 0)
                #expect(!refused.output.contains("stored"))
            }
        }

        @Test("Report 19: a worker that starts a thousand processes keeps its sockets")
        func processesOfAWorkerHarmNoSocket() async throws {
            let count = Soak.isOn ? 1_000 : 60
            try await withTemporaryDirectory { folder in
                let deployment = Deployment(folder: folder)
                try await deployment.startRoles(workers: 1)
                let worker = try deployment.process("worker-1")
                let connection = try RouterConnection.open(deployment.client, name: "test")
                defer { connection.close() }
                // Read in a process of its own, which has the sockets that there are.
                let picture = try PackageRoot.bytes("Tests/RasterTests/Fixtures/plain.heic")
                func ask() async throws -> Reply {
                    let body = SearchRequest(subject: .picture(ContentHash.of(picture)))
                    return try await connection.request(
                        .request(
                            ServiceName.imageSearch, body.json, attachments: [picture],
                            budgetMilliseconds: 10_000))
                }
                for _ in 0..<5 { #expect(try await ask().isComplete) }
                let files = worker.openFiles
                for number in 0..<count {
                    let reply = try await ask()
                    #expect(reply.isComplete, "request \(number)")
                }
                #expect(worker.isRunning)
                #expect(worker.openFiles <= files + 4)
                let status = try await connection.request(
                    .request(ServiceName.status, .object([:]), budgetMilliseconds: 2_000))
                let router = status.items.first { $0["role"]?.text == "router" }
                #expect(router?["counters"]?["workersLost"]?.integer == 0)
                // What is still running of them ends with the worker.
                worker.terminate()
                #expect(worker.wait() == 0)
            }
        }
    }
}
