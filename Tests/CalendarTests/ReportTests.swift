import Calendar
import Testing

/// Faults that users of other programs reported; the number is that of the report.
struct ReportTests {
    private func starts(_ lines: String, _ window: (String, String), zone: String = "UTC") throws
        -> [String]
    {
        try Samples.starts(lines, window.0, window.1, zone: zone)
    }

    private func occurrences(
        _ events: [String], _ window: (String, String)
    ) throws -> [Occurrence] {
        let text = events.map { "BEGIN:VEVENT\nUID:a\n\($0)\nEND:VEVENT" }
        return try Samples.expand(
            Samples.calendar(text.joined(separator: "\n")), window.0, window.1
        ).occurrences
    }

    // MARK: Ends of series

    @Test("Report 1: UNTIL in UTC keeps the last instance of a series in a zone")
    func untilInUTC() throws {
        let starts = try starts(
            "DTSTART;TZID=Europe/Madrid:20190923T110000\n"
                + "RRULE:FREQ=WEEKLY;UNTIL=20191021T103000Z;BYDAY=MO;WKST=MO",
            ("20190901T000000", "20191130T000000"))
        #expect(starts.count == 5)
        #expect(starts.last == "20191021T090000")
    }

    @Test("Report 2: UNTIL as a date includes that local day, east of UTC too")
    func untilAsDate() throws {
        let starts = try starts(
            "DTSTART;TZID=Pacific/Auckland:20211215T090000\nRRULE:FREQ=DAILY;UNTIL=20211216",
            ("20211201T000000", "20220301T000000"))
        #expect(starts == ["20211214T200000", "20211215T200000"])
    }

    private let biweekly = """
        DTSTART;TZID=W. Europe Standard Time:20201214T093000
        DURATION:PT1H
        RRULE:FREQ=WEEKLY;UNTIL=20210308T083000Z;INTERVAL=2;BYDAY=MO;WKST=MO
        EXDATE;TZID=W. Europe Standard Time:20201228T093000,20210125T093000,20210208T093000
        """

    @Test("Report 3: a series of every second week has its last date, in a Windows zone")
    func lastDateOfEverySecondWeek() throws {
        let starts = try starts(biweekly, ("20201214T000000", "20210314T000000"))
        #expect(starts.count == 4)
        #expect(starts.last == "20210308T083000")
    }

    // MARK: Overrides and exceptions

    private let moved = [
        "DTSTART;TZID=Europe/Paris:20240904T090000\nDTEND;TZID=Europe/Paris:20240904T123000\n"
            + "RRULE:FREQ=WEEKLY;COUNT=3",
        "RECURRENCE-ID;TZID=Europe/Paris:20240911T090000\nSEQUENCE:3\n"
            + "DTSTART;TZID=Europe/Paris:20240910T140000\nDTEND;TZID=Europe/Paris:20240910T173000",
    ]

