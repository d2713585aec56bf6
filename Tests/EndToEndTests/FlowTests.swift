import Foundation
import Messages
import Raster
import Service
import TestSupport
import Testing

extension EndToEndTests {
    /// The whole flow through the command, against everything in one process.
    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct FlowTests {
        private static let asOf = "2026-12-01T12:00:00Z"
        private static let calendar = """
            BEGIN:VCALENDAR\r
            VERSION:2.0\r
            PRODID:-//test//EN\r
            BEGIN:VEVENT\r
            UID:one\r
            DTSTAMP:20261101T000000Z\r
            DTSTART:20261220T190000Z\r
            DTEND:20261220T210000Z\r
            SUMMARY:tickets for ARTIST 2\r
            END:VEVENT\r
            BEGIN:VEVENT\r
            UID:two\r
            DTSTAMP:20261101T000000Z\r
            DTSTART:20261221T190000Z\r
            RRULE:FREQ=WEEKLY;COUNT=3\r
            SUMMARY:Choir\r
            END:VEVENT\r
            END:VCALENDAR\r\n
            """

        /// A running server with six albums and their concerts.
        private func withCatalog(
            _ more: (String) -> [String] = { _ in [] },
            _ body: (Deployment, String) async throws -> Void
        ) async throws {
            try await withTemporaryDirectory { folder in
                try Covers.write(6, to: folder, concertDate: "2026-12-20T19:00:00Z")
                let deployment = Deployment(folder: folder)
                try await deployment.serve(more(folder))
                let albums = try deployment.run("import", "album", "\(folder)/albums.jsonl")
                #expect(albums.output.hasPrefix("imported 6, unchanged 0, skipped 0"), "\(albums)")
                let concerts = try deployment.run("import", "concert", "\(folder)/concerts.jsonl")
                #expect(concerts.status == 0, "\(concerts)")
                try await body(deployment, folder)
                try deployment.process("serve").terminate()
                #expect(try deployment.process("serve").wait() == 0)
            }
        }

        private func results(_ result: Command.Result) throws -> [JSONValue] {
            try #require(JSONValue(parsing: Array(result.output.utf8))["results"]?.array)
        }

        @Test func photographFindsAlbumAndItsConcert() async throws {
            try await withCatalog { server, folder in
                let found = try results(
                    server.run("search", "\(folder)/photo-2.jpg", "--json", "--as-of", Self.asOf))
                #expect(found.map { $0["id"]?.text } == ["album-2", "concert-2"])
                #expect(found[0]["route"]?.text == "sightline://album/album-2")
                #expect(found[1]["route"]?.text == "sightline://concert/concert-2")
                #expect(found[1]["parent"]?["id"]?.text == "album-2")
                let same = try results(
                    server.run("search", "\(folder)/cover-3.png", "--json", "--as-of", Self.asOf))
                #expect(same.first?["id"]?.text == "album-3")
                #expect(same.first?["distance"]?.integer == 0)
                let stranger = try server.run("search", "\(folder)/stranger.jpg", "--json")
                #expect(try results(stranger).isEmpty)
                #expect(stranger.status == 0)
                let limited = try results(
                    server.run(
                        "search", "\(folder)/photo-2.jpg", "--json", "--as-of", Self.asOf,
                        "--limit",
                        "1"))
                #expect(limited.map { $0["id"]?.text } == ["album-2"])
            }
        }

        @Test func repeatedImportLeavesRowsAlone() async throws {
            try await withCatalog { server, folder in
                let again = try server.run("import", "album", "\(folder)/albums.jsonl")
                #expect(again.output.hasPrefix("imported 0, unchanged 6, skipped 0"), "\(again)")
                try Covers.save(
                    Array(
                        """
                        {"id":"album-7","properties":{"name":"Seven","artistName":"A"},"pictures":["no.png"]}
                        not json
                        {"id":"album-8","properties":{"name":"Eight"}}
                        """.utf8), "\(folder)/bad.jsonl")
                let bad = try server.run("import", "album", "\(folder)/bad.jsonl")
                #expect(bad.status == 1)
                #expect(bad.output.hasPrefix("imported 0, unchanged 0, skipped 3"), "\(bad)")
                for place in ["line 1", "line 2", "line 3"] { #expect(bad.errors.contains(place)) }
            }
        }

        @Test func entitiesAreListedShownOpenedAndRemoved() async throws {
            try await withCatalog { server, folder in
                let list = try server.run("entity", "list", "album")
                #expect(list.output.split(separator: "\n").count == 7)
                #expect(
                    try server.run("entity", "show", "album", "album-1").output.contains("Record 1")
                )
                #expect(
                    try server.run("open", "concert", "concert-1").output
                        == "sightline://concert/concert-1\n")
                #expect(try server.run("open", "concert", "nobody").status == 4)
                #expect(try server.run("entity", "remove", "album", "album-1").status == 0)
                #expect(try server.run("entity", "show", "album", "album-1").status == 1)
                let found = try results(server.run("search", "\(folder)/photo-1.jpg", "--json"))
                #expect(found.isEmpty)
            }
        }

