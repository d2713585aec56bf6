import Calendar
import Testing

struct ZonesTests {
    @Test func floatingTimeIsInTheZoneOfTheViewer() throws {
        let lines = "DTSTART:20260601T203000"
        #expect(try Samples.starts(lines) == ["20260601T203000"])
        #expect(try Samples.starts(lines, zone: "Europe/Berlin") == ["20260601T183000"])
    }

    @Test func skippedTimeIsShiftedAndKept() throws {
        let lines = "DTSTART;TZID=America/New_York:20260307T023000\nRRULE:FREQ=DAILY;COUNT=3"
        #expect(
            try Samples.starts(lines) == ["20260307T073000", "20260308T073000", "20260309T063000"])
    }

    @Test func timeShownTwiceIsTheFirst() throws {
        let lines = "DTSTART;TZID=America/New_York:20261101T013000"
        #expect(try Samples.starts(lines) == ["20261101T053000"])
    }

    @Test func seriesKeepsItsWallTimeOverAClockChange() throws {
        let lines = "DTSTART;TZID=Europe/Berlin:20260322T200000\nRRULE:FREQ=WEEKLY;COUNT=2"
        #expect(try Samples.starts(lines) == ["20260322T190000", "20260329T180000"])
    }

    @Test(arguments: [
        "W. Europe Standard Time", "/freeassociation.sourceforge.net/Europe/Berlin",
        "\"Europe/Berlin\"", "/mozilla.org/20050126_1/Europe/Berlin", "europe/berlin",
        "W. EUROPE STANDARD TIME", "Europe-Berlin", "Arctic Longyearbyen",
    ])
    func zoneIsFoundByOtherNames(name: String) throws {
        let answer = try Samples.expand(Samples.event("DTSTART;TZID=\(name):20260601T200000"))
        #expect(answer.occurrences.first?.start == (try Samples.instant("20260601T180000")))
        #expect(answer.faults.isEmpty)
    }

    @Test(arguments: ["tzone://Microsoft/Utc", "Coordinated Universal Time", "Z", "Etc/UTC", "UTC"])
    func universalTimeHasManyNames(name: String) throws {
        let answer = try Samples.expand(
            Samples.event("DTSTART;TZID=\"\(name)\":20260601T200000"), zone: "Europe/Berlin")
        #expect(answer.occurrences.first?.start == (try Samples.instant("20260601T200000")))
        #expect(answer.faults.isEmpty)
    }

    @Test func versionOfTheZoneDataIsNamed() {
        #expect(ICalendar.zoneDataVersion.contains(/^20[0-9]{2}[a-z]$/))
    }

    @Test func unknownZoneIsAFaultAndTheViewersZoneIsUsed() throws {
        let text = Samples.event("DTSTART;TZID=Nowhere:20260601T200000")
        let answer = try Samples.expand(text, zone: "Europe/Berlin")
        #expect(answer.occurrences.first?.start == (try Samples.instant("20260601T180000")))
        #expect(answer.faults.map(\.code) == [.zoneUnknown])
    }

    @Test func unknownViewersZoneIsAFaultAndUTCIsUsed() throws {
        let answer = try Samples.expand(Samples.event("DTSTART:20260601T200000"), zone: "Nowhere")
        #expect(answer.occurrences.first?.start == (try Samples.instant("20260601T200000")))
        #expect(answer.faults.map(\.code) == [.zoneUnknown])
    }

    @Test func ownZoneOfTheCalendarComesBeforeTheKnownOne() throws {
        let text = Samples.calendar(
            """
            BEGIN:VTIMEZONE
            TZID:Europe/Berlin
            BEGIN:STANDARD
            DTSTART:19700101T000000
            TZOFFSETFROM:+0500
            TZOFFSETTO:+0500
            END:STANDARD
            END:VTIMEZONE
            BEGIN:VEVENT
            UID:a
            DTSTART;TZID=Europe/Berlin:20260601T200000
            END:VEVENT
            """)
        let start = try Samples.expand(text).occurrences.first?.start
        #expect(start == (try Samples.instant("20260601T150000")))
    }

    @Test func ownZoneWithRulesChangesItsClock() throws {
        let text = Samples.calendar(
            """
            BEGIN:VTIMEZONE
            TZID:Here
            BEGIN:STANDARD
            DTSTART:16010101T030000
            TZOFFSETFROM:+0200
            TZOFFSETTO:+0100
            RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
            END:STANDARD
            BEGIN:DAYLIGHT
            DTSTART:16010101T020000
            TZOFFSETFROM:+0100
            TZOFFSETTO:+0200
            RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
            END:DAYLIGHT
            END:VTIMEZONE
            BEGIN:VEVENT
            UID:a
            DTSTART;TZID=Here:20260322T200000
            RRULE:FREQ=WEEKLY;COUNT=2
            END:VEVENT
            BEGIN:VEVENT
            UID:b
            DTSTART;TZID=Here:20260329T023000
            END:VEVENT
            BEGIN:VEVENT
            UID:c
            DTSTART;TZID=Here:20261025T023000
            END:VEVENT
            """)
        let starts = try Samples.expand(text).occurrences.map { Samples.written($0.start) }
        #expect(
            starts == ["20260322T190000", "20260329T013000", "20260329T180000", "20261025T003000"])
    }

    @Test func everyWindowsNameLeadsToAKnownZone() throws {
        #expect(WindowsZones.all.count == 139)
        for (name, identifier) in WindowsZones.all.sorted(by: { $0.key < $1.key }) {
            _ = try CalendarWindow.upcoming(asOf: 0, days: 1, zone: identifier)
            let text = Samples.event("DTSTART;TZID=\(name):20260601T200000")
            #expect(try Samples.expand(text).faults.isEmpty, "\(name)")
        }
    }
}
