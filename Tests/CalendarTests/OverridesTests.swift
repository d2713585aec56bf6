import Calendar
import Testing

struct OverridesTests {
    private let series = """
        BEGIN:VEVENT
        UID:a
        DTSTART;TZID=Europe/Paris:20260603T090000
        DTEND;TZID=Europe/Paris:20260603T100000
        SUMMARY:weekly
        SEQUENCE:4
        RRULE:FREQ=WEEKLY;COUNT=4

        """
    /// The starts of the series alone.
    private let plain = [
        "20260603T070000", "20260610T070000", "20260617T070000", "20260624T070000",
    ]

    private func starts(_ more: String, _ override: String? = nil) throws -> [String] {
        try occurrences(more, override).map { Samples.written($0.start) }
    }

    private func occurrences(_ more: String, _ override: String? = nil) throws -> [Occurrence] {
        let events = override.map { "\nBEGIN:VEVENT\nUID:a\n\($0)\nEND:VEVENT" } ?? ""
        return try Samples.expand(
            Samples.calendar(series + more + (more.isEmpty ? "" : "\n") + "END:VEVENT" + events)
        ).occurrences
    }

    @Test("An override that names its instance without a zone is of the series' zone")
    func overrideWithoutZone() throws {
        let moved = "RECURRENCE-ID:20260610T090000\nDTSTART;TZID=Europe/Paris:20260610T120000"
        #expect(try starts("", moved) == [plain[0], "20260610T100000", plain[2], plain[3]])
    }

    @Test func overrideWithoutAnyTimeLastsAsLongAsItsInstance() throws {
        let found = try occurrences("", "RECURRENCE-ID:20260610T070000Z\nSUMMARY:other")
        #expect(found.map(\.title) == ["weekly", "other", "weekly", "weekly"])
        #expect(found.map { $0.end - $0.start } == Array(repeating: 3_600_000, count: 4))
    }

    // MARK: EXDATE and RDATE

    @Test(arguments: [
        "EXDATE;TZID=Europe/Paris:20260610T090000", "EXDATE:20260610T070000Z",
        "EXDATE;VALUE=DATE:20260610", "EXDATE;TZID=Asia/Tokyo:20260610T160000",
        "EXRULE:FREQ=MONTHLY;BYMONTHDAY=10", "EXDATE:20260610T090000",
    ])
    func exceptionRemovesItsInstance(line: String) throws {
        #expect(try starts(line) == [plain[0], plain[2], plain[3]])
    }

    @Test func exceptionOfAnotherInstantRemovesNothing() throws {
        #expect(try starts("EXDATE:20260610T090000Z") == plain)
    }

    @Test(arguments: [
        "EXDATE:20260302T000000", "EXDATE;VALUE=DATE:20260302", "EXDATE:20260302T000000Z",
    ])
    func exceptionOfAnAllDaySeriesNamesItsDate(line: String) throws {
        let lines = "DTSTART;VALUE=DATE:20260301\nRRULE:FREQ=DAILY;COUNT=3\n" + line
        let starts = try Samples.starts(lines, zone: "America/New_York")
        #expect(starts == ["20260301T050000", "20260303T050000"])
    }

