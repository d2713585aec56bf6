import Calendar
import TestSupport
import Testing

/// Events are kept until some time behind their last occurrence.
struct RetentionTests {
    private func event(_ uid: String, _ lines: String) -> [UInt8] {
        Samples.calendar("BEGIN:VEVENT\nUID:\(uid)\n\(lines)\nEND:VEVENT")
    }

    private func update(
        _ revision: Int, _ put: [[UInt8]] = [], removed: [String] = [], zone: String = "UTC",
        from: String = "20260601T000000"
    ) throws -> CalendarUpdate {
        CalendarUpdate(
            revision: revision, zone: zone, put: put, removed: removed,
            retainedFrom: try Samples.instant(from))
    }

    @Test(arguments: [
        ("DTSTART:20260531T230000Z\nDTEND:20260601T000000Z", false),
        ("DTSTART:20260531T230000Z\nDTEND:20260601T000001Z", true),
        ("DTSTART:20200101T120000Z\nRRULE:FREQ=YEARLY", true),
        ("DTSTART:20200101T120000Z\nRRULE:FREQ=YEARLY;UNTIL=20260101T120000Z", false),
        ("DTSTART:20200101T120000Z\nRRULE:FREQ=DAILY;COUNT=100", false),
        ("DTSTART:20200101T120000Z\nRRULE:FREQ=DAILY;COUNT=5000", true),
        ("DTSTART:20200101T120000Z\nRDATE:20270101T120000Z", true),
        ("DTSTART;VALUE=DATE:20260531", false),
        ("DTSTART;VALUE=DATE:20260601", true),
        ("DTSTART:20200101T120000Z\nSTATUS:CANCELLED", false),
        // Nothing says when it is.
        ("SUMMARY:no time", true),
        ("DTSTART:20300101T120000Z\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31", true),
    ])
    func whatEndedBeforeTheInstantIsNotKept(_ lines: String, isKept: Bool) throws {
        var held = HeldCalendar()
        let outcome = held.apply(try update(1, [event("a", lines)]), bytesMax: 10_000)
        #expect(held.resources.keys.contains("a") == isKept, "\(lines)")
        #expect(outcome.put == (isKept ? ["a"] : []))
        #expect(outcome.removed == (isKept ? [] : ["a"]))
    }

    @Test func anOverrideThatMovedAheadKeepsItsSeries() throws {
        let moved = Samples.calendar(
            """
            BEGIN:VEVENT
            UID:a
            DTSTART:20260101T120000Z
            RRULE:FREQ=DAILY;COUNT=2
            END:VEVENT
            BEGIN:VEVENT
            UID:a
            RECURRENCE-ID:20260102T120000Z
            DTSTART:20261202T120000Z
            END:VEVENT
            """)
        var held = HeldCalendar()
        _ = held.apply(try update(1, [moved]), bytesMax: 10_000)
        #expect(held.resources.count == 1)
    }

    @Test func timeTakesEventsOutAtTheNextChangeAndOlderOnesDoNotBringThemBack() throws {
        var held = HeldCalendar()
        let july = event("a", "DTSTART:20260701T120000Z")
        _ = held.apply(
            try update(1, [july, event("b", "DTSTART:20270101T120000Z")]), bytesMax: 10_000)
        let outcome = held.apply(
            try update(2, removed: ["x"], from: "20260702T000000"), bytesMax: 10_000)
        #expect(outcome.removed == ["x", "a"])
        #expect(held.resources.keys.sorted() == ["b"])
        #expect(held.removals["a"] == 1)
        let second = try Samples.instant("20260702T000000")
        #expect(held.retainedFrom == second)
        // An earlier instant, as of a clock that was set back, changes nothing.
        _ = held.apply(try update(3, [july], from: "20260101T000000"), bytesMax: 10_000)
        #expect(held.resources.keys.sorted() == ["b"])
    }

    @Test func zonesDoNotCount() throws {
        // Half past two in Honolulu is half an hour into the day of the instant.
        for lines in [
            "DTSTART:20260531T120000\nDTEND:20260531T143000",
            "DTSTART;TZID=Pacific/Honolulu:20260531T120000\nDTEND;TZID=Pacific/Honolulu:20260531T143000",
        ] {
            var held = HeldCalendar()
            _ = held.apply(
                try update(1, [event("a", lines)], zone: "Pacific/Honolulu"), bytesMax: 10_000)
            #expect(held.resources.isEmpty)
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func appliedTwiceOrFromWhatIsHeldIsTheSame(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var held = HeldCalendar()
        let start = try Samples.instant("20260601T000000")
        for revision in 1...60 {
            let day = Int.random(in: 1...28, using: &random)
            let month = Int.random(in: 4...9, using: &random)
            let text = event(
                "\(Int.random(in: 0..<15, using: &random))",
                "DTSTART:2026\(month < 10 ? "0" : "")\(month)\(day < 10 ? "0" : "")\(day)T120000")
            let update = CalendarUpdate(
                revision: revision, zone: Bool.random(using: &random) ? "UTC" : "Asia/Tokyo",
                put: [text], retainedFrom: start + Int64(revision) * 86_400_000)
            var again = held
            _ = held.apply(update, bytesMax: 10_000)
            _ = again.apply(update, bytesMax: 10_000)
            _ = again.apply(update, bytesMax: 10_000)
            #expect(again == held)
        }
        #expect(!held.resources.isEmpty)
    }
}