        @Test func printMadeBeforehandSearchesLikeItsPicture() async throws {
            try await withCatalog { server, folder in
                let made = try server.run(
                    "print", "\(folder)/photo-4.jpg", "--out", "\(folder)/photo-4.print")
                #expect(made.status == 0, "\(made)")
                let picture = try results(
                    server.run("search", "\(folder)/photo-4.jpg", "--json", "--as-of", Self.asOf))
                let printed = try results(
                    server.run(
                        "search", "--print", "\(folder)/photo-4.print", "--json", "--as-of",
                        Self.asOf))
                #expect(picture.map { $0["id"] } == printed.map { $0["id"] })
                #expect(picture.first?["distance"] == printed.first?["distance"])
            }
        }

        @Test func calendarNeedsAccessAndMarksConcerts() async throws {
            try await withCatalog { server, folder in
                try Covers.save(Array(Self.calendar.utf8), "\(folder)/home.ics")
                let refused = try server.run("upcoming", "ada", "--as-of", Self.asOf)
                #expect(refused.status == 4)
                #expect(refused.errors.contains("ACCESS_REQUIRED"))
                #expect(try server.run("calendar", "access", "ada", "fullAccess").status == 0)
                #expect(
                    try server.run("calendar", "push", "ada", "home", "\(folder)/home.ics").status
                        == 0)
                let upcoming = try results(
                    server.run("upcoming", "ada", "--as-of", Self.asOf, "--json"))
                #expect(upcoming.map { $0["uid"]?.text } == ["one"])
                let routes = upcoming.first?["matches"]?.array?.first?["entities"]?.array?
                    .compactMap { $0["route"]?.text }
                #expect(routes == ["sightline://album/album-2", "sightline://concert/concert-2"])
                let found = try results(
                    server.run(
                        "search", "\(folder)/photo-2.jpg", "--json", "--as-of", Self.asOf,
                        "--account",
                        "ada"))
                #expect(found.last?["inCalendar"]?.bool == true)
                #expect(try server.run("calendar", "access", "ada", "denied").status == 0)
                // The worker learns of it a moment after the journal has.
                var status: Int32 = 0
                for _ in 0..<100 where status != 4 {
                    status = try server.run("upcoming", "ada", "--as-of", Self.asOf).status
                }
                #expect(status == 4)
            }
        }

        @Test func recordedDayIsReplayedToTheSameBytes() async throws {
            try await withCatalog({ ["--record", "\($0)/recording"] }) { server, folder in
                for number in [1, 2, 3] {
                    _ = try server.run(
                        "search", "\(folder)/photo-\(number).jpg", "--as-of", Self.asOf)
                }
                _ = try server.run("entity", "remove", "album", "album-2")
                _ = try server.run("search", "\(folder)/photo-2.jpg", "--as-of", Self.asOf)
                _ = try server.run("entity", "list")
                let replay = try Command.run([
                    "replay", "\(folder)/recording", "--data", "\(folder)/data",
                ])
                #expect(replay.status == 0, "\(replay)")
                #expect(replay.output.contains(" 0 different, 0 failed"), "\(replay)")
            }
        }

        @Test func largePictureIsAtDistanceZeroFromItself() async throws {
            try await withTemporaryDirectory { folder in
                let server = Deployment(folder: folder)
                try await server.serve()
                try Covers.save(Covers.cover(seed: 5, side: 1_500).png(), "\(folder)/large.png")
                #expect(try server.run("import", "movie", "--pictures", folder).status == 0)
                let found = try results(server.run("search", "\(folder)/large.png", "--json"))
                #expect(found.first?["distance"]?.integer == 0)
            }
        }

        @Test func unknownZoneIsToldAndTheEventsAreKept() async throws {
            try await withCatalog { server, folder in
                try Covers.save(Array(Self.calendar.utf8), "\(folder)/home.ics")
                _ = try server.run("calendar", "access", "ada", "fullAccess")
                _ = try server.run("calendar", "push", "ada", "home", "\(folder)/home.ics")
                let refused = try server.run(
                    "calendar", "push", "ada", "work", "\(folder)/home.ics", "--zone", "No/Zone")
                #expect(refused.status == 2)
                let connection = try RouterConnection.open(server.client, name: "test")
                defer { connection.close() }
                let change = CalendarChange(
                    calendar: "work", revision: 1, zone: "No/Zone", reset: false,
                    put: [Self.calendar], remove: [])
                try await connection.change(
                    .change(
                        .calendarChange, change.json, source: "test", id: "1",
                        partitionKey: "ada/work", account: "ada", budgetMilliseconds: 2_000))
                let upcoming = try results(
                    server.run("upcoming", "ada", "--as-of", Self.asOf, "--json"))
                #expect(upcoming.map { $0["calendar"]?.text } == ["home", "work"])
                let status = try server.run("status").output
                #expect(status.contains("putAside: 1") && status.contains("zoneUnknown"))
            }
        }

        @Test func errorsAreReplayedAtTheirPositions() async throws {
            try await withCatalog({ ["--record", "\($0)/recording"] }) { server, folder in
                for status in ["writeOnly", "denied", "restricted"] {
                    _ = try server.run("calendar", "access", "ada", status)
                    #expect(try server.run("upcoming", "ada").status == 4)
                }
                let replay = try Command.run([
                    "replay", "\(folder)/recording", "--data", "\(folder)/data",
                ])
                #expect(replay.status == 0, "\(replay)")
            }
        }

        @Test func aReplicaHasOneWorker() async throws {
            try await withCatalog { server, folder in
                let second = try Command.run([
                    "worker", "--connect", ":\(server.port + 1)", "--journal",
                    ":\(server.port + 2)", "--data", "\(folder)/data", "--name", "embedded",
                ])
                #expect(second.status == 2)
                #expect(second.errors.contains("--name"), "\(second)")
            }
        }

        @Test func commandSaysWhatIsWrong() throws {
            let nowhere = try Command.run(["status", "--connect", "127.0.0.1:1"])
            #expect(nowhere.status == 3)
            #expect(nowhere.errors.contains("sightline serve"))
            #expect(try Command.run(["serch"]).status == 2)
            #expect(try Command.run(["search", "--regionn", "1"]).errors.contains("--regionn"))
            #expect(try Command.run(["search", "/no/such.jpg"]).errors.contains("does not exist"))
            let open = try Command.run(["serve", "--listen", "0.0.0.0:5570"])
            #expect(open.status == 2)
            #expect(open.errors.contains("--trust-network"))
            #expect(try Command.run(["limits"]).output.contains("frameBytesMax"))
            #expect(try Command.run(["version"]).output.contains("sightline "))
        }
    }
}