    @Test func severalExceptionsInOneLineAllCount() throws {
        #expect(
            try starts("EXDATE:20260603T070000Z,20260610T070000Z,20260624T070000Z") == [plain[2]])
    }

    @Test func repeatedDateCountsOnceAndAnotherIsAdded() throws {
        let dates = "RDATE:20260610T070000Z,20260611T070000Z"
        #expect(try starts(dates) == [plain[0], plain[1], "20260611T070000", plain[2], plain[3]])
    }

    @Test func periodBringsItsOwnLength() throws {
        let found = try occurrences(
            "RDATE;VALUE=PERIOD:20260610T070000Z/PT3H,20260612T070000Z/20260612T090000Z")
        #expect(found.map { ($0.end - $0.start) / 3_600_000 } == [1, 3, 2, 1, 1])
    }

    @Test func dateWithoutRuleStandsBesideTheStart() throws {
        let lines = "DTSTART:20260601T180000Z\nRDATE:20260603T180000Z"
        #expect(try Samples.starts(lines) == ["20260601T180000", "20260603T180000"])
    }

    // MARK: RECURRENCE-ID

    @Test(arguments: [
        "RECURRENCE-ID;TZID=Europe/Paris:20260610T090000", "RECURRENCE-ID:20260610T070000Z",
        "RECURRENCE-ID;VALUE=DATE:20260610",
    ])
    func overrideReplacesTheInstanceOfItsOriginalStart(line: String) throws {
        let found = try occurrences("", line + "\nDTSTART:20260611T120000Z\nSUMMARY:moved")
        #expect(found.map(\.title) == ["weekly", "moved", "weekly", "weekly"])
        #expect(found[1].start == (try Samples.instant("20260611T120000")))
        #expect(found[1].originalStart == (try Samples.instant(plain[1])))
    }

    @Test func overrideMovedOutOfTheWindowLeavesAHole() throws {
        let moved = "RECURRENCE-ID:20260610T070000Z\nDTSTART:20280611T120000Z"
        #expect(try starts("", moved) == [plain[0], plain[2], plain[3]])
    }

    @Test func overrideMovedIntoTheWindowIsFound() throws {
        let moved = "RECURRENCE-ID:20260610T070000Z\nDTSTART:20250611T120000Z"
        let text = Samples.calendar(
            series + "END:VEVENT\nBEGIN:VEVENT\nUID:a\n\(moved)\nEND:VEVENT")
        let found = try Samples.expand(text, "20250101T000000", "20260101T000000").occurrences
        #expect(found.map(\.originalStart) == [try Samples.instant(plain[1])])
    }

    @Test func cancelledOverrideIsFlaggedAndAlone() throws {
        let found = try occurrences("", "RECURRENCE-ID:20260610T070000Z\nSTATUS:CANCELLED")
        #expect(found.map(\.isCancelled) == [false, true, false, false])
        #expect(found.map { Samples.written($0.start) } == plain)
    }

    @Test func cancelledMasterFlagsAllOfIts() throws {
        #expect(try occurrences("STATUS:CANCELLED").map(\.isCancelled) == [true, true, true, true])
    }

    @Test func overrideWithoutMasterStandsAlone() throws {
        let lines = "RECURRENCE-ID:20260608T180000Z\nDTSTART:20260609T180000Z"
        let found = try Samples.expand(Samples.event(lines)).occurrences
        #expect(found.map(\.start) == [try Samples.instant("20260609T180000")])
        #expect(found.map(\.originalStart) == [try Samples.instant("20260608T180000")])
    }

    @Test func unreadableRecurrenceIDDropsTheComponentAlone() throws {
        let text = Samples.calendar(
            series + "END:VEVENT\nBEGIN:VEVENT\nUID:a\nRECURRENCE-ID:soon\n"
                + "DTSTART:20260611T120000Z\nSEQUENCE:9\nEND:VEVENT")
        let answer = try Samples.expand(text)
        #expect(answer.occurrences.map { Samples.written($0.start) } == plain)
        #expect(answer.faults.map(\.code) == [.dateInvalid])
    }

    // MARK: SEQUENCE

    @Test(arguments: [
        ("SEQUENCE:5\nDTSTAMP:20200101T000000Z", "new"), ("SEQUENCE:3", "weekly"),
        ("SEQUENCE:4\nDTSTAMP:20270101T000000Z", "new"),
    ])
    func highestSequenceThenLatestStampWins(line: String, title: String) throws {
        let text = Samples.calendar(
            series + "DTSTAMP:20260101T000000Z\nEND:VEVENT\nBEGIN:VEVENT\nUID:a\n\(line)\n"
                + "DTSTART:20260603T070000Z\nSUMMARY:new\nEND:VEVENT")
        #expect(try Samples.expand(text).occurrences.first?.title == title)
    }

    @Test func lowerSequenceThanTheMastersDoesNotLoseAnOverride() throws {
        let found = try occurrences(
            "", "RECURRENCE-ID:20260610T070000Z\nDTSTART:20260611T120000Z\nSEQUENCE:1")
        #expect(found[1].start == (try Samples.instant("20260611T120000")))
    }

    @Test(arguments: [
        ("EXDATE:20260610T070000Z", "20260610T070000Z"), ("", "20260609T070000Z"),
    ])
    func overrideOfAnInstanceThatANewerMasterGaveUpIsGone(line: String, id: String) throws {
        let override = "RECURRENCE-ID:\(id)\nDTSTART:20260611T120000Z\nSEQUENCE:"
        let expected = line.isEmpty ? plain : [plain[0], plain[2], plain[3]]
        #expect(try starts(line, override + "1") == expected)
        #expect(try starts(line, override + "4").count == expected.count + 1)
    }

    // MARK: THISANDFUTURE

    @Test func overrideForThisAndFutureMovesThoseThatFollow() throws {
        let found = try occurrences(
            "",
            "RECURRENCE-ID;RANGE=THISANDFUTURE:20260617T070000Z\nDTSTART:20260618T080000Z\n"
                + "DURATION:PT2H\nSUMMARY:later")
        #expect(found.map(\.title) == ["weekly", "weekly", "later", "later"])
        #expect(
            found.map { Samples.written($0.start) }
                == [plain[0], plain[1], "20260618T080000", "20260625T080000"])
        #expect(found.map { ($0.end - $0.start) / 3_600_000 } == [1, 1, 2, 2])
        #expect(found.map { Samples.written($0.originalStart) } == plain)
    }
}
