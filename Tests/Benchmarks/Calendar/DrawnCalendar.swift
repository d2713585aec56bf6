import Foundation

/// Calendars as people have them, drawn by a seed: single events, weekly and monthly series with
/// exceptions, all-day events, and the lines that nobody reads.
enum DrawnCalendar {
    /// A VCALENDAR of so many events, from 2025 on.
    static func text(events: Int, seed: UInt64) -> [UInt8] {
        var random = SeededRandom(seed: seed)
        var text = head
        for number in 0..<events { text += event(number, &random) }
        return [UInt8]((text + "END:VCALENDAR\n").replacing("\n", with: "\r\n").utf8)
    }

    private static func event(_ number: Int, _ random: inout SeededRandom) -> String {
        let day = 1 + random.next() % 28
        let month = 1 + random.next() % 12
        let date = "2026" + two(month) + two(day)
        let hour = two(8 + random.next() % 12)
        let zoned = { (clock: String) in ";TZID=Europe/Berlin:\(date)T\(clock)" }
        var lines = "BEGIN:VEVENT\nUID:event-\(number)@drawn\nDTSTAMP:20260101T000000Z\n"
        switch number % 10 {
        case 0:
            lines += "DTSTART;VALUE=DATE:\(date)\nRRULE:FREQ=YEARLY\n"
        case 1:
            lines += "DTSTART;VALUE=DATE:\(date)\nDTEND;VALUE=DATE:2027\(two(month))\(two(day))\n"
        case 2, 3:
            lines +=
                "DTSTART\(zoned(hour + "0000"))\nDTEND\(zoned(hour + "4500"))\n"
                + "RRULE:FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20271231T000000Z\n"
                + "EXDATE;TZID=Europe/Berlin:20261005T\(hour)0000,20261012T\(hour)0000\n"
        case 4:
            lines += "DTSTART\(zoned(hour + "1500"))\nDURATION:PT1H\nRRULE:FREQ=MONTHLY;BYDAY=2TU\n"
        default:
            lines += "DTSTART\(zoned(hour + "0000"))\nDTEND\(zoned(hour + "3000"))\n"
        }
        return lines + details(number)
    }

    private static func details(_ number: Int) -> String {
        """
        SUMMARY:Planning of the quarter\\, part \(number) – with Ann
        LOCATION:Room \(number % 40)\\, second floor
        STATUS:CONFIRMED
        SEQUENCE:1
        DESCRIPTION:The agenda stands in the usual folder. Please read it before we
          meet\\; there will be no time for it later.\\nSee you there.
        ORGANIZER;CN=Ann Example:mailto:ann@example.com
        ATTENDEE;CN=Tom Example;PARTSTAT=ACCEPTED;ROLE=REQ-PARTICIPANT:mailto:tom@
         example.com
        BEGIN:VALARM
        ACTION:DISPLAY
        DESCRIPTION:Reminder
        TRIGGER:-PT15M
        END:VALARM
        END:VEVENT

        """
    }

    private static func two(_ number: UInt64) -> String {
        let text = String(number)
        return text.count < 2 ? "0" + text : text
    }

    private static let head = """
        BEGIN:VCALENDAR
        VERSION:2.0
        PRODID:-//Drawn//Drawn//EN
        BEGIN:VTIMEZONE
        TZID:Europe/Berlin
        BEGIN:DAYLIGHT
        TZOFFSETFROM:+0100
        TZOFFSETTO:+0200
        TZNAME:CEST
        DTSTART:19700329T020000
        RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
        END:DAYLIGHT
        BEGIN:STANDARD
        TZOFFSETFROM:+0200
        TZOFFSETTO:+0100
        TZNAME:CET
        DTSTART:19701025T030000
        RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
        END:STANDARD
        END:VTIMEZONE

        """
}
