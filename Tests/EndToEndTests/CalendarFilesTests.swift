import Foundation
import Messages
import TestSupport
import Testing

extension EndToEndTests {
    /// The commands that look into calendars without a server.
    struct CalendarFilesTests {
        private static let calendar = """
            BEGIN:VCALENDAR
            BEGIN:VEVENT
            UID:a
            DTSTART;TZID=Europe/Berlin:20260601T200000
            DURATION:PT2H
            RRULE:FREQ=DAILY;COUNT=3
            SUMMARY:Air at Olympia
            END:VEVENT
            BEGIN:VEVENT
            UID:a
            RECURRENCE-ID:20260602T180000Z
            DTSTART:20260602T180000Z
            STATUS:CANCELLED
            END:VEVENT
            BEGIN:VEVENT
            UID:b
            DTSTART;VALUE=DATE:20260602
            RRULE:FREQ=DAILY;UNTL=20260605
            END:VEVENT
            END:VCALENDAR
            """

        private func expand(_ options: String...) throws -> (status: Int32, output: String) {
            try withTemporaryDirectory { folder in
                let path = "\(folder)/one.ics"
                try Data(Self.calendar.utf8).write(to: URL(fileURLWithPath: path))
                let answer = try Command.run(["calendar", "expand", path] + options)
                return (answer.status, answer.output)
            }
        }

        @Test func occurrencesAreCountedInAWindow() throws {
            let window = ["--from", "2026-06-01T00:00:00Z", "--to", "2026-07-01T00:00:00Z"]
            #expect(
                try expand(window[0], window[1], window[2], window[3], "--count").output
                    == "3\n")
            let all = try expand(
                "--from", "2026-06-01", "--to", "2026-07-01", "--count", "--with-cancelled")
            #expect(all.output == "4\n")
            // In each event's own zone: eight in the evening is not yet nine.
            let own = try expand(
                "--from", "2026-06-01T19:00:00", "--to", "2026-06-01T20:00:00", "--count")
            #expect(own.output == "0\n")
            #expect(try expand("--from", "2026-06-01").status == 2)
            #expect(
                try expand("--from", "2026-06-01", "--to", "2026-07-01T00:00:00Z").status == 2
            )
        }

        @Test func occurrencesSayWhyTheyAreThere() throws {
            let answer = try expand(
                "--from", "2026-06-01", "--to", "2026-07-01", "--json", "--zone", "Europe/Berlin")
            let json = try JSONValue(parsing: Array(answer.output.utf8))
            let found = json["occurrences"]?.array ?? []
            #expect(found.map { $0["why"]?.text } == ["rule", "start", "rule"])
            #expect(found.first?["start"]?.text == "2026-06-01T18:00:00Z")
            #expect(found.dropFirst().first?["start"]?.text == "2026-06-02")
            #expect(json["faults"]?.array?.first?["code"]?.text == "ruleInvalid")
        }

        @Test func matchesSayWhy() throws {
            try withTemporaryDirectory { folder in
                let path = "\(folder)/names.txt"
                try Data("Air\nRadiohead\n".utf8).write(to: URL(fileURLWithPath: path))
                let match = ["calendar", "match", "Air at Olympia", "County Fair", "--names", path]
                let whole = try Command.run(match + ["--json"])
                let titles = try JSONValue(parsing: Array(whole.output.utf8))["titles"]?.array ?? []
                #expect(titles.map { $0["matches"]?.array?.count } == [1, 0])
                let refused = titles.last?["refused"]?.array?.first
                #expect(refused?["why"] == .array([.string("caseFolded"), .string("insideWord")]))
                let contained = try Command.run(match + ["--mode", "contains", "--json"])
                let other = try JSONValue(parsing: Array(contained.output.utf8))["titles"]?.array
                #expect(other?.map { $0["matches"]?.array?.count } == [1, 1])
                #expect(try Command.run(["calendar", "match", "x", "--names", path]).status == 1)
                #expect(try Command.run(match + ["--mode", "words"]).status == 2)
            }
        }
    }
}
