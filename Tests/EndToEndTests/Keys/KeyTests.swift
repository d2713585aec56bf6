import Foundation
import Messages
import Queue
import Service
import TestSupport
import Testing

extension EndToEndTests {
    /// CURVE and the list of allowed keys, by processes.
    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct KeyTests {
        /// A server in one process that lets in `ada`, with the pairs of further names.
        private func withServer(
            _ others: [String] = [], _ body: (Deployment, KeyRing) async throws -> Void
        ) async throws {
            try await withTemporaryDirectory { folder in
                let ring = try KeyRing(folder: folder, allowing: ["ada"])
                for name in others { try ring.make(name) }
                let deployment = Deployment(folder: folder)
                deployment.keys = try ring.connection("ada")
                try await deployment.serve(ring.server())
                try await body(deployment, ring)
            }
        }

        private func status(
            _ deployment: Deployment, _ keys: [String]
        ) throws -> (result: Command.Result, seconds: Double) {
            let start = Date()
            let result = try Command.run(
                ["status", "--deadline", "30s"] + deployment.connect + keys)
            return (result, Date().timeIntervalSince(start))
        }

        @Test("Report 16: an unknown key, a wrong server key and no key end with a message")
        func whoeverIsNotAllowedIsToldSo() async throws {
            try await withServer(["eve"]) { deployment, ring in
                let server = try deployment.process("serve")
                let right = try status(deployment, ring.client("ada"))
                #expect(right.result.status == 0, "\(right.result)")

                let cases = [
                    (ring.client("eve"), "does not allow the key \(try ring.prefix("eve"))"),
                    (ring.client("ada", server: "eve"), "its key is not \(try ring.prefix("eve"))"),
                    ([], "lets in only those with an allowed key"),
                ]
                for (keys, words) in cases {
                    for _ in 0..<2 {
                        let (result, seconds) = try status(deployment, keys)
                        #expect(result.status == 4, "\(result)")
                        #expect(result.errors.contains(words), "\(result.errors)")
                        #expect(result.errors.split(separator: "\n").count == 1)
                        #expect(seconds < 25, "it waited for its deadline")
                    }
                }
                // Each is told once, though it came twice.
                let eve = try ring.prefix("eve")
                // A client that has read the server's greeting in one piece may have gone before it
                // said that it has no keys: then there is nothing that a server could tell.
                for _ in 0..<10 where try server.refusals("has no keys").isEmpty {
                    try await Task.sleep(for: .milliseconds(200))
                    _ = try status(deployment, [])
                }
                try await server.untilLogged("has no keys")
                let local = "address=127.0.0.1"
                #expect(try server.refusals("key is not allowed", "key=\(eve)", local).count == 1)
                #expect(try server.refusals("another server key", "key=none", local).count == 1)
                #expect(try server.refusals("has no keys", "key=none", local).count == 1)
                let all = try server.refusals()
                #expect(all.count == 3, "\(all)")
                #expect(try status(deployment, ring.client("ada")).result.status == 0)
            }
        }

        @Test func aClientWithKeysLeavesAServerWithout() async throws {
            try await withTemporaryDirectory { folder in
                let ring = try KeyRing(folder: folder, allowing: ["ada"])
                let deployment = Deployment(folder: folder)
                try await deployment.serve()
                let (result, _) = try status(deployment, ring.client("ada"))
                #expect(result.status == 4, "\(result)")
                #expect(result.errors.contains("has no keys"), "\(result.errors)")
            }
        }

        @Test func everyEndpointTakesKeysOnly() async throws {
            try await withServer(["eve"]) { deployment, ring in
                let server = try deployment.process("serve")
                let eve = try ring.prefix("eve")
                // A worker shows its key to the router's back and to the journal.
                try deployment.startWorker("stranger", ring.client("eve"))
                let stranger = try deployment.process("stranger")
                try await stranger.untilLogged("worker is not let in", times: 2)
                #expect(try stranger.log().contains("tcp://127.0.0.1:\(deployment.port + 1)"))
                #expect(try stranger.log().contains("tcp://127.0.0.1:\(deployment.port + 2)"))
                try await server.untilLogged(eve)
                #expect(try server.refusals(eve).count == 1)
                // One without keys is not let in either.
                try deployment.startWorker("naked")
                let naked = try deployment.process("naked")
                try await naked.untilLogged("lets in only those with an allowed key", times: 2)
                try await deployment.untilWorkers(are: 1)
            }
        }

        @Test func rolesFindEachOtherWithKeysOfTheirOwn() async throws {
            try await withTemporaryDirectory { folder in
                let ring = try KeyRing(folder: folder, allowing: ["router", "worker", "ada"])
                let deployment = Deployment(folder: folder)
                deployment.keys = try ring.connection("ada")
                try ring.make("journal")
                // The router of the pair that clients know as the server's.
                try ring.allow("server")
                try deployment.startJournal(ring.server("journal"))
                try deployment.startRouter(
                    ring.server() + ["--journal-key", ring.file("journal")])
                try deployment.startWorker(
                    "one", ring.client("worker") + ["--journal-key", ring.file("journal")])
                try await deployment.untilAnswering(workers: 1)
                try Covers.write(2, to: folder, concertDate: "2027-12-20T19:00:00Z")
                let imported = try Command.run(
                    ["import", "album", "\(folder)/albums.jsonl"] + deployment.connect
                        + ring.client("ada"))
                #expect(imported.status == 0, "\(imported)")
                let found = try Command.run(
                    ["search", "\(folder)/photo-1.jpg"] + deployment.connect + ring.client("ada"))
                #expect(found.output.contains("sightline://album/album-1"), "\(found)")
            }
        }

        @Test func oneRevokedKeyEndsItsConnectionsAtTheHangup() async throws {
            try await withServer(["bob"]) { deployment, ring in
                let server = try deployment.process("serve")
                try ring.allow("bob")
                try await server.reloadKeys()
                let bob = try RouterConnection.open(
                    deployment.client, name: "bob", keys: try ring.connection("bob"))
                defer { bob.close() }
                let ada = try RouterConnection.open(
                    deployment.client, name: "ada", keys: try ring.connection("ada"))
                defer { ada.close() }
                let ask = Message.request(
                    ServiceName.entityList, .object([:]), budgetMilliseconds: 5_000)
                #expect(try await bob.request(ask).isComplete)

                try ring.revoke("bob")
                let early = try await bob.request(ask)
                #expect(early.isComplete, "the server was not told yet")
                try await server.reloadKeys()
                _ = await bob.send(ask)
                let again = await bob.send(ask)
                guard case .error(.keyRefused, let text, _, _) = again else {
                    Issue.record("\(again)")
                    return
                }
                #expect(text == "the key of this connection was revoked")
                #expect(try await ada.request(ask).isComplete)
                #expect(try status(deployment, ring.client("bob")).result.status == 4)

                try ring.allow("bob")
                try await server.reloadKeys()
                #expect(try status(deployment, ring.client("bob")).result.status == 0)
            }
        }

        @Test func oneRevokedWorkerIsGoneAndComesBackOnceAllowed() async throws {
            try await withServer(["worker"]) { deployment, ring in
                let server = try deployment.process("serve")
                try ring.allow("worker")
                try await server.reloadKeys()
                try deployment.startWorker("two", ring.client("worker"))
                try await deployment.untilAnswering(workers: 2)
                try ring.revoke("worker")
                try await server.reloadKeys()
                try await deployment.untilWorkers(are: 1)
                let worker = try deployment.process("two")
                try await worker.untilLogged("worker is not let in")
                #expect(worker.isRunning)
                try ring.allow("worker")
                try await server.reloadKeys()
                try await deployment.untilWorkers(are: 2)
            }
        }

        @Test func oneListThatCannotBeReadChangesNothing() async throws {
            try await withServer { deployment, ring in
                let server = try deployment.process("serve")
                try Data("no key\n".utf8).write(to: URL(fileURLWithPath: ring.allowed))
                kill(server.identifier, SIGHUP)
                try await server.untilLogged("keys stay as they were")
                #expect(try server.log().contains("line 1"))
                #expect(try status(deployment, ring.client("ada")).result.status == 0)
            }
        }

        @Test("T10: idle and babbling connections hold nobody up, with keys")
        func rawConnectionsHoldNobodyUp() async throws {
            try await withServer { deployment, ring in
                let count = Soak.isOn ? 1_000 : 300
                let raw = (0..<count).compactMap { number in
                    RawConnection(port: deployment.port, babbles: number % 2 == 0)
                }
                defer { for one in raw { one.close() } }
                #expect(raw.count > count / 2)
                for _ in 0..<3 {
                    #expect(try status(deployment, ring.client("ada")).result.status == 0)
                }
                let server = try deployment.process("serve")
                #expect(try server.refusals("does not speak").count <= 1)
            }
        }
    }
}
