import Foundation
import Journal
import Messages
import Raster
import Service
import TestSupport
import Testing

extension EndToEndTests {
    /// A recorded day is a regression test.
    @Suite(.serialized, .timeLimit(.minutes(20)))
    struct ReplayTests {
        private static let isSoak = ProcessInfo.processInfo.environment["SIGHTLINE_SOAK"] == "1"

        /// A recording, made by a server that runs while `traffic` does and has stopped when
        /// `body` begins.
        func withRecording(
            _ more: [String] = [],
            _ traffic: (Deployment, String) async throws -> Void,
            _ body: (_ folder: String) async throws -> Void
        ) async throws {
            try await withTemporaryDirectory { folder in
                try Covers.write(6, to: folder, concertDate: Traffic.concertDate)
                let server = Deployment(folder: folder)
                try await server.serve(["--record", "\(folder)/log"] + more)
                for type in ["album", "concert"] {
                    let result = try server.run("import", type, "\(folder)/\(type)s.jsonl")
                    #expect(result.status == 0, "\(result)")
                }
                try await traffic(server, folder)
                try server.process("serve").terminate()
                #expect(try server.process("serve").wait() == 0)
                try await body(folder)
            }
        }

        private func replay(_ folder: String, _ more: String...) throws -> Command.Result {
            try Command.run(["replay", "\(folder)/log", "--data", "\(folder)/data"] + more)
        }

        private func summary(_ result: Command.Result) throws -> JSONValue {
            let line = try #require(result.output.split(separator: "\n").last)
            return try JSONValue(parsing: Array(line.utf8))
        }

        private func send(_ count: Int, _ server: Deployment, _ folder: String) async throws {
            let connection = try RouterConnection.open(server.client, name: "test")
            defer { connection.close() }
            let photo = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/photo-2.jpg"))
            var traffic = try await Traffic(connection, photo: Array(photo))
            try await traffic.send(count)
        }

        @Test("T15: replay golden: any speed and any number of workers give the same bytes")
        func golden() async throws {
            let count = Self.isSoak ? 10_000 : 300
            try await withRecording { server, folder in
                try await send(count, server, folder)
            } _: { folder in
                var streams: [[UInt8]] = []
                for workers in ["1", "4"] {
                    for speed in ["1x", "10x", "max"] {
                        let out = "\(folder)/\(workers)-\(speed)"
                        let result = try replay(
                            folder, "--workers", workers, "--speed", speed, "--out", out)
                        #expect(result.status == 0, "\(workers) workers at \(speed): \(result)")
                        streams.append(Array(try Data(contentsOf: URL(fileURLWithPath: out))))
                    }
                }
                #expect(streams.allSatisfy { $0 == streams[0] })
                let lines = streams[0].split(separator: UInt8(ascii: "\n"))
                #expect(lines.count > count)
            }
        }

        @Test("T13, report 26: 1x takes the recorded span, whatever the times and the wall clock")
        func recordedSpan() async throws {
            try await withRecording { server, _ in
                for _ in 0..<12 {
                    _ = try server.run("entity", "list")
                    try await Task.sleep(for: .milliseconds(100))
                }
            } _: { folder in
                let span = Double(try Recording.span("\(folder)/log")) / 1e9
                var random = SeededRandom(seed: 26)
                var offsets: [UInt64] = []
                try MessageLogReader(folder: "\(folder)/log").forEach {
                    offsets.append($0.offsetNanoseconds)
                }
                offsets.shuffle(using: &random)
                offsets[3] = .max
                offsets[5] = 86_400 * 1_000_000_000 * 200
                try Recording.copy("\(folder)/log", to: "\(folder)/wild") { index, exchange in
                    exchange.offsetNanoseconds = offsets[index]
                    let hours = Int64([0, 1, -1][index % 3])
                    exchange.recordedTime.milliseconds += hours * 3_600_000
                }
                for log in ["log", "wild"] {
                    let result = try Command.run([
                        "replay", "\(folder)/\(log)", "--data", "\(folder)/data", "--speed",
                        "1x", "--json",
                    ])
                    #expect(result.status == 0, "\(result)")
                    let took = Double(try summary(result)["milliseconds"]?.integer ?? 0) / 1_000
                    // The upper bound leaves room for a busy machine.
                    #expect(took >= span * 0.90, "\(log): \(took) of \(span) s")
                    #expect(took <= span * 1.05 + 1, "\(log): \(took) of \(span) s")
                }
            }
        }

