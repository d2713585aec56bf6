import Calendar
import Testing

struct OccurrencesTests {
    // MARK: Windows

    @Test(arguments: [
        ("DTSTART:20260601T180000Z\nDTEND:20260601T200000Z", "20260601T190000", 1),
        ("DTSTART:20260601T180000Z\nDTEND:20260601T200000Z", "20260601T200000", 0),
        ("DTSTART:20260601T180000Z\nDTEND:20260601T200000Z", "20260601T195959", 1),
        ("DTSTART:20260601T180000Z", "20260601T180000", 1),
        ("DTSTART:20260601T180000Z", "20260601T180001", 0),
        ("DTSTART:20260602T180000Z", "20260601T180000", 0),
        ("DTSTART:20260602T175959Z", "20260601T180000", 1),
    ])
    func eventOverlapsAWindowOfADay(lines: String, from: String, count: Int) throws {
        let start = try Samples.instant(from)
        let resources = try ICalendar.resources(in: Samples.event(lines), bytesMax: 1_000)
        let answer = ICalendar.occurrences(
            of: resources, from: start, to: start + 86_400_000, zone: "UTC", occurrencesMax: 10)
        #expect(answer.occurrences.count == count)
        #expect(answer.faults.isEmpty)
    }

    @Test func occurrencesAreInOrderOfStartThenUID() throws {
        let event = { (uid: String, start: String) in
            "BEGIN:VEVENT\nUID:\(uid)\nDTSTART:\(start)\nRRULE:FREQ=DAILY;COUNT=2\nEND:VEVENT"
        }
        let text = Samples.calendar(
            [
                event("b", "20260601T180000Z"), event("c", "20260531T180000Z"),
                event("a", "20260601T180000Z"),
            ].joined(separator: "\n"))
        let answer = try Samples.expand(text)
        #expect(answer.occurrences.map(\.uid) == ["c", "a", "b", "c", "a", "b"])
    }

    @Test func firstOccurrencesAreGivenIfThereAreMoreThanAsked() throws {
        let text = Samples.event("DTSTART:20260101T000000Z\nRRULE:FREQ=MINUTELY")
        let answer = try Samples.expand(text, occurrencesMax: 5)
        #expect(answer.occurrences.count == 5)
        #expect(answer.occurrences.last?.start == (try Samples.instant("20260101T000400")))
        #expect(answer.faults.map(\.code) == [.tooManyOccurrences])
    }

    // MARK: Values

    @Test func titleAndLocationAreUnescapedAndUnfolded() throws {
        let text = Samples.event(
            "DTSTART:20260601T180000Z\nSUMMARY:Foo\\, Bar\\n \n live\nLOCATION:Hall\\; B")
        let occurrence = try #require(try Samples.expand(text).occurrences.first)
        #expect(occurrence.title == "Foo, Bar\n live")
        #expect(occurrence.location == "Hall; B")
    }

    @Test func foldInsideACharacterIsUndone() throws {
        var text = Samples.event("DTSTART:20260601T180000Z\nSUMMARY:Sigur Rós")
        let split = try #require(text.firstIndex(of: 0xC3))
        text.insert(contentsOf: [0x0D, 0x0A, 0x20], at: split + 1)
        #expect(try Samples.expand(text).occurrences.first?.title == "Sigur Rós")
    }

    @Test func latin1TitleIsReadAsLatin1() throws {
        var text = Samples.event("DTSTART:20260601T180000Z\nSUMMARY:Beyonc@")
        let place = try #require(text.firstIndex(of: UInt8(ascii: "@")))
        text[place] = 0xE9
        #expect(try Samples.expand(text).occurrences.first?.title == "Beyoncé")
    }

    @Test func missingTitleIsEmptyAndMissingLocationNil() throws {
        let occurrence = try Samples.expand(Samples.event("DTSTART:20260601T180000Z"))
            .occurrences.first
        #expect(occurrence?.title == "")
        #expect(occurrence?.location == nil)
    }

    // MARK: All-day events

    @Test(arguments: [
        ("DTSTART;VALUE=DATE:20260610\nDTEND;VALUE=DATE:20260612", 2),
        ("DTSTART;VALUE=DATE:20260610", 1),
        ("DTSTART;VALUE=DATE:20260610\nDTEND;VALUE=DATE:20260610", 1),
        ("DTSTART;VALUE=DATE:20260610\nDURATION:P3D", 3),
        ("DTSTART;VALUE=DATE:20260610\nDURATION:PT30H", 2),
    ])
    func allDayEventLastsWholeDaysInTheZone(lines: String, days: Int64) throws {
        let answer = try Samples.expand(Samples.event(lines), zone: "America/New_York")
        let occurrence = try #require(answer.occurrences.first)
        #expect(occurrence.isAllDay)
        #expect(occurrence.start == (try Samples.instant("20260610T040000")))
        #expect(occurrence.end - occurrence.start == days * 86_400_000)
    }

    @Test func allDayEventOverAClockChangeEndsAtMidnight() throws {
        let text = Samples.event("DTSTART;VALUE=DATE:20260329\nDTEND;VALUE=DATE:20260330")
        let occurrence = try Samples.expand(text, zone: "Europe/Berlin").occurrences.first
        #expect(occurrence?.start == (try Samples.instant("20260328T230000")))
        #expect(occurrence?.end == (try Samples.instant("20260329T220000")))
    }

    // MARK: Lengths

    @Test func durationInDaysFollowsTheWallAndAnEndTheExactTime() throws {
        let start = "DTSTART;TZID=Europe/Berlin:20260328T120000\n"
        let nominal = try Samples.expand(Samples.event(start + "DURATION:P1D")).occurrences.first
        #expect(nominal?.end == (try Samples.instant("20260329T100000")))
        let exact = try Samples.expand(
            Samples.event(
                "DTSTART;TZID=Europe/Berlin:20260327T120000\n"
                    + "DTEND;TZID=Europe/Berlin:20260328T120000\nRRULE:FREQ=DAILY;COUNT=2")
        ).occurrences.last
        #expect(exact?.end == (try Samples.instant("20260329T110000")))
    }

    @Test(arguments: [
        "DTEND:20260601T170000Z", "DURATION:-PT1H", "DURATION:P999999999999999999W",
        "DTEND:29990101T000000Z",
    ])
    func impossibleEndIsAFaultAndTheEventTakesNoTime(line: String) throws {
        let answer = try Samples.expand(Samples.event("DTSTART:20260601T180000Z\n" + line))
        let occurrence = try #require(answer.occurrences.first)
        #expect(occurrence.start == occurrence.end)
        #expect(answer.faults.map(\.code) == [.endInvalid])
    }
}
