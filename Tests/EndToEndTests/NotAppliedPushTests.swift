import Foundation
import TestSupport
import Testing

extension EndToEndTests {
    /// The push commands say what of what they pushed does not count; there is no worker that could
    /// know it.
    @Suite(.serialized, .timeLimit(.minutes(3)))
    struct NotAppliedPushTests {
        @Test func whatIsNotAppliedIsSaidWithItsPlace() async throws {
            try await withTemporaryDirectory { folder in
                let deployment = Deployment(folder: folder)
                try await deployment.startRoles(workers: 0)
                try await deployment.untilListening()
                func write(_ name: String, _ text: String) throws -> String {
                    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
                    return "\(folder)/\(name)"
                }
                for command in ["calendar", "contacts", "health"] {
                    let allowed = try deployment.run(command, "access", "ada", "fullAccess")
                    #expect(allowed.status == 0, "\(allowed)")
                }
                let trip = try write(
                    "trip.ics",
                    "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:good\nDTSTART:20260601T180000Z\nEND:VEVENT\n"
                        + "BEGIN:VEVENT\nUID:trip\nDTSTART;TZID=Nowhere:20260601T180000\n"
                        + "RRULE:FREQ=DAILY;UNTL=1\nEND:VEVENT\nEND:VCALENDAR\n")
                let page = try write("page.ics", "<html>")
                let calendar = try deployment.run("calendar", "push", "ada", "home", trip, page)
                #expect(calendar.status == 1)
                let lines = calendar.errors.split(separator: "\n").map(String.init)
                #expect(
                    lines == [
                        "sightline: '\(page)': notACalendar: the text has no BEGIN of a component",
                        "sightline: '\(trip)': trip: ruleInvalid: RRULE: there is no part UNTL",
                        "sightline: '\(trip)': trip: zoneUnknown: TZID Nowhere: the zone of floating "
                            + "values is used",
                    ])
                #expect(calendar.output.hasPrefix("stored 2 events, not applied 3 at position "))
                let cards = try write(
                    "friends.vcf",
                    "BEGIN:VCARD\nVERSION:2.1\nN:x\nEND:VCARD\n"
                        + "BEGIN:VCARD\nVERSION:4.0\nFN:Ada\nEND:VCARD\n")
                let contacts = try deployment.run("contacts", "push", "ada", "friends", cards)
                #expect(contacts.status == 1)
                #expect(contacts.errors.contains("'\(cards)' card 1: versionUnsupported"))
                #expect(contacts.output.hasPrefix("stored 1 contact, not applied 1 at position "))
                let beats = try write(
                    "beats.jsonl",
                    #"{"id":"a","kind":"heartRate","start":1,"rate":{"value":60,"unit":"count/min"}}"#
                        + "\nnothing\n"
                        + #"{"id":"b","kind":"heartRate","start":1,"rate":{"value":60,"unit":"Hz/s"}}"#
                )
                let health = try deployment.run("health", "push", "ada", "watch", beats)
                #expect(health.status == 1)
                #expect(health.errors.contains("'\(beats)' line 2: "))
                #expect(
                    health.errors.contains("'\(beats)' line 3: entryInvalid: rate.unit must be"))
                #expect(health.output.hasPrefix("stored 1 reading, not applied 2 at position "))
            }
        }

        @Test func textThatIsNoUTF8IsPushedAsItIsRead() async throws {
            try await withTemporaryDirectory { folder in
                try Covers.write(1, to: folder, concertDate: "2026-12-20T19:00:00Z")
                let deployment = Deployment(folder: folder)
                try await deployment.serve()
                #expect(try deployment.run("import", "album", "\(folder)/albums.jsonl").status == 0)
                #expect(try deployment.run("calendar", "access", "ada", "fullAccess").status == 0)
                // A fold inside a character, and a byte of Windows-1252.
                let head =
                    "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTART:20261210T180000Z\r\n"
                let bytes =
                    Array("\(head)SUMMARY:Artist 1 in K".utf8) + [0xC3, 0x0D, 0x0A, 0x20, 0xB6]
                    + Array("ln ".utf8) + [0x96] + Array(" live\r\n".utf8)
                    + Array("END:VEVENT\r\nEND:VCALENDAR\r\n".utf8)
                try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/a.ics"))
                let pushed = try deployment.run(
                    "calendar", "push", "ada", "home", "\(folder)/a.ics")
                #expect(pushed.status == 0, "\(pushed)")
                let list = try deployment.run("upcoming", "ada", "--as-of", "2026-12-01T12:00:00Z")
                #expect(list.output.contains("Artist 1 in Köln – live"), "\(list)")
            }
        }
    }
}
