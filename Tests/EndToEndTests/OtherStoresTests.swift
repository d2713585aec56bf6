import Foundation
import Messages
import Service
import TestSupport
import Testing

extension EndToEndTests {
    /// Contacts and health readings through real roles: pushed, asked for, kept apart, erased.
    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct OtherStoresTests {
        private static let samples = PackageRoot.path("deploy/stores")

        private func items(_ result: Command.Result) throws -> [JSONValue] {
            try #require(result.status == 0, "\(result)")
            return try JSONValue(parsing: Array(result.output.utf8))["results"]?.array ?? []
        }

        private func withRoles(_ body: (Deployment, String) async throws -> Void) async throws {
            try await withTemporaryDirectory { folder in
                let deployment = Deployment(folder: folder)
                try await deployment.startRoles(workers: 1, journal: ["--snapshot-every", "2"])
                try await body(deployment, folder)
            }
        }

        /// Asks until the worker has what was stored before.
        private func eventually(
            _ query: () throws -> [JSONValue], are expected: ([JSONValue]) -> Bool
        ) async throws {
            var last: [JSONValue] = []
            for _ in 0..<100 {
                last = try query()
                if expected(last) { return }
                try await Task.sleep(for: .milliseconds(50))
            }
            Issue.record("still \(last)")
        }

        @Test func contactsAreMatchedToEntities() async throws {
            try await withRoles { deployment, folder in
                try Covers.write(2, to: folder, concertDate: "2026-12-20T19:00:00Z")
                #expect(try deployment.run("import", "album", "\(folder)/albums.jsonl").status == 0)
                try Covers.save(
                    Array(
                        """
                        BEGIN:VCARD\r\nVERSION:4.0\r\nUID:one\r\nFN:Dr. Artist 1\r\nN:1;Artist;;Dr.;\r
                        TEL:123\r\nEND:VCARD\r\nBEGIN:VCARD\r\nVERSION:2.1\r\nN:x\r\nEND:VCARD\r
                        BEGIN:VCARD\r\nVERSION:3.0\r\nUID:two\r\nFN:Artist 2 Fan Club\r\nEND:VCARD\r\n
                        """.utf8), "\(folder)/friends.vcf")
                func push(_ more: String...) throws -> Command.Result {
                    try Command.run(
                        ["contacts", "push", "ada", "friends"] + more + deployment.connect)
                }
                func query(_ more: String...) throws -> [JSONValue] {
                    try items(
                        Command.run(
                            ["contacts", "query", "ada", "--json"] + more + deployment.connect))
                }
                func uids(_ items: [JSONValue]) -> [String] { items.compactMap { $0["uid"]?.text } }

                // Without access nothing is stored, and the answer is never an empty list.
                let early = try push("\(folder)/friends.vcf")
                #expect(early.status == 4 && early.errors.contains("ACCESS_REQUIRED"), "\(early)")
                #expect(early.errors.contains("not stored: one"), "\(early)")
                let asked = try deployment.run("contacts", "query", "ada")
                #expect(asked.status == 4 && asked.errors.contains("ACCESS_REQUIRED"))
                #expect(try deployment.run("contacts", "access", "ada", "unknown").status == 2)
                #expect(try deployment.run("contacts", "access", "ada", "fullAccess").status == 0)

                let pushed = try push("\(folder)/friends.vcf", "--revision", "5", "--token", "t5")
                #expect(pushed.status == 1, "\(pushed)")
                #expect(pushed.output.contains("stored 2 contacts, not applied 1 at"), "\(pushed)")
                #expect(pushed.errors.contains("card 2: versionUnsupported"), "\(pushed)")
                try await eventually({ try query() }, are: { uids($0) == ["one"] })
                let found = try query().last
                #expect(found?["matches"]?.array?.first?["name"]?.text == "Artist 1")
                #expect(
                    found?["matches"]?.array?.first?["why"]
                        == .array([.string("exact"), .string("structured")]))
                #expect(
                    found?["matches"]?.array?.first?["entities"]?.array?.first?["route"]?.text
                        == "sightline://album/album-1")
                #expect(uids(try query("--all")) == ["two", "one"])
                #expect(uids(try query("--all", "--name", "fan club")) == ["two"])

                // An older change changes nothing, a newer one takes a card away.
                #expect(try push("--remove", "one", "--revision", "4").status == 0)
                #expect(try push("--remove", "one", "--revision", "6").status == 0)
                try await eventually({ try query("--all") }, are: { uids($0) == ["two"] })
                // What comes late does not bring it back; a reset drops everything.
                #expect(try push("\(folder)/friends.vcf", "--revision", "5").status == 1)
                #expect(try push("--reset", "--revision", "7").status == 0)
                try await eventually({ try query("--all") }, are: { uids($0).isEmpty })
                #expect(try push("\(folder)/friends.vcf", "--revision", "8").status == 1)
                try await eventually({ try query("--all") }, are: { uids($0) == ["two", "one"] })

                // A worker that comes late has it from a snapshot.
                try deployment.process("worker-1").killNow()
                try deployment.startWorker("late")
                try await deployment.untilAnswering(workers: 1)
                try await eventually({ try query("--all") }, are: { uids($0) == ["two", "one"] })

                // Fewer contacts may be read from now on: what was kept goes.
                #expect(try deployment.run("contacts", "access", "ada", "limited").status == 0)
                try await eventually(
                    { try query("--all") },
                    are: { $0.count == 1 && $0.first?["status"]?.text == "limited" })
            }
        }

        @Test func readingsAreConvertedAndFlaggedAndNeverAltered() async throws {
            try await withRoles { deployment, folder in
                func push(_ more: String...) throws -> Command.Result {
                    try Command.run(["health", "push", "ada", "phone"] + more + deployment.connect)
                }
                func query(_ more: String...) throws -> [JSONValue] {
                    try items(
                        Command.run(
                            [
                                "health", "query", "ada", "--json", "--as-of",
                                "2026-12-01T00:00:00Z",
                            ] + more + deployment.connect))
                }
                func ids(_ items: [JSONValue]) -> [String] {
                    items.compactMap { $0["reading"]?["id"]?.text }
                }
                let file = "\(Self.samples)/readings.jsonl"
                #expect(try push(file).status == 4)
                #expect(try deployment.run("health", "query", "ada").status == 4)

                // Where it is not known whether readings may be read, no readings are no answer.
                #expect(try deployment.run("health", "access", "ada", "unknown").status == 0)
                try await eventually(
                    {
                        let result = try deployment.run("health", "query", "ada", "--json")
                        return result.status == 0 ? try items(result) : []
                    }, are: { $0.first?["status"]?.text == "unknown" && $0.count == 1 })
                let none = try deployment.run("health", "query", "ada")
                #expect(none.output.contains("no readings"), "\(none)")
                #expect(none.output.contains("may have refused"), "\(none)")

                let pushed = try push(file, "--revision", "5", "--anchor", "a5")
                #expect(pushed.output.contains("stored 5 readings, not applied 1 at"), "\(pushed)")
                #expect(
                    pushed.errors.contains("line 6: entryInvalid: diastolic is missing"),
                    "\(pushed)")
                let all = ["-5", "-4", "-3", "-2", "-1"].map { "0b4f2a6e" + $0 }
                try await eventually({ try query() }, are: { ids($0) == all })
                let glucose = try query("--kind", "bloodGlucose", "--unit", "mg/dL")
                #expect(ids(glucose) == [all[0], all[2], all[3]])
                #expect(
                    glucose.dropFirst().map { $0["values"]?["glucose"]?["value"]?.double }
                        == [5.9, 142, 97.3])
                #expect(glucose.last?["reading"]?["glucose"]?["value"]?.double == 5.4)
                #expect(glucose.last?["reading"]?["glucose"]?["unit"]?.text == "mmol/L")
                #expect(
                    glucose.dropFirst().first?["flags"]
                        == .array([.string("outOfRange"), .string("unitDoubtful")]))
                #expect(ids(try query("--kind", "bloodPressure")) == [all[4]])
                #expect(ids(try query("--limit", "2")) == [all[0], all[1]])
                #expect(ids(try query("--to", "2026-11-30T07:10:00Z")) == [all[4]])

                // A reading is taken away, and the same one from another device counts once.
                let second = try Command.run(
                    ["health", "push", "ada", "watch", file] + deployment.connect)
                #expect(second.status == 1)
                #expect(try push("--remove", all[0], "--revision", "6").status == 0)
                try await eventually(
                    { try query() },
                    are: { $0.first { $0["reading"] != nil }?["healthStore"]?.text == "watch" })
                #expect(ids(try query()) == all)

                // The same state again changes nothing; a refusal erases.
                #expect(try deployment.run("health", "access", "ada", "unknown").status == 0)
                #expect(ids(try query()) == all)
                #expect(try deployment.run("health", "access", "ada", "denied").status == 0)
                var status: Int32 = 0
                for _ in 0..<100 where status == 0 {
                    status = try deployment.run("health", "query", "ada").status
                }
                #expect(status == 4)
            }
        }

        @Test func pagesGoOnBehindAPlace() async throws {
            try await withRoles { deployment, folder in
                for arguments in [
                    ["contacts", "access", "ada", "fullAccess"],
                    ["health", "access", "ada", "fullAccess"],
                ] {
                    #expect(try Command.run(arguments + deployment.connect).status == 0)
                }
                let cards = (1...25).map { number in
                    "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:\(number)\r\nFN:Person \(number % 7)\r\n"
                        + "END:VCARD\r\n"
                }
                let readings = (1...25).map { number in
                    #"{"id":"\#(number)","kind":"heartRate","start":\#(number % 7),"#
                        + #""rate":{"value":60,"unit":"count/min"}}"#
                }
                try Covers.save(Array(cards.joined().utf8), "\(folder)/a.vcf")
                try Covers.save(
                    Array(readings.joined(separator: "\n").utf8), "\(folder)/a.jsonl")
                let push = ["push", "ada", "one"]
                let contacts = ["contacts"] + push + ["\(folder)/a.vcf"]
                let health = ["health"] + push + ["\(folder)/a.jsonl"]
                #expect(try Command.run(contacts + deployment.connect).status == 0)
                #expect(try Command.run(health + deployment.connect).status == 0)
                let connection = try RouterConnection.open(deployment.client, name: "pages")
                defer { connection.close() }
                func ask(_ service: String, _ body: JSONValue) async throws -> [JSONValue] {
                    var message = Message.request(service, body, budgetMilliseconds: 5_000)
                    message.fields.set(.account, text: "ada")
                    message.fields.set(.limit, integer: UInt32(4))
                    return try await connection.request(message).items
                }
                for _ in 0..<100
                where try await ask(ServiceName.healthQuery, .object([:])).count < 4 {
                    try await Task.sleep(for: .milliseconds(50))
                }
                var people: [JSONValue] = []
                var query = ContactQuery(all: true)
                repeat {
                    let page = try await ask(ServiceName.contactQuery, query.json)
                    people += page.filter { $0["kind"]?.text == "contact" }
                    query.after = page.last.flatMap { last in
                        last["uid"]?.text.map {
                            .init(
                                title: last["title"]?.text ?? "",
                                addressBook: last["addressBook"]?.text ?? "", uid: $0)
                        }
                    }
                } while query.after != nil
                #expect(Set(people.compactMap { $0["uid"]?.text }).count == 25)
                #expect(people.count == 25)
                let titles = people.compactMap { $0["title"]?.text }
                #expect(titles == titles.sorted())
                var beats: [JSONValue] = []
                var asked = HealthQuery()
                repeat {
                    let page = try await ask(ServiceName.healthQuery, asked.json)
                    beats += page.compactMap { $0["reading"] }
                    asked.after = page.last?["reading"].map { last in
                        .init(start: last["start"]?.integer ?? 0, id: last["id"]?.text ?? "")
                    }
                } while asked.after != nil
                #expect(Set(beats.compactMap { $0["id"]?.text }).count == 25)
                let starts = beats.compactMap { $0["start"]?.integer }
                #expect(starts == starts.sorted(by: >) && starts.count == 25)
            }
        }

        @Test func storesOfAnAccountAreKeptApart() async throws {
            try await withRoles { deployment, folder in
                for arguments in [
                    ["calendar", "access", "ada", "fullAccess"],
                    ["contacts", "access", "ada", "fullAccess"],
                    ["health", "access", "ada", "fullAccess"],
                ] {
                    #expect(try Command.run(arguments + deployment.connect).status == 0)
                }
                let cards = ["contacts", "push", "ada", "friends", "\(Self.samples)/contacts.vcf"]
                let readings = ["health", "push", "ada", "phone", "\(Self.samples)/readings.jsonl"]
                #expect(try Command.run(cards + deployment.connect).status == 1)
                #expect(try Command.run(readings + deployment.connect).status == 1)
                func kinds() throws -> [String] {
                    let result = try deployment.run("account", "export", "ada")
                    guard result.status == 0 else { return [] }
                    return try result.output.split(separator: "\n").map { line in
                        let item = try JSONValue(parsing: Array(line.utf8))
                        return (item["kind"]?.text ?? "")
                            + (item["store"]?.text.map { " \($0)" } ?? "")
                    }
                }
                let contacts = [
                    "access contacts", "addressBook", "resource", "resource", "resource",
                ]
                let health =
                    ["access health", "healthStore"] + Array(repeating: "resource", count: 5)
                for _ in 0..<100 where try kinds() != ["access calendar"] + contacts + health {
                    try await Task.sleep(for: .milliseconds(50))
                }
                #expect(try kinds() == ["access calendar"] + contacts + health)
                // Losing one store leaves the others alone.
                #expect(try deployment.run("contacts", "access", "ada", "denied").status == 0)
                for _ in 0..<100 where try kinds().contains("addressBook") {
                    try await Task.sleep(for: .milliseconds(50))
                }
                #expect(try kinds() == ["access calendar", "access contacts"] + health)
                #expect(try deployment.run("account", "erase", "ada", "--yes").status == 0)
                for _ in 0..<100 where try !kinds().isEmpty {
                    try await Task.sleep(for: .milliseconds(50))
                }
                #expect(try deployment.run("account", "export", "ada").status == 4)
            }
        }
    }
}