    @Test("Report 4: a moved occurrence is not shown at its old time too")
    func movedOccurrence() throws {
        let found = try occurrences(moved, ("20240901T000000", "20241130T000000"))
        #expect(
            found.map { Samples.written($0.start) }
                == ["20240904T070000", "20240910T120000", "20240918T070000"])
    }

    @Test("Report 5: an override named in UTC is that of the instance in a zone")
    func overrideInUTC() throws {
        let found = try occurrences(
            [
                "DTSTART;TZID=Asia/Ho_Chi_Minh:20260422T160000\nRRULE:FREQ=DAILY;COUNT=3",
                "RECURRENCE-ID:20260423T090000Z\nDTSTART;TZID=Asia/Ho_Chi_Minh:20260423T160000\n"
                    + "SUMMARY:other",
            ], ("20260401T000000", "20260630T000000"))
        #expect(found.map(\.title) == ["", "other", ""])
    }

    @Test("Report 6: EXDATE as a date removes timed instances of that day")
    func exceptionAsDate() throws {
        let starts = try starts(
            "DTSTART;TZID=Europe/Vienna:20240317T100000\nRRULE:FREQ=WEEKLY;BYDAY=SU;"
                + "UNTIL=20240526T080000Z\nEXDATE;VALUE=DATE:20240331\nEXDATE;VALUE=DATE:20240421",
            ("20240301T000000", "20240530T000000"))
        #expect(starts.count == 9)
        #expect(!starts.contains { $0.hasPrefix("20240331") || $0.hasPrefix("20240421") })
    }

    @Test("Report 7: EXDATE as a time removes the right day of an all-day series")
    func exceptionAsTime() throws {
        let starts = try starts(
            "DTSTART;VALUE=DATE:20230301\nRRULE:FREQ=DAILY;COUNT=3\nEXDATE:20230302T000000",
            ("20230215T000000", "20230516T000000"))
        #expect(starts == ["20230301T000000", "20230303T000000"])
    }

    @Test("Report 8: EXDATE in UTC removes an instance of a series in a zone")
    func exceptionInUTC() throws {
        let starts = try starts(
            "DTSTART;TZID=America/Chicago:20170503T190000\n"
                + "RRULE:FREQ=WEEKLY;BYDAY=WE;WKST=SU;COUNT=6\nEXDATE:20170601T000000Z",
            ("20170501T000000", "20170730T000000"))
        #expect(starts.count == 5)
        #expect(!starts.contains("20170601T000000"))
    }

    @Test("Report 9: an occurrence with STATUS:CANCELLED is known as cancelled, alone")
    func cancelledOccurrence() throws {
        let found = try occurrences(
            [
                "DTSTART;TZID=Europe/Stockholm:20150115T080000\nRRULE:FREQ=DAILY;COUNT=5",
                "RECURRENCE-ID;TZID=Europe/Stockholm:20150117T080000\n"
                    + "DTSTART;TZID=Europe/Stockholm:20150117T080000\nSTATUS:CANCELLED",
            ], ("20150101T000000", "20150401T000000"))
        #expect(found.map(\.isCancelled) == [false, false, true, false, false])
    }

    @Test("Report 10: an older version later in the file does not win")
    func olderVersionLater() throws {
        let found = try occurrences(
            [
                "SUMMARY:new\nSEQUENCE:5\nDTSTART:20260601T180000Z",
                "SUMMARY:old\nSEQUENCE:2\nDTSTART:20260501T180000Z",
            ], ("20260415T000000", "20260714T000000"))
        #expect(found.map(\.title) == ["new"])
    }

    @Test("Report 11: an override counts although its SEQUENCE is below the master's")
    func overrideOfLowerSequence() throws {
        let found = try occurrences(
            [
                "SEQUENCE:7\nDTSTART:20260601T180000Z\nRRULE:FREQ=WEEKLY;COUNT=4",
                "SEQUENCE:3\nRECURRENCE-ID:20260608T180000Z\nDTSTART:20260609T180000Z",
            ], ("20260515T000000", "20260813T000000"))
        #expect(found.count == 4)
        #expect(Samples.written(found[1].start) == "20260609T180000")
    }

    // MARK: All-day events and text

    @Test("Report 12: an all-day event is over on the day of its DTEND")
    func allDayEndIsExclusive() throws {
        let lines = "DTSTART;VALUE=DATE:20250610\nDTEND;VALUE=DATE:20250611"
        #expect(try starts(lines, ("20250611T000000", "20250909T000000")).isEmpty)
        #expect(try starts(lines, ("20250610T000000", "20250909T000000")).count == 1)
    }

    @Test("Report 13: an all-day event without DTEND lasts one day")
    func allDayWithoutEnd() throws {
        let lines = "DTSTART;VALUE=DATE:20100808"
        #expect(try starts(lines, ("20100808T120000", "20101106T000000")).count == 1)
        #expect(try starts(lines, ("20100809T000000", "20101106T000000")).isEmpty)
    }

    @Test("Report 14: a fold inside a character of UTF-8 is undone")
    func foldInsideACharacter() throws {
        var text = Samples.event("DTSTART:20260601T180000Z\nSUMMARY:Sigur Rós live")
        let split = try #require(text.firstIndex(of: 0xC3))
        text.insert(contentsOf: [0x0D, 0x0A, 0x20], at: split + 1)
        let title = try Samples.expand(text).occurrences.first?.title
        #expect(title == "Sigur Rós live")
        #expect(NameMatcher(names: ["Sigur Rós"], locale: nil).matches(title: title ?? "") == [0])
    }

    // MARK: Rules

    @Test("Report 15: an impossible rule ends", .timeLimit(.minutes(1)))
    func impossibleRule() throws {
        let starts = try starts(
            "DTSTART:20260102T180000Z\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31",
            ("20260110T000000", "20260410T000000"))
        #expect(starts.isEmpty)
    }

    @Test("Report 16: the 31st is left out of months that have none")
    func monthsWithoutThe31st() throws {
        let starts = try starts(
            "DTSTART:20260131T180000Z\nRRULE:FREQ=MONTHLY", ("20260115T000000", "20260515T000000"))
        #expect(starts == ["20260131T180000", "20260331T180000"])
    }

    @Test("Report 17: a time that the clock skips is shifted and kept")
    func skippedTime() throws {
        let starts = try starts(
            "DTSTART;TZID=America/New_York:20260306T023000\nDURATION:PT30M\n"
                + "RRULE:FREQ=DAILY;COUNT=4", ("20260308T000000", "20260309T000000"))
        #expect(starts == ["20260308T073000"])
    }

    @Test("Report 18: a weekly event keeps its wall time over a clock change")
    func wallTime() throws {
        let starts = try starts(
            "DTSTART;TZID=Europe/Berlin:20260322T200000\nDURATION:PT2H\n"
                + "RRULE:FREQ=WEEKLY;COUNT=2", ("20260329T173000", "20260329T183000"))
        #expect(starts == ["20260329T180000"])
    }

    @Test("Report 19: an RDATE period lasts as long as it says")
    func periodOfADate() throws {
        let starts = try starts(
            "DTSTART:20260601T180000Z\nDURATION:PT1H\n"
                + "RDATE;VALUE=PERIOD:20260610T180000Z/PT3H", ("20260610T200000", "20260908T200000")
        )
        #expect(starts == ["20260610T180000"])
    }

    @Test("Report 20: THISANDFUTURE moves every later instance")
    func thisAndFuture() throws {
        let found = try occurrences(
            [
                "DTSTART:20260601T180000Z\nDTEND:20260601T190000Z\nRRULE:FREQ=WEEKLY;COUNT=4",
                "SUMMARY:later\nRECURRENCE-ID;RANGE=THISANDFUTURE:20260615T180000Z\n"
                    + "DTSTART:20260616T180000Z\nDTEND:20260616T190000Z",
            ], ("20260616T000000", "20260624T000000"))
        #expect(
            found.map { Samples.written($0.start) } == ["20260616T180000", "20260623T180000"])
        #expect(found.map(\.title) == ["later", "later"])
    }

    @Test("Report 21: a floating time is in the viewer's zone")
    func floatingTime() throws {
        let lines = "DTSTART:20260601T203000\nDTEND:20260601T223000"
        let window = ("20260601T180000", "20260601T190000")
        #expect(try starts(lines, window).isEmpty)
        #expect(try starts(lines, window, zone: "Europe/Berlin").count == 1)
    }

    // MARK: Whole files

    @Test("Report 22: two events of one UID are a series and its override")
    func twoEventsOfOneUID() throws {
        let text = Samples.calendar(
            moved.map { "BEGIN:VEVENT\nUID:a\n\($0)\nEND:VEVENT" }.joined(separator: "\n"))
        #expect(try ICalendar.resources(in: text, bytesMax: 1 << 20).count == 1)
        #expect(try occurrences(moved, ("20240901T000000", "20241130T000000")).count == 3)
    }

    @Test("Report 23: a Windows zone does not spoil the feed")
    func windowsZone() throws {
        let answer = try Samples.expand(
            Samples.calendar(
                "BEGIN:VEVENT\nUID:a\n\(biweekly)\nEND:VEVENT\n"
                    + "BEGIN:VEVENT\nUID:b\nDTSTART:20210101T000000Z\nEND:VEVENT"),
            "20201214T000000", "20210314T000000")
        #expect(answer.occurrences.map(\.uid) == ["a", "b", "a", "a", "a"])
        #expect(answer.faults.isEmpty)
    }

    @Test("Report 24: X-WR-TIMEZONE does not move times in UTC")
    func zoneOfTheWholeCalendar() throws {
        let text = Samples.calendar(
            "X-WR-TIMEZONE:Europe/Berlin\nBEGIN:VEVENT\nUID:a\nDTSTART:20260601T180000Z\nEND:VEVENT"
        )
        let found = try Samples.expand(text).occurrences
        #expect(found.map { Samples.written($0.start) } == ["20260601T180000"])
    }
}
