import Foundation
import Messages
import TestSupport
import Testing

extension EndToEndTests {
    /// The example producer between a real CalDAV server and real roles.
    @Suite(.serialized, .timeLimit(.minutes(3)))
    struct CalDAVTests {
        private static let python = ProcessInfo.processInfo.environment["SIGHTLINE_PYTHON"]

        private func event(_ uid: String, _ title: String) -> String {
            """
            BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\nBEGIN:VEVENT\r\nUID:\(uid)\r
            DTSTAMP:20261101T000000Z\r\nDTSTART:20261220T190000Z\r\nSUMMARY:\(title)\r
            END:VEVENT\r\nEND:VCALENDAR\r\n
            """
        }

        @Test(.enabled(if: python != nil || SharedFolder.isRequired))
        func aCalendarOfACalDAVServerIsFollowed() async throws {
            let python = try #require(Self.python, "deploy/test sets SIGHTLINE_PYTHON")
            try await withTemporaryDirectory { folder in
                try Covers.write(3, to: folder, concertDate: "2026-12-20T19:00:00Z")
                let deployment = Deployment(folder: folder)
                try await deployment.startRoles(workers: 1)
                #expect(try deployment.run("import", "album", "\(folder)/albums.jsonl").status == 0)
                let server = try await CalDAVServer(folder: folder, python: python)
                defer { server.stop() }
                func produce(_ expected: String, status: Int32 = 0) throws {
                    let script = PackageRoot.path("deploy/clients/python/caldav_producer.py")
                    let result = try Command.run(
                        [
                            "SIGHTLINE_CALDAV_PASSWORD=secret", python, script, "ada", "home",
                            server.calendar, "--user", "ada", "--state", "\(folder)/state.json",
                            "--connect", "tcp://127.0.0.1:\(deployment.port)",
                        ], executable: "/usr/bin/env")
                    let said = result.output + result.errors
                    #expect(result.status == status && said.contains(expected), "\(result)")
                }
                /// What is upcoming, once the worker has what was stored before.
                func expect(_ expected: String...) async throws {
                    var titles: [String] = []
                    for _ in 0..<100 where titles != expected {
                        let result = try deployment.run(
                            "upcoming", "ada", "--as-of", "2026-12-01T12:00:00Z", "--json")
                        let json = try JSONValue(parsing: Array(result.output.utf8))
                        titles = (json["results"]?.array ?? []).compactMap { $0["title"]?.text }
                    }
                    #expect(titles == expected)
                }
                for number in 1...3 {
                    try server.put(
                        "\(number) x.ics", event("u\(number)", "Artist \(number) live"))
                }
                // Nothing is published, and nothing counts as published, without access.
                try produce("ACCESS_REQUIRED", status: 1)
                #expect(try deployment.run("calendar", "access", "ada", "fullAccess").status == 0)
                try produce("from the start: 3 put, 0 removed")
                try await expect("Artist 1 live", "Artist 2 live", "Artist 3 live")
                try produce("nothing new")

                try server.put("1 x.ics", event("u1", "Artist 3 again"))
                try server.delete("2 x.ics")
                try produce("1 put, 1 removed")
                try await expect("Artist 3 again", "Artist 3 live")

                // The token dies, and with it what the server knows of the object that went.
                try server.forgetTokens()
                try server.delete("3 x.ics")
                try server.put("4 x.ics", event("u4", "Artist 2 returns"))
                try produce("from the start: 2 put, 0 removed")
                try await expect("Artist 3 again", "Artist 2 returns")

                // A producer that lost what it remembers begins anew, above what it published.
                try FileManager.default.removeItem(atPath: "\(folder)/state.json")
                try server.delete("4 x.ics")
                try produce("from the start: 1 put, 0 removed")
                try await expect("Artist 3 again")
            }
        }
    }
}

/// Radicale on a port of its own, with one user and one calendar.
private final class CalDAVServer {
    let calendar: String
    private let process = Process()
    private let python: String
    private let folder: String

    init(folder: String, python: String) async throws {
        let port = Int.random(in: 32_000...38_000)
        calendar = "http://127.0.0.1:\(port)/ada/home/"
        self.python = python
        self.folder = folder
        try Covers.save(Array("ada:secret\n".utf8), "\(folder)/users")
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = [
            "-m", "radicale", "--config", "", "--server-hosts", "127.0.0.1:\(port)",
            "--storage-filesystem-folder", "\(folder)/caldav", "--auth-type", "htpasswd",
            "--auth-htpasswd-filename", "\(folder)/users", "--auth-htpasswd-encryption", "plain",
            "--logging-level", "error",
        ]
        process.environment = Command.environment
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        for _ in 0..<200 {
            // The first login makes the user's folder.
            if try call("PROPFIND", "http://127.0.0.1:\(port)/ada/").status == 0 { break }
            try await Task.sleep(for: .milliseconds(50))
        }
        let made = try call("MKCALENDAR", calendar)
        #expect(made.status == 0, "\(made)")
    }

    deinit { stop() }

    /// At once: children of this process start with SIGTERM blocked.
    func stop() {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    func put(_ name: String, _ text: String) throws {
        let result = try call("PUT", calendar + name.replacing(" ", with: "%20"), text)
        #expect(result.status == 0, "\(result)")
    }

    func delete(_ name: String) throws {
        let result = try call("DELETE", calendar + name.replacing(" ", with: "%20"))
        #expect(result.status == 0, "\(result)")
    }

    /// As a server does that keeps tokens for a time.
    func forgetTokens() throws {
        try FileManager.default.removeItem(
            atPath: "\(folder)/caldav/collection-root/ada/home/.Radicale.cache/sync-token")
    }

    private func call(_ method: String, _ url: String, _ text: String = "") throws -> Command.Result
    {
        let program = """
            import base64, sys, urllib.request
            method, url, text = sys.argv[1:]
            headers = {"Authorization": "Basic " + base64.b64encode(b"ada:secret").decode(),
                       "Content-Type": "text/calendar", "Depth": "0"}
            data = text.encode() if text else None
            urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method), timeout=5)
            """
        return try Command.run(["-c", program, method, url, text], executable: python)
    }
}
