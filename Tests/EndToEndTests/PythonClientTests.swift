import Foundation
import TestSupport
import Testing

extension EndToEndTests {
    /// The client in another language, written from the specification, against a real server.
    @Suite(.serialized, .timeLimit(.minutes(3)))
    struct PythonClientTests {
        private static let python = ProcessInfo.processInfo.environment["SIGHTLINE_PYTHON"]

        @Test(.enabled(if: python != nil || SharedFolder.isRequired))
        func pythonConnectsWithKeys() async throws {
            let python = try #require(Self.python, "deploy/test sets SIGHTLINE_PYTHON")
            try await withTemporaryDirectory { folder in
                let ring = try KeyRing(folder: folder, allowing: ["ada"])
                try ring.make("eve")
                let deployment = Deployment(folder: folder)
                deployment.keys = try ring.connection("ada")
                try await deployment.serve(ring.server())
                let script = PackageRoot.path("deploy/clients/python/sightline_client.py")
                func open(_ keys: [String]) throws -> Command.Result {
                    let address = ["--connect", "tcp://127.0.0.1:\(deployment.port)"]
                    return try Command.run(
                        [script] + address + keys + ["upcoming", "ada"], executable: python)
                }
                // No access was stated, which a client that is let in is told.
                let right = try open(ring.client("ada"))
                #expect(right.errors.contains("ACCESS_REQUIRED"), "\(right)")
                let unknown = try open(ring.client("eve"))
                #expect(unknown.errors.contains("does not allow this client's key"), "\(unknown)")
                let wrong = try open(ring.client("ada", server: "eve"))
                #expect(wrong.errors.contains("has another key"), "\(wrong)")
                let naked = try open([])
                #expect(naked.errors.contains("only those with an allowed key"), "\(naked)")
                #expect([unknown, wrong, naked].allSatisfy { $0.status == 1 })
            }
        }

        @Test(.enabled(if: python != nil || SharedFolder.isRequired))
        func pythonSearchesAndPushesACalendar() async throws {
            let python = try #require(Self.python, "deploy/test sets SIGHTLINE_PYTHON")
            try await withTemporaryDirectory { folder in
                try Covers.write(3, to: folder, concertDate: "2026-12-20T19:00:00Z")
                let deployment = Deployment(folder: folder)
                try await deployment.serve()
                #expect(try deployment.run("import", "album", "\(folder)/albums.jsonl").status == 0)
                let script = PackageRoot.path("deploy/clients/python/sightline_client.py")
                let address = ["--connect", "tcp://127.0.0.1:\(deployment.port)"]
                let found = try Command.run(
                    [script] + address + ["search", "\(folder)/photo-2.jpg"], executable: python)
                #expect(found.status == 0, "\(found)")
                #expect(found.output.contains("sightline://album/album-2"), "\(found)")
                let calendar = """
                    BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\nBEGIN:VEVENT\r\nUID:one\r
                    DTSTAMP:20261101T000000Z\r\nDTSTART:20261220T190000Z\r\nSUMMARY:Artist 1 live\r
                    END:VEVENT\r\nEND:VCALENDAR\r\n
                    """
                try Covers.save(Array(calendar.utf8), "\(folder)/home.ics")
                #expect(try deployment.run("calendar", "access", "ada", "fullAccess").status == 0)
                let pushed = try Command.run(
                    [script] + address + ["calendar", "push", "ada", "home", "\(folder)/home.ics"],
                    executable: python)
                #expect(pushed.status == 0, "\(pushed)")
                #expect(pushed.errors.isEmpty, "\(pushed)")
                // Another client hears of what does not count, too.
                let other = try Command.run(
                    [script] + address + [
                        "calendar", "push", "ada", "work", "\(folder)/home.ics", "--zone",
                        "Mars/Olympus",
                    ], executable: python)
                #expect(
                    other.errors
                        == "not applied: zone: zoneUnknown: zone Mars/Olympus: the one before "
                        + "stays\n", "\(other)")
                let upcoming = try deployment.run(
                    "upcoming", "ada", "--as-of", "2026-12-01T12:00:00Z")
                #expect(upcoming.output.contains("sightline://album/album-1"), "\(upcoming)")
                let submitted = try Command.run(
                    [script] + address + ["submit", "entity.list", "{\"type\":\"album\"}"],
                    executable: python)
                #expect(submitted.status == 0, "\(submitted)")
                let id = String(submitted.output.prefix { $0 != "\n" })
                let result = try Command.run(
                    [script] + address + ["result", id, "--wait", "10"], executable: python)
                #expect(result.output.contains("album-3"), "\(result)")
                // What one client submits another one fetches.
                #expect(try deployment.run("result", id).output.contains("album-3"))
            }
        }
    }
}
