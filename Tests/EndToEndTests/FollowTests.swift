import Foundation
import Messages
import Service
import TestSupport
import Testing

extension EndToEndTests {
    /// `sightline upcoming --follow` under real processes.
    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct FollowTests {
        /// An event that begins and ends so many seconds from now.
        private func event(
            _ uid: String, _ title: String, from start: Double, to end: Double
        ) -> [UInt8] {
            func text(_ seconds: Double) -> String {
                let now = SystemClock.wall().milliseconds
                let instant = Timestamp(milliseconds: now + Int64(seconds * 1_000))
                return InstantText.format(instant).prefix(19).filter { $0 != "-" && $0 != ":" }
                    + "Z"
            }
            return Array(
                [
                    "BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:\(uid)", "DTSTART:\(text(start))",
                    "DTEND:\(text(end))", "SUMMARY:\(title)", "END:VEVENT", "END:VCALENDAR", "",
                ].joined(separator: "\r\n").utf8)
        }

        /// What a follower printed so far: UIDs of each list, or the code.
        private func lists(_ follower: ServerProcess) throws -> [String] {
            try follower.written().split(separator: "\n").map { line in
                let value = try JSONValue(parsing: Array(line.utf8))
                if let code = value["error"]?.text { return code }
                return (value["results"]?.array ?? []).compactMap {
                    $0["uid"]?.text ?? $0["reading"]?["id"]?.text
                }.joined(separator: " ")
            }
        }

        private func wait(
            for expected: [String], from follower: ServerProcess, seconds: Double = 20
        ) async throws {
            for _ in 0..<Int(seconds * 20) {
                if try lists(follower) == expected { return }
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(try lists(follower) == expected)
        }

        private func push(
            _ uid: String, _ bytes: [UInt8], to deployment: Deployment, _ folder: String
        ) throws {
            let path = "\(folder)/\(uid).ics"
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            let result = try deployment.run("calendar", "push", "ada", "home", path)
            #expect(result.status == 0, "\(result)")
        }

        @Test("A follower hears of access, events, time alone, the catalog and the loss of access")
        func hearsOfEverything() async throws {
            try await withTemporaryDirectory { folder in
                try Covers.write(2, to: folder, concertDate: "2030-12-20T19:00:00Z")
                let deployment = Deployment(folder: folder)
                try await deployment.serve()
                let rows = try String(contentsOfFile: "\(folder)/albums.jsonl", encoding: .utf8)
                    .split(separator: "\n").map(String.init)
                try (rows[0] + "\n").write(
                    toFile: "\(folder)/first.jsonl", atomically: true, encoding: .utf8)
                try (rows[1] + "\n").write(
                    toFile: "\(folder)/second.jsonl", atomically: true, encoding: .utf8)
                let artists = try rows.map {
                    try JSONValue(parsing: Array($0.utf8))["properties"]?["artistName"]?.text ?? ""
                }
                #expect(try deployment.run("import", "album", "\(folder)/first.jsonl").status == 0)
                let follower = try ServerProcess(
                    ["upcoming", "ada", "--follow", "--json"] + deployment.connect)
                var expected = ["ACCESS_REQUIRED"]
                try await wait(for: expected, from: follower)
                #expect(try deployment.run("calendar", "access", "ada", "fullAccess").status == 0)
                expected.append("")
                try await wait(for: expected, from: follower)
                let day = 86_400.0
                try push(
                    "a", event("a", "\(artists[0]) live", from: day, to: 2 * day), to: deployment,
                    folder)
                expected.append("a")
                try await wait(for: expected, from: follower)
                // It leaves and another one enters without any message.
                try push(
                    "b", event("b", "\(artists[0])", from: -60, to: 5), to: deployment, folder)
                expected.append("b a")
                try await wait(for: expected, from: follower)
                expected.append("a")
                try await wait(for: expected, from: follower)
                try push(
                    "c", event("c", "\(artists[0])", from: 90 * day + 5, to: 90 * day + 60),
                    to: deployment, folder)
                expected.append("a c")
                try await wait(for: expected, from: follower)
                // Nothing of the second artist is known yet.
                try push(
                    "d", event("d", "Tickets: \(artists[1])", from: 3 * day, to: 4 * day),
                    to: deployment, folder)
                try await Task.sleep(for: .milliseconds(400))
                try await wait(for: expected, from: follower)
                #expect(try deployment.run("import", "album", "\(folder)/second.jsonl").status == 0)
                expected.append("a d c")
                try await wait(for: expected, from: follower)
                #expect(try deployment.run("calendar", "access", "ada", "denied").status == 0)
                expected.append("ACCESS_REQUIRED")
                try await wait(for: expected, from: follower)
                follower.killNow()
            }
        }

        @Test("A follower is told what it missed while router and worker were away")
        func catchesUpAfterAGap() async throws {
            try await withTemporaryDirectory { folder in
                try Covers.write(1, to: folder, concertDate: "2030-12-20T19:00:00Z")
                let deployment = Deployment(folder: folder)
                try await deployment.startRoles(workers: 1)
                #expect(try deployment.run("import", "album", "\(folder)/albums.jsonl").status == 0)
                #expect(try deployment.run("calendar", "access", "ada", "fullAccess").status == 0)
                let row = try String(contentsOfFile: "\(folder)/albums.jsonl", encoding: .utf8)
                let artist =
                    try JSONValue(parsing: Array(row.utf8.prefix { $0 != 0x0A }))["properties"]?[
                        "artistName"]?.text ?? ""
                let day = 86_400.0
                try push("a", event("a", artist, from: day, to: 2 * day), to: deployment, folder)
                let follower = try ServerProcess(
                    ["upcoming", "ada", "--follow", "--json"] + deployment.connect)
                try await wait(for: ["a"], from: follower)
                // The worker is away while something changes.
                try deployment.process("worker-1").killNow()
                try push(
                    "b", event("b", artist, from: 3 * day, to: 4 * day), to: deployment, folder)
                try deployment.startWorker("worker-1")
                try await wait(for: ["a", "a b"], from: follower)
                // The router is away; nothing changes, so nothing is told.
                try deployment.process("router").killNow()
                try deployment.startRouter()
                try await deployment.untilAnswering(workers: 1)
                try push(
                    "c", event("c", artist, from: 5 * day, to: 6 * day), to: deployment, folder)
                try await wait(for: ["a", "a b", "a b c"], from: follower)
                follower.killNow()
            }
        }

        @Test("Pages fit together, and a list that changed begins again")
        func pagesFitTogether() async throws {
            try await withTemporaryDirectory { folder in
                try Covers.write(1, to: folder, concertDate: "2030-12-20T19:00:00Z")
                let deployment = Deployment(folder: folder)
                try await deployment.serve()
                #expect(try deployment.run("import", "album", "\(folder)/albums.jsonl").status == 0)
                #expect(try deployment.run("calendar", "access", "ada", "fullAccess").status == 0)
                let row = try String(contentsOfFile: "\(folder)/albums.jsonl", encoding: .utf8)
                let artist =
                    try JSONValue(parsing: Array(row.utf8.prefix { $0 != 0x0A }))["properties"]?[
                        "artistName"]?.text ?? ""
                for number in 0..<5 {
                    let start = 86_400.0 * Double(number + 1)
                    try push(
                        "e\(number)", event("e\(number)", artist, from: start, to: start + 60),
                        to: deployment, folder)
                }
                let connection = try RouterConnection.open(deployment.client, name: "test")
                defer { connection.close() }
                func page(after: String?) async throws -> (uids: [String], next: String?) {
                    var message = Message.request(
                        ServiceName.calendarUpcoming, UpcomingRequest(after: after).json,
                        budgetMilliseconds: 5_000)
                    message.fields.set(.account, text: "ada")
                    message.fields.set(.limit, integer: UInt32(2))
                    let reply = try await connection.request(message)
                    return (
                        reply.items.compactMap { $0["uid"]?.text },
                        reply.message.fields.text(.nextPage)
                    )
                }
                var uids: [String] = []
                var token: String?
                var first: String?
                repeat {
                    let next = try await page(after: token)
                    uids += next.uids
                    token = next.next
                    first = first ?? token
                } while token != nil
                #expect(uids == ["e0", "e1", "e2", "e3", "e4"])
                try push(
                    "e9", event("e9", artist, from: 90_000, to: 90_060), to: deployment, folder)
                var code: ErrorCode?
                for _ in 0..<100 where code == nil {
                    do {
                        _ = try await page(after: first)
                        try await Task.sleep(for: .milliseconds(20))
                    } catch let failure as RequestFailure {
                        code = failure.code
                    }
                }
                #expect(code == .notKept)
                await #expect(throws: RequestFailure.self) { try await page(after: "00") }
            }
        }

        @Test("A follower of contacts and of readings hears of changes, the catalog and access")
        func hearsOfOtherStores() async throws {
            try await withTemporaryDirectory { folder in
                try Covers.write(1, to: folder, concertDate: "2030-12-20T19:00:00Z")
                let deployment = Deployment(folder: folder)
                try await deployment.serve()
                let row = try String(contentsOfFile: "\(folder)/albums.jsonl", encoding: .utf8)
                let artist =
                    try JSONValue(parsing: Array(row.utf8))["properties"]?["artistName"]?.text ?? ""
                func follower(_ command: String) throws -> ServerProcess {
                    try ServerProcess(
                        [command, "query", "ada", "--follow", "--json"] + deployment.connect)
                }
                let (contacts, readings) = (try follower("contacts"), try follower("health"))
                var people = ["ACCESS_REQUIRED"]
                var beats = ["ACCESS_REQUIRED"]
                try await wait(for: people, from: contacts)
                try await wait(for: beats, from: readings)
                for command in ["contacts", "health"] {
                    #expect(try deployment.run(command, "access", "ada", "fullAccess").status == 0)
                }
                people.append("")
                beats.append("")
                try await wait(for: people, from: contacts)
                try await wait(for: beats, from: readings)
                try Data(
                    "BEGIN:VCARD\nVERSION:4.0\nUID:one\nFN:\(artist)\nEND:VCARD\n".utf8
                ).write(to: URL(fileURLWithPath: "\(folder)/one.vcf"))
                try Data(
                    (#"{"id":"a","kind":"heartRate","start":1,"#
                        + #""rate":{"value":60,"unit":"count/min"}}"#).utf8
                ).write(to: URL(fileURLWithPath: "\(folder)/one.jsonl"))
                // Nobody of the catalog has that name yet.
                #expect(
                    try deployment.run("contacts", "push", "ada", "b", "\(folder)/one.vcf").status
                        == 0)
                #expect(
                    try deployment.run("health", "push", "ada", "b", "\(folder)/one.jsonl").status
                        == 0)
                beats.append("a")
                try await wait(for: beats, from: readings)
                try await wait(for: people, from: contacts)
                #expect(try deployment.run("import", "album", "\(folder)/albums.jsonl").status == 0)
                people.append("one")
                try await wait(for: people, from: contacts)
                #expect(try deployment.run("contacts", "access", "ada", "limited").status == 0)
                people.append("")
                try await wait(for: people, from: contacts)
                #expect(try lists(readings) == beats)
                contacts.killNow()
                readings.killNow()
            }
        }
    }
}