        @Test("report 26: today during a replay is the recorded day")
        func recordedDay() async throws {
            try await withRecording { server, folder in
                // The concert of 20 December lies ahead on the first day and behind on the other.
                for day in ["2026-12-01", "2027-06-01"] {
                    _ = try server.run(
                        "search", "\(folder)/photo-2.jpg", "--as-of", "\(day)T12:00:00Z")
                }
            } _: { folder in
                let result = try replay(
                    folder, "--out", "\(folder)/out", "--service", "image.search")
                #expect(result.status == 0, "\(result)")
                let lines = try String(contentsOfFile: "\(folder)/out", encoding: .utf8)
                    .split(separator: "\n")
                try #require(lines.count == 2)
                #expect(lines[0].contains("concert-2"))
                #expect(!lines[1].contains("concert-2"))
                #expect(lines[1].contains("album-2"))
            }
        }

        private static let calendar = """
            BEGIN:VCALENDAR\r
            VERSION:2.0\r
            PRODID:-//test//EN\r
            BEGIN:VEVENT\r
            UID:one\r
            DTSTAMP:20261101T000000Z\r
            DTSTART:20261220T190000Z\r
            SUMMARY:tickets for ARTIST 2\r
            END:VEVENT\r
            END:VCALENDAR\r\n
            """

        @Test("report 26: the upcoming list of a replay is that of the recorded day")
        func recordedUpcoming() async throws {
            try await withRecording { server, folder in
                try Covers.save(Array(Self.calendar.utf8), "\(folder)/home.ics")
                _ = try server.run("calendar", "access", "ada", "fullAccess")
                _ = try server.run("calendar", "push", "ada", "home", "\(folder)/home.ics")
                for day in ["2026-12-01", "2026-12-21"] {
                    _ = try server.run("upcoming", "ada", "--as-of", "\(day)T12:00:00Z")
                }
            } _: { folder in
                // A backup has no keys; they are given beside it.
                let backup = try Command.run([
                    "journal", "backup", "\(folder)/backup", "--data", "\(folder)/data",
                    "--keys", "\(folder)/keys",
                ])
                #expect(backup.status == 0, "\(backup)")
                let result = try Command.run([
                    "replay", "\(folder)/log", "--data", "\(folder)/backup", "--keys",
                    "\(folder)/keys", "--out", "\(folder)/out", "--service",
                    "calendar.upcoming",
                ])
                #expect(result.status == 0, "\(result)")
                let lines = try String(contentsOfFile: "\(folder)/out", encoding: .utf8)
                    .split(separator: "\n")
                try #require(lines.count == 2)
                #expect(lines[0].contains(#""uid":"one""#))
                #expect(lines[1].hasSuffix("complete\t[]"))
            }
        }

        @Test func anErasedAccountCannotBeReplayed() async throws {
            try await withRecording { server, folder in
                for account in ["ada", "ben"] {
                    _ = try server.run("calendar", "access", account, "fullAccess")
                    _ = try server.run("upcoming", account)
                }
                _ = try server.run("entity", "list")
                try await Task.sleep(for: .milliseconds(1_500))
                #expect(try server.run("account", "erase", "ada", "--yes").status == 0)
            } _: { folder in
                let result = try replay(folder, "--json")
                #expect(try summary(result)["erased"]?.integer == 1, "\(result)")
                #expect(try summary(result)["failed"]?.integer == 0)
                let shown = try Command.run([
                    "log", "info", "\(folder)/log", "--data", "\(folder)/data", "--json",
                ])
                let info = try JSONValue(parsing: Array(shown.output.utf8))
                #expect(info["erased"]?.integer == 1)
                #expect(info["services"]?["calendar.upcoming"]?.integer == 1)
            }
        }

        @Test func recordsAreAppliedInTheirPlace() async throws {
            try await withRecording { server, _ in
                for number in 1...3 {
                    _ = try server.run("entity", "show", "album", "album-1")
                    _ = try server.run("entity", "remove", "album", "album-\(number)")
                }
                _ = try server.run("entity", "list", "album")
            } _: { folder in
                let all = try replay(folder)
                #expect(all.status == 0, "\(all)")
                // The one that is not compared is the status that told that the server is up.
                #expect(all.output.contains(" 0 different, 0 failed, 1 not compared"))
                let part = try replay(folder, "--service", "entity.list", "--json")
                #expect(try summary(part)["same"]?.integer == 1)
                let last = try MessageLogReader(folder: "\(folder)/log").last
                let bounded = try replay(
                    folder, "--from", "#\(last - 1)", "--until", "#\(last)", "--json")
                #expect(try summary(bounded)["same"]?.integer == 2)
                let early = try replay(folder, "--until", "0ms", "--json")
                #expect(try summary(early)["notCompared"]?.integer == 1)
                #expect(try summary(early)["same"]?.integer == 0)
            }
        }

