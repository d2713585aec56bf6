import Foundation
import Journal
import Messages
import Service
import TestSupport
import Testing

extension EndToEndTests {
    /// `sightline journal` and its verbs, on the data of real processes.
    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct JournalCommandTests {
        /// Serves, takes some changes, and runs a body while it still serves.
        private func withServer(
            _ path: String, changes: AcknowledgedChanges, count: Int = 36,
            _ body: (_ data: [String]) async throws -> Void
        ) async throws {
            let deployment = Deployment(folder: path)
            try await deployment.serve()
            let connection = try RouterConnection.open(deployment.client, name: "producer")
            defer { connection.close() }
            await changes.send(count, over: connection)
            try await body(["--data", "\(path)/data"])
            try deployment.process("serve").killNow()
        }

        private func document(_ arguments: [String]) throws -> (JSONValue, Int32) {
            let result = try Command.run(arguments)
            return (try JSONValue(parsing: Array(result.output.utf8)), result.status)
        }

        @Test func readingBesideARunningJournalWorksAndWritingIsRefused() async throws {
            try await withTemporaryDirectory { path in
                let changes = AcknowledgedChanges(seed: 3)
                try await withServer(path, changes: changes) { data in
                    let (info, status) = try document(["journal", "info", "--json"] + data)
                    #expect(status == 0)
                    // With the journal's own declaration of its time zone data.
                    #expect(info["records"]?.integer == 37)
                    #expect(info["last"]?.integer == 37)
                    #expect((1...4).contains(info["accounts"]?.integer ?? 0))
                    #expect(info["damage"]?.array?.isEmpty == true)
                    let (report, verified) = try document(["journal", "verify", "--json"] + data)
                    #expect(verified == 0)
                    #expect(report["records"]?.integer == 37)
                    #expect(report["damage"]?.array?.isEmpty == true)
                    let port = Deployment(folder: path).port
                    let second = try Command.run(["journal", "--listen", ":\(port)"] + data)
                    #expect(second.status == 5)
                    #expect(second.errors.contains("another process writes to \(path)"))
                    let compaction = try Command.run(["journal", "compact"] + data)
                    #expect(compaction.status == 5)
                    #expect(compaction.errors.contains("another process writes to \(path)"))
                }
                let compaction = try Command.run(
                    ["journal", "compact", "--data", "\(path)/data"])
                #expect(compaction.status == 0, "\(compaction)")
            }
        }

        @Test func damageIsShownWithFileAndOffset() async throws {
            try await withTemporaryDirectory { path in
                try await withServer(path, changes: AcknowledgedChanges(seed: 4)) { _ in }
                let file = "\(path)/data/journal/records-00000000000000000001.segment"
                var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
                // In the middle of the records, not of the room behind them.
                let offset = (bytes.lastIndex { $0 != 0 } ?? 0) / 2
                bytes[offset] ^= 8
                try bytes.write(to: URL(fileURLWithPath: file))
                for verb in ["info", "verify"] {
                    let (report, status) = try document(
                        ["journal", verb, "--json", "--data", "\(path)/data"])
                    #expect(status == 1)
                    let place = try #require(report["damage"]?.array?.first)
                    #expect(place["file"]?.text == file)
                    #expect((place["offset"]?.integer ?? .max) <= offset)
                    let text = try Command.run(["journal", verb, "--data", "\(path)/data"])
                    #expect(text.status == 1)
                    #expect(text.output.contains("\(file) at byte "))
                }
            }
        }

        @Test func backupIsRestoredUnderANewEpochAndServed() async throws {
            try await withTemporaryDirectory { path in
                let changes = AcknowledgedChanges(seed: 5)
                try await withServer(path, changes: changes) { data in
                    for _ in 0..<2 {
                        let result = try Command.run(
                            ["journal", "backup", "\(path)/backup", "--keys", "\(path)/keys"]
                                + data)
                        #expect(result.status == 0, "\(result)")
                        #expect(result.output.contains("backed up to record 37"))
                    }
                    let refused = try Command.run(
                        ["journal", "restore", "\(path)/backup"] + data)
                    #expect(refused.status == 2)
                    #expect(refused.errors.contains("is not empty"))
                }
                let verified = try Command.run(["journal", "verify", "\(path)/backup"])
                #expect(verified.status == 0, "\(verified)")
                let restored = try Command.run([
                    "journal", "restore", "\(path)/backup/", "--keys", "\(path)/keys", "--data",
                    "\(path)/again/data",
                ])
                #expect(restored.status == 0, "\(restored)")
                #expect(restored.output.contains("restored 37 records"))
                let journal = try SegmentJournal(
                    folder: "\(path)/again/data/journal", mode: .readOnly, newEpoch: 0)
                let epoch = journal.epoch
                let positions = await changes.positions.mapValues {
                    Position(epoch: epoch, sequence: $0.sequence)
                }
                #expect(positions.values.allSatisfy { $0.epoch == epoch })
                let check = SurvivalCheck(sent: await changes.sent, required: positions)
                #expect(check.faults(in: "\(path)/again/data/journal") == [])
                try await withServer("\(path)/again", changes: changes) { data in
                    let (info, _) = try document(["journal", "info", "--json"] + data)
                    #expect(info["records"]?.integer == 73)
                }
            }
        }

        @Test func nothingPersonalIsPrinted() async throws {
            try await withTemporaryDirectory { path in
                let changes = AcknowledgedChanges(seed: 6)
                try await withServer(path, changes: changes) { data in
                    let outputs = try [
                        ["info"], ["info", "--json"], ["verify"], ["verify", "--json"],
                        ["backup", "\(path)/backup", "--keys", "\(path)/keys"],
                    ].map { verb -> String in
                        let result = try Command.run(["journal"] + verb + data)
                        return result.output + result.errors
                    }
                    for output in outputs {
                        #expect(!output.isEmpty)
                        for word in ["account 0", "account 1", "power-1", "thing"] {
                            #expect(!output.contains(word), "\(output)")
                        }
                    }
                }
            }
        }

        @Test func callsThatMakeNoSenseAreRefused() throws {
            for verb in [["backup"], ["restore"], ["info", "more"], ["repair"]] {
                #expect(try Command.run(["journal"] + verb).status == 2)
            }
            let missing = try Command.run(["journal", "verify", "--data", "/nonexistent/data"])
            #expect(missing.status == 5)
            #expect(missing.errors.contains("no folder /nonexistent/data/journal"))
            let compaction = try Command.run(["journal", "compact", "--data", "/nonexistent/data"])
            #expect(compaction.status == 5)
        }
    }
}
