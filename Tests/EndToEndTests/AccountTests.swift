import Foundation
import Journal
import Messages
import Queue
import Service
import TestSupport
import Testing

extension EndToEndTests {
    /// What belongs to an account can be exported, and is really gone once it is erased.
    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct AccountTests {
        private static let title = "Zwiebelkuchen with Beatrice"
        private static let calendar = [
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN", "BEGIN:VEVENT",
            "UID:secret-uid-4711", "DTSTART:20261220T190000Z", "SUMMARY:\(title)", "END:VEVENT",
            "END:VCALENDAR", "",
        ].joined(separator: "\r\n")

        /// Roles with an account that has one event.
        private func withAccount(
            _ body: (Deployment, String) async throws -> Void
        ) async throws {
            try await withTemporaryDirectory { folder in
                let deployment = Deployment(folder: folder)
                try await deployment.startRoles(
                    workers: 2, record: "\(folder)/recording", journal: ["--snapshot-every", "2"])
                try Covers.save(Array(Self.calendar.utf8), "\(folder)/home.ics")
                for arguments in [
                    ["calendar", "access", "ada-lovelace", "fullAccess"],
                    ["calendar", "push", "ada-lovelace", "home", "\(folder)/home.ics"],
                    ["upcoming", "ada-lovelace"],
                ] {
                    let result = try Command.run(arguments + deployment.connect)
                    #expect(result.status == 0, "\(result)")
                }
                try FileManager.default.removeItem(atPath: "\(folder)/home.ics")
                try await body(deployment, folder)
            }
        }

        /// Waits until no file of a replica has rows of a key.
        private func untilGone(_ key: AccountKey, from replica: String) async throws {
            for _ in 0..<200 {
                let names = try FileManager.default.contentsOfDirectory(atPath: replica)
                let isFound = names.contains { name in
                    let bytes = FileManager.default.contents(atPath: "\(replica)/\(name)")
                    return bytes?.range(of: Data(key.id.bytes)) != nil
                }
                if !isFound { return }
                try await Task.sleep(for: .milliseconds(50))
            }
            Issue.record("\(replica) keeps rows of the key")
        }

        /// Files under a folder that hold a text.
        private func files(of folder: String, holding text: String) throws -> [String] {
            try FileManager.default.subpathsOfDirectory(atPath: folder).filter { name in
                let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
                return bytes.range(of: Data(text.utf8)) != nil
            }
        }

        @Test func nothingOfAnAccountIsReadableOnAnyDisk() async throws {
            try await withAccount { deployment, folder in
                for word in [Self.title, "secret-uid", "ada-lovelace"] {
                    // Whose a key is stands with the key, and goes with it.
                    let found = try files(of: folder, holding: word).filter {
                        $0 != "journal/journal/keys"
                    }
                    #expect(found.isEmpty, "\(word) is on a disk")
                }
                for name in ["journal", "router", "worker-1", "worker-2"] {
                    let log = try deployment.process(name).log()
                    for word in [Self.title, "secret-uid", "ada-lovelace"] {
                        #expect(!log.contains(word), "\(word) is in the log of \(name)")
                    }
                }
            }
        }

        @Test(
            "A push without full access is stored nowhere, and the reply names what was refused",
            arguments: ["", "notDetermined", "restricted", "denied", "writeOnly"])
        func pushWithoutAccess(status: String) async throws {
            try await withTemporaryDirectory { folder in
                let deployment = Deployment(folder: folder)
                try await deployment.startRoles(workers: 1)
                try Covers.save(Array(Self.calendar.utf8), "\(folder)/home.ics")
                if !status.isEmpty {
                    #expect(try deployment.run("calendar", "access", "ada", status).status == 0)
                }
                let head = try deployment.run("journal", "info", "--data", "\(folder)/journal")
                let push = try deployment.run(
                    "calendar", "push", "ada", "home", "\(folder)/home.ics")
                #expect(push.status == 4)
                #expect(push.errors.contains("ACCESS_REQUIRED"), "\(push)")
                #expect(push.errors.contains("not stored: secret-uid-4711"), "\(push)")
                let after = try deployment.run("journal", "info", "--data", "\(folder)/journal")
                #expect(head.output == after.output)
                try FileManager.default.removeItem(atPath: "\(folder)/home.ics")
                #expect(try files(of: folder, holding: Self.title).isEmpty)
                #expect(try deployment.run("status").output.contains("putAside: 0"))
                // Once it is allowed, the same push is taken.
                #expect(try deployment.run("calendar", "access", "ada", "fullAccess").status == 0)
                try Covers.save(Array(Self.calendar.utf8), "\(folder)/home.ics")
                let again = try deployment.run(
                    "calendar", "push", "ada", "home", "\(folder)/home.ics")
                #expect(again.status == 0, "\(again)")
            }
        }

        @Test func exportGivesBackWhatIsKept() async throws {
            try await withAccount { deployment, folder in
                let result = try deployment.run("account", "export", "ada-lovelace")
                let rows = try result.output.split(separator: "\n").map {
                    try JSONValue(parsing: Array($0.utf8))
                }
                #expect(rows.map { $0["kind"]?.text } == ["access", "calendar", "resource"])
                #expect(rows.first?["status"]?.text == "fullAccess")
                #expect(rows.last?["uid"]?.text == "secret-uid-4711")
                #expect(rows.last?["ics"]?.text?.contains(Self.title) == true)
                #expect(try deployment.run("account", "export", "nobody").status == 4)
                let out = "\(folder)/export.jsonl"
                #expect(
                    try deployment.run("account", "export", "ada-lovelace", "--out", out).status
                        == 0)
                let mode = try FileManager.default.attributesOfItem(atPath: out)[.posixPermissions]
                #expect(mode as? Int == 0o600)
            }
        }

