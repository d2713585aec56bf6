import Foundation
import Journal
import Messages
import Service
import TestSupport
import Testing

extension EndToEndTests {
    /// Workers that share nothing with the journal's machine become and stay current.
    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct ReplicaTests {
        /// A journal that makes a snapshot every 5 records, a router, a worker and six albums.
        private func withCatalog(
            _ body: (Deployment, String) async throws -> Void
        ) async throws {
            try await withTemporaryDirectory { folder in
                try Covers.write(6, to: folder, concertDate: "2026-12-20T19:00:00Z")
                let deployment = Deployment(folder: folder)
                try await deployment.startRoles(workers: 1, journal: ["--snapshot-every", "5"])
                #expect(try deployment.run("import", "album", "\(folder)/albums.jsonl").status == 0)
                #expect(
                    try deployment.run("import", "concert", "\(folder)/concerts.jsonl").status == 0)
                try await untilSnapshot(of: deployment)
                try await body(deployment, folder)
            }
        }

        private func untilSnapshot(of deployment: Deployment) async throws {
            for _ in 0..<200 {
                let journal = try SegmentJournal(
                    folder: "\(deployment.folder)/journal/journal", mode: .readOnly, newEpoch: 0)
                if !journal.snapshots.isEmpty { return }
                try await Task.sleep(for: .milliseconds(50))
            }
            Issue.record("no snapshot within 10 s")
        }

        /// What the deployment's first photo finds.
        private func found(_ deployment: Deployment, _ folder: String) throws -> String {
            let result = try deployment.run(
                "search", "\(folder)/photo-1.jpg", "--json", "--deadline", "5s", "--as-of",
                "2026-12-01T12:00:00Z")
            let reply = try JSONValue(parsing: Array(result.output.utf8))
            #expect(reply["complete"]?.bool == true)
            return String(decoding: reply["results"]?.canonical() ?? [], as: UTF8.self)
        }

        private func replica(_ deployment: Deployment, _ worker: String) -> String {
            "\(deployment.folder)/\(worker)/replicas/\(worker)/replica.sqlite"
        }

        @Test func aNewWorkerTakesASnapshotAndAnswersLikeTheOthers() async throws {
            try await withCatalog { deployment, folder in
                let before = try found(deployment, folder)
                #expect(before.contains("album-1"))
                try deployment.startWorker("worker-2")
                try await deployment.untilAnswering(workers: 2)
                try deployment.process("worker-1").killNow()
                try await deployment.untilWorkers(are: 1)
                #expect(try found(deployment, folder) == before)
                let log = try deployment.process("worker-2").log()
                #expect(log.contains("loading("), "no snapshot was taken")
                // What comes behind the snapshot reaches it, too.
                #expect(try deployment.run("entity", "remove", "album", "album-1").status == 0)
                #expect(try !found(deployment, folder).contains("album-1"))
            }
        }

        @Test(arguments: ["truncated", "overwritten", "of another version"])
        func aDamagedFileIsMadeAnew(how: String) async throws {
            try await withCatalog { deployment, folder in
                let before = try found(deployment, folder)
                let worker = try deployment.process("worker-1")
                worker.terminate()
                #expect(worker.wait() == 0)
                let path = replica(deployment, "worker-1")
                var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
                switch how {
                case "truncated": bytes = bytes.prefix(bytes.count / 2)
                case "overwritten":
                    for index in 4_096..<min(bytes.count, 40_960) { bytes[index] = 0xA5 }
                default:
                    let known = Data("until an index file".utf8)
                    while let place = bytes.range(of: known) {
                        bytes.replaceSubrange(place, with: Data("UNTIL an index file".utf8))
                    }
                }
                try bytes.write(to: URL(fileURLWithPath: path))
                try deployment.startWorker("worker-1")
                try await deployment.untilAnswering(workers: 1)
                #expect(try found(deployment, folder) == before)
                let log = try deployment.process("worker-1").log()
                #expect(log.contains("replica file is made anew"))
            }
        }

        @Test func aLostJournalIsFoundAgainAndARestoredOneIsNoticed() async throws {
            try await withCatalog { deployment, folder in
                let before = try found(deployment, folder)
                let data = "\(folder)/journal"
                let backup = try Command.run(
                    ["journal", "backup", "\(folder)/backup", "--data", data])
                #expect(backup.status == 0, "\(backup)")
                // Lost and found: searches go on meanwhile, and changes do afterwards.
                try deployment.process("journal").killNow()
                #expect(try found(deployment, folder) == before)
                try deployment.startJournal()
                let removal = try deployment.run("entity", "remove", "album", "album-1")
                #expect(removal.status == 0, "\(removal)")
                // The worker follows when the journal has said that it is done.
                var without = before
                for _ in 0..<100 where without.contains("album-1") {
                    try await Task.sleep(for: .milliseconds(50))
                    without = try found(deployment, folder)
                }
                #expect(!without.contains("album-1"))
                // Restored: what was removed behind the backup is there again, in a new epoch.
                try deployment.process("journal").killNow()
                try FileManager.default.moveItem(atPath: data, toPath: "\(folder)/lost")
                let restored = try Command.run(
                    ["journal", "restore", "\(folder)/backup", "--data", data])
                #expect(restored.status == 0, "\(restored)")
                try deployment.startJournal()
                var after = ""
                for _ in 0..<100 where after != before {
                    try await Task.sleep(for: .milliseconds(100))
                    try await deployment.untilAnswering(workers: 1)
                    after = try found(deployment, folder)
                }
                #expect(after == before)
            }
        }

        @Test func aWorkerOfOneServiceFollowsOnlyWhatItNeeds() async throws {
            try await withCatalog { deployment, folder in
                #expect(try deployment.run("calendar", "access", "ada", "fullAccess").status == 0)
                try deployment.startWorker("prints", ["--service", "entity.list"])
                try await deployment.untilAnswering(workers: 2)
                let status = try deployment.run("status", "--json")
                let rows = try JSONValue(parsing: Array(status.output.utf8)).array ?? []
                let workers = rows.filter { $0["role"]?.text == "worker" }
                let accounts = Dictionary(
                    uniqueKeysWithValues: workers.map {
                        ($0["name"]?.text ?? "", $0["accounts"]?.integer ?? -1)
                    })
                #expect(accounts == ["worker-1": 1, "prints": 0])
            }
        }
    }
}
