import Calendar
import Testing

/// Small calendars written in the tests.
enum Samples {
    /// A VCALENDAR around lines; the lines of events and zones are given without CR.
    static func calendar(_ lines: String) -> [UInt8] {
        let text = "BEGIN:VCALENDAR\nVERSION:2.0\n" + lines + "\nEND:VCALENDAR\n"
        return [UInt8](text.replacing("\n", with: "\r\n").utf8)
    }

    /// One event `a` with these lines.
    static func event(_ lines: String) -> [UInt8] {
        calendar("BEGIN:VEVENT\nUID:a\nDTSTAMP:20260101T000000Z\n" + lines + "\nEND:VEVENT")
    }

    /// The occurrences of a text between two UTC instants such as `20260101T000000`.
    static func expand(
        _ text: [UInt8], _ from: String = "20260101T000000", _ to: String = "20270101T000000",
        zone: String = "UTC", occurrencesMax: Int = 1_000
    ) throws -> (occurrences: [Occurrence], faults: [CalendarFault]) {
        let resources = try ICalendar.resources(in: text, bytesMax: 1 << 20)
        return ICalendar.occurrences(
            of: resources, from: try instant(from), to: try instant(to), zone: zone,
            occurrencesMax: occurrencesMax)
    }

    /// The starts of the occurrences of one event, as UTC.
    static func starts(
        _ lines: String, _ from: String = "20260101T000000", _ to: String = "20270101T000000",
        zone: String = "UTC"
    ) throws -> [String] {
        try expand(event(lines), from, to, zone: zone).occurrences.map { written($0.start) }
    }

    /// Milliseconds of `20260601T180000`, UTC.
    static func instant(_ text: String) throws -> Int64 {
        let digits = text.filter(\.isNumber)
        let value = try #require(Int64(digits))
        let (date, time) = (value / 1_000_000, value % 1_000_000)
        let days = days(Int(date / 10_000), Int(date / 100 % 100), Int(date % 100))
        let second = time / 10_000 * 3_600 + time / 100 % 100 * 60 + time % 100
        return (Int64(days) * 86_400 + second) * 1_000
    }

    /// `20260601T180000` of milliseconds, UTC.
    static func written(_ instant: Int64) -> String {
        let second = Int(instant / 1_000)
        var day = second / 86_400
        var year = 1970
        while day >= days(year + 1, 1, 1) - days(year, 1, 1) {
            day -= days(year + 1, 1, 1) - days(year, 1, 1)
            year += 1
        }
        var month = 1
        while month < 12, day >= days(year, month + 1, 1) - days(year, month, 1) {
            day -= days(year, month + 1, 1) - days(year, month, 1)
            month += 1
        }
        let date = year * 10_000 + month * 100 + day + 1
        let clock = second % 86_400
        let time = clock / 3_600 * 10_000 + clock / 60 % 60 * 100 + clock % 60
        return "\(date)T" + String(String(1_000_000 + time).dropFirst())
    }

    /// Days from 1970-01-01, counted year by year: slow, and written otherwise than in the module.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
        let lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        let years = (1970..<max(year, 1970)).reduce(0) { $0 + (isLeap($1) ? 366 : 365) }
        return years + lengths.prefix(month - 1).reduce(0, +) + day - 1
    }
}