        @Test func aRunningServerIsComparedAndRulesSayWhatMayDiffer() async throws {
            try await withTemporaryDirectory { folder in
                try Covers.write(3, to: folder, concertDate: Traffic.concertDate)
                let server = Deployment(folder: folder)
                try await server.serve(["--record", "\(folder)/log"])
                _ = try server.run("import", "album", "\(folder)/albums.jsonl")
                for number in 1...3 { _ = try server.run("open", "album", "album-\(number)") }
                _ = try server.run("entity", "remove", "album", "album-3")
                let address = "127.0.0.1:\(server.port)"
                try await Task.sleep(for: .milliseconds(1_500))
                func replay(_ more: String...) throws -> Command.Result {
                    try Command.run(
                        [
                            "replay", "\(folder)/log", "--to", address, "--service",
                            "intent.open", "--json",
                        ] + more)
                }
                let plain = try replay("--junit", "\(folder)/report.xml")
                #expect(plain.status == 1)
                #expect(try summary(plain)["different"]?.integer == 1, "\(plain)")
                #expect(try summary(plain)["same"]?.integer == 2)
                #expect(plain.output.contains(#"outcome: \"complete\" → \"NOT_FOUND\""#))
                let report = try String(contentsOfFile: "\(folder)/report.xml", encoding: .utf8)
                #expect(report.contains(#"tests="3" failures="1""#))
                try Covers.save(
                    Array(#"[{"service":"intent.open","path":"outcome","ignore":true}]"#.utf8),
                    "\(folder)/rules.json")
                let allowed = try replay("--rules", "\(folder)/rules.json")
                #expect(allowed.status == 0, "\(allowed)")
                #expect(try summary(allowed)["allowed"]?.integer == 1)
                let quiet = try replay("--noise", "--baseline", address)
                #expect(quiet.status == 1)
                #expect(try summary(quiet)["noise"]?.object?.isEmpty == true)
            }
        }

        @Test func hashesNeedTheirFilesBack() async throws {
            try await withRecording(["--attachments", "hash"]) { server, folder in
                _ = try server.run(
                    "search", "\(folder)/photo-2.jpg", "--as-of", Traffic.asOf)
            } _: { folder in
                let without = try replay(folder, "--service", "image.search", "--json")
                #expect(without.status == 1)
                #expect(without.errors.contains("nothing was compared"))
                #expect(try summary(without)["notCompared"]?.integer == 1)
                let photo = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/photo-2.jpg"))
                try FileManager.default.createDirectory(
                    atPath: "\(folder)/files", withIntermediateDirectories: false)
                let hash = ContentHash.of(Array(photo))
                try Covers.save(Array(photo), "\(folder)/files/\(hash)")
                let with = try replay(
                    folder, "--service", "image.search", "--json", "--attachments-from",
                    "\(folder)/files")
                #expect(try summary(with)["same"]?.integer == 1, "\(with)")
            }
        }

        @Test func gapsAndErasedExchangesAreShown() async throws {
            try await withRecording { server, folder in
                _ = try server.run("upcoming", "ada")
                _ = try server.run("entity", "list")
            } _: { folder in
                do {
                    let writer = try MessageLogWriter(folder: "\(folder)/log", newEpoch: 1)
                    try writer.append([
                        .gap(
                            RecordingGap(count: 7, firstOffset: 1, lastOffset: 2),
                            Timestamp(milliseconds: 0))
                    ])
                }
                let result = try replay(folder, "--service", "entity.list")
                #expect(result.status == 0, "\(result)")
                #expect(result.output.contains("the recording lacks 7 exchanges"))
                #expect(!result.output.contains("#"))
                try FileManager.default.removeItem(atPath: "\(folder)/data/journal/keys")
                let erased = try replay(folder, "--json")
                #expect(try summary(erased)["erased"]?.integer == 1, "\(erased)")
                // Of which service it was, nobody knows: it is counted, and not listed.
                let part = try replay(folder, "--service", "entity.list")
                #expect(part.status == 0, "\(part)")
                #expect(!part.output.contains("#"))
                #expect(part.output.contains(" 0 not compared, 1 erased of unknown services; "))
            }
        }

        @Test func aRecordingBesideAnotherJournalIsRefused() async throws {
            try await withRecording { server, _ in
                _ = try server.run("entity", "list")
            } _: { folder in
                let other = Deployment(folder: "\(folder)/other")
                try await other.serve()
                other.processes["serve"]?.terminate()
                _ = other.processes["serve"]?.wait()
                let result = try Command.run([
                    "replay", "\(folder)/log", "--data", "\(folder)/other/data",
                ])
                #expect(result.status == 2)
                #expect(result.errors.contains("another journal"))
                let nothing = try Command.run(["replay", "\(folder)/data"])
                #expect(nothing.status == 2)
                #expect(nothing.errors.contains("holds no recording"))
            }
        }
    }
}
