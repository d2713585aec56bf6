import Foundation
import Messages
import TestSupport
import Testing

extension EndToEndTests {
    /// `sightline calendar watch` with real processes and files.
    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct CalendarWatchTests {
        private struct Fixture {
            let deployment: Deployment
            let folder: String
            var watched: String { "\(folder)/calendar" }

            func write(_ name: String, _ events: [(uid: String, title: String)]) throws {
                let lines = events.flatMap {
                    [
                        "BEGIN:VEVENT", "UID:\($0.uid)", "DTSTART:20301220T190000Z",
                        "SUMMARY:\($0.title)", "END:VEVENT",
                    ]
                }
                let text = (["BEGIN:VCALENDAR"] + lines + ["END:VCALENDAR", ""]).joined(
                    separator: "\r\n")
                try text.write(
                    toFile: "\(watched)/\(name)", atomically: true, encoding: .utf8)
            }

            func remove(_ name: String) throws {
                try FileManager.default.removeItem(atPath: "\(watched)/\(name)")
            }

            func startWatching() throws -> ServerProcess {
                try ServerProcess(
                    ["calendar", "watch", "ada", "home", watched, "--interval", "100"]
                        + deployment.connect)
            }

            /// Titles by UID, as they are exported.
            func held() throws -> [String: String] {
                let result = try deployment.run("account", "export", "ada")
                var titles: [String: String] = [:]
                for line in result.output.split(separator: "\n") {
                    let row = try JSONValue(parsing: Array(line.utf8))
                    guard let uid = row["uid"]?.text, let text = row["ics"]?.text else { continue }
                    titles[uid] = text.split(whereSeparator: \.isNewline).compactMap {
                        $0.hasPrefix("SUMMARY:") ? String($0.dropFirst(8)) : nil
                    }.joined(separator: "+")
                }
                return titles
            }

            func wait(for expected: [String: String]) async throws {
                for _ in 0..<200 {
                    if try held() == expected { return }
                    try await Task.sleep(for: .milliseconds(50))
                }
                #expect(try held() == expected)
            }
        }

        private func withFixture(_ body: (Fixture) async throws -> Void) async throws {
            try await withTemporaryDirectory { folder in
                let fixture = Fixture(deployment: Deployment(folder: folder), folder: folder)
                try FileManager.default.createDirectory(
                    atPath: fixture.watched, withIntermediateDirectories: true)
                try await fixture.deployment.serve()
                try await body(fixture)
            }
        }

        @Test func pushesWhatIsAddedChangedAndRemoved() async throws {
            try await withFixture { fixture in
                try fixture.write("a.ics", [("a", "one"), ("b", "two")])
                let watcher = try fixture.startWatching()
                // Nothing is taken without access; it is granted while the watcher waits.
                try await Task.sleep(for: .milliseconds(500))
                #expect(try watcher.log().contains("ACCESS_REQUIRED"))
                #expect(try fixture.held() == [:])
                #expect(
                    try fixture.deployment.run("calendar", "access", "ada", "fullAccess").status
                        == 0)
                try await fixture.wait(for: ["a": "one", "b": "two"])
                try fixture.write("c.ics", [("c", "three")])
                try await fixture.wait(for: ["a": "one", "b": "two", "c": "three"])
                try fixture.write("a.ics", [("a", "one, later")])
                try await fixture.wait(for: ["a": "one, later", "c": "three"])
                try fixture.write("notes.txt", [("n", "no calendar")])
                try fixture.remove("c.ics")
                try await fixture.wait(for: ["a": "one, later"])
                watcher.killNow()
            }
        }

        @Test func aHalfWrittenFileKeepsWhatItHeldUntilItIsWhole() async throws {
            try await withFixture { fixture in
                _ = try fixture.deployment.run("calendar", "access", "ada", "fullAccess")
                try fixture.write("a.ics", [("a", "one")])
                let watcher = try fixture.startWatching()
                try await fixture.wait(for: ["a": "one"])
                try "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a\r\n".write(
                    toFile: "\(fixture.watched)/a.ics", atomically: true, encoding: .utf8)
                try fixture.write("b.ics", [("b", "two")])
                try await fixture.wait(for: ["a": "one", "b": "two"])
                #expect(try watcher.log().contains("'a.ics'"))
                try fixture.write("a.ics", [("a", "whole again")])
                try await fixture.wait(for: ["a": "whole again", "b": "two"])
                watcher.killNow()
            }
        }

        @Test func restartsOfWatcherAndServerLoseNothing() async throws {
            try await withFixture { fixture in
                _ = try fixture.deployment.run("calendar", "access", "ada", "fullAccess")
                try fixture.write("a.ics", [("a", "one")])
                try fixture.write("b.ics", [("b", "two")])
                let first = try fixture.startWatching()
                try await fixture.wait(for: ["a": "one", "b": "two"])
                first.killNow()
                // While it is down, a file goes and another comes.
                try fixture.remove("b.ics")
                try fixture.write("c.ics", [("c", "three")])
                let second = try fixture.startWatching()
                try await fixture.wait(for: ["a": "one", "c": "three"])
                // The server is away while something changes.
                try fixture.deployment.process("serve").killNow()
                try fixture.write("a.ics", [("a", "one, later")])
                try await Task.sleep(for: .milliseconds(400))
                try await fixture.deployment.serve()
                try await fixture.wait(for: ["a": "one, later", "c": "three"])
                second.killNow()
            }
        }

        @Test func onceBringsTheCalendarToWhatThereIsAndEnds() async throws {
            try await withFixture { fixture in
                _ = try fixture.deployment.run("calendar", "access", "ada", "fullAccess")
                // More than one page of a change.
                let many = (0..<450).map { (uid: "u\($0)", title: "t\($0)") }
                try fixture.write("many.ics", many)
                let once = try fixture.deployment.run(
                    "calendar", "watch", "ada", "home", fixture.watched, "--once")
                #expect(once.status == 0, "\(once)")
                #expect(once.output.hasPrefix("begun anew: put 450, removed 0 at position "))
                try await fixture.wait(
                    for: Dictionary(uniqueKeysWithValues: many.map { ($0.uid, $0.title) }))
                try fixture.write("many.ics", [("u1", "alone")])
                _ = try fixture.deployment.run(
                    "calendar", "watch", "ada", "home", fixture.watched, "--once")
                try await fixture.wait(for: ["u1": "alone"])
                #expect(
                    try fixture.deployment.run(
                        "calendar", "watch", "ada", "home", "/no/such/folder"
                    ).status == 2)
            }
        }
    }
}