        @Test(arguments: [
            ["account", "erase", "ada-lovelace", "--yes"],
            ["calendar", "access", "ada-lovelace", "denied"],
        ])
        func whatEndsAnAccountEndsItEverywhere(_ ending: [String]) async throws {
            try await withAccount { deployment, folder in
                let journal = "\(folder)/journal/journal"
                let before = try SegmentJournal(folder: journal, mode: .readOnly, newEpoch: 0)
                let key = try #require(before.keyring.key(of: "ada-lovelace"))
                let backup = try Command.run([
                    "journal", "backup", "\(folder)/backup", "--data", "\(folder)/journal",
                ])
                #expect(backup.status == 0, "\(backup)")
                let ended = try Command.run(ending + deployment.connect)
                #expect(ended.status == 0, "\(ended)")
                // Both workers learn of it a moment after the journal has.
                for worker in ["worker-1", "worker-2"] {
                    try await untilGone(key, from: "\(folder)/\(worker)/replicas/\(worker)")
                }
                let refused = try deployment.run("upcoming", "ada-lovelace")
                #expect(refused.status == 4)
                #expect(refused.errors.contains("ACCESS_REQUIRED"))
                // The key is gone, so nothing that was sealed under it can be read.
                let after = try SegmentJournal(folder: journal, mode: .readOnly, newEpoch: 0)
                #expect(after.keyring[key.id] == nil)
                let keys = FileManager.default.contents(atPath: "\(journal)/keys") ?? Data()
                #expect(keys.range(of: Data(key.secret)) == nil)
                let opened = try after.read(after: 0, recordsMax: 100, bytesMax: 1 << 20)
                    .filter { $0.fields.keyID == key.id }
                    .map { SealedRecord.open($0, with: after.keyring) }
                #expect(!opened.isEmpty && opened.allSatisfy { $0 == nil })
                // The recording of its requests is unreadable, and says so.
                try deployment.process("router").terminate()
                #expect(try deployment.process("router").wait() == 0)
                let info = try Command.run([
                    "log", "info", "\(folder)/recording", "--data", "\(folder)/journal", "--json",
                ])
                let erased = try JSONValue(parsing: Array(info.output.utf8))["erased"]?.integer
                #expect((erased ?? 0) >= 1, "\(info)")
                // A backup that was made before holds nothing readable, either.
                let restored = try Command.run([
                    "journal", "restore", "\(folder)/backup", "--data", "\(folder)/restored",
                ])
                #expect(restored.status == 0, "\(restored)")
                let old = try SegmentJournal(
                    folder: "\(folder)/restored/journal", mode: .readOnly, newEpoch: 0)
                #expect(old.keyring.count == 0)
            }
        }

        @Test func keptResultsOfAnErasedAccountAreGone() async throws {
            try await withTemporaryDirectory { folder in
                try Covers.write(2, to: folder, concertDate: "2026-12-20T19:00:00Z")
                let deployment = Deployment(folder: folder)
                try await deployment.startRoles(workers: 1)
                #expect(try deployment.run("import", "album", "\(folder)/albums.jsonl").status == 0)
                #expect(try deployment.run("calendar", "access", "ada", "fullAccess").status == 0)
                let connection = try RouterConnection.open(deployment.client, name: "test")
                defer { connection.close() }
                let bytes = [UInt8](
                    try Data(contentsOf: URL(fileURLWithPath: "\(folder)/photo-1.jpg")))
                func search(for account: String?) async throws -> ContentHash {
                    var message = Message.request(
                        ServiceName.imageSearch,
                        SearchRequest(subject: .picture(ContentHash.of(bytes))).json,
                        attachments: [bytes], budgetMilliseconds: 5_000)
                    message.fields.set(.account, text: account)
                    let reply = try await connection.request(message)
                    return try #require(reply.message.fields.continueToken)
                }
                func isKept(_ token: ContentHash) async -> Bool {
                    let message = Message.request(
                        ServiceName.searchContinue, ContinueRequest(token: token).json,
                        budgetMilliseconds: 5_000)
                    switch await connection.send(message) {
                    case .final: return true
                    default: return false
                    }
                }
                let (hers, nobodys) = (
                    try await search(for: "ada"), try await search(for: nil)
                )
                #expect(await isKept(hers))
                #expect(try deployment.run("account", "erase", "ada", "--yes").status == 0)
                var gone = false
                for _ in 0..<100 where !gone {
                    gone = await !isKept(hers)
                    try await Task.sleep(for: .milliseconds(20))
                }
                #expect(gone)
                #expect(await isKept(nobodys))
            }
        }
    }
}
