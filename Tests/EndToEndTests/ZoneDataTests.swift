import Foundation
import Journal
import Messages
import Service
import TestSupport
import Testing

extension EndToEndTests {
    /// The version of the time zone data is a record, and a change of it is one more.
    @Suite(.serialized, .timeLimit(.minutes(2)))
    struct ZoneDataTests {
        private func versions(_ deployment: Deployment) throws -> (own: String, declared: String) {
            let status = try deployment.run("status").output
            func value(_ name: String) -> String {
                let line = status.split(separator: "\n").first { $0.hasPrefix("  \(name): ") }
                return String(line?.dropFirst(name.count + 4) ?? "")
            }
            return (value("zoneData"), value("zoneDataDeclared"))
        }

        private func records(_ folder: String) throws -> Int? {
            let info = try Command.run(["journal", "info", "--json", "--data", "\(folder)/data"])
            return try JSONValue(parsing: Array(info.output.utf8))["records"]?.integer
        }

        @Test func aJournalThatIsStartedWithOtherDataSaysSo() async throws {
            try await withTemporaryDirectory { folder in
                let deployment = Deployment(folder: folder)
                try await deployment.serve()
                #expect(try versions(deployment).declared == "none")
                #expect(try deployment.run("calendar", "access", "ada", "fullAccess").status == 0)
                #expect(try records(folder) == 2)
                #expect(try deployment.run("calendar", "access", "bob", "fullAccess").status == 0)
                #expect(try records(folder) == 3)
                try deployment.process("serve").killNow()
                do {
                    // As if an earlier build with other data had run last.
                    let journal = try SegmentJournal(
                        folder: "\(folder)/data/journal", mode: .readWrite, newEpoch: 0)
                    #expect(journal.zoneData != nil)
                    var record = Record(
                        fields: Fields(), body: ZoneDeclare(version: "1999a").json.canonical())
                    record.fields.set(.recordKind, text: RecordKind.zoneDeclare.rawValue)
                    record.fields.set(.source, text: "journal")
                    record.fields.set(.changeID, text: "1999a")
                    _ = try journal.append([
                        JournalEntry(record: record, recordedTime: Timestamp(milliseconds: 1))
                    ])
                    #expect(journal.zoneData == "1999a")
                }
                try await deployment.serve()
                var declared = ""
                let own = try versions(deployment).own
                for _ in 0..<100 where declared != own {
                    declared = try versions(deployment).declared
                }
                #expect(declared == own)
                #expect(try records(folder) == 5)
                #expect(try deployment.run("upcoming", "ada").status == 0)
            }
        }

        @Test(
            "A worker with other data leaves calendars to others, and says so where there are none")
        func aWorkerWithOtherDataLeavesCalendarsToOthers() async throws {
            try await withTemporaryDirectory { folder in
                let deployment = Deployment(folder: folder)
                try await deployment.startRoles(workers: 1)
                for store in ["calendar", "contacts"] {
                    #expect(try deployment.run(store, "access", "ada", "fullAccess").status == 0)
                }
                var options = ServerOptions(data: "\(folder)/other")
                options.name = "other"
                options.routers = [Endpoint(port: deployment.port + 1)]
                options.journal = Endpoint(port: deployment.port + 2)
                options.zoneData = "1999a"
                let other = try Server.worker(options, log: Log(threshold: .error))
                defer {
                    other.drain()
                    other.join()
                }
                try await deployment.untilWorkers(are: 2)
                // Whoever is asked first, the answer is that of the worker with the declared data.
                for _ in 0..<20 {
                    let list = try deployment.run("upcoming", "ada")
                    #expect(list.output == "nothing upcoming\n", "\(list)")
                }
                let own = try versions(deployment).declared
                #expect(try deployment.run("status").output.contains("zoneData: 1999a"))
                try deployment.process("worker-1").killNow()
                try await deployment.untilWorkers(are: 1)
                let refused = try deployment.run("upcoming", "ada")
                #expect(refused.status == 4, "\(refused)")
                #expect(
                    refused.errors.contains(
                        "worker other has time zone data 1999a, calendars are of \(own): "
                            + "it needs another build"), "\(refused)")
                // What depends on no zone, it answers.
                #expect(try deployment.run("contacts", "query", "ada").status == 0)
            }
        }

        @Test func nobodyElseDeclaresIt() async throws {
            try await withTemporaryDirectory { folder in
                let deployment = Deployment(folder: folder)
                try await deployment.serve()
                let connection = try RouterConnection.open(deployment.client, name: "test")
                defer { connection.close() }
                let declaration = Message.change(
                    .zoneDeclare, ZoneDeclare(version: "1999a").json, source: "journal", id: "1",
                    partitionKey: "1", budgetMilliseconds: 2_000)
                let failure = await #expect(throws: RequestFailure.self) {
                    try await connection.change(declaration)
                }
                #expect(failure?.code == .refused)
                #expect(try records(folder) == 0)
            }
        }
    }
}
