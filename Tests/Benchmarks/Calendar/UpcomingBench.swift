import Calendar
import Foundation

/// What a question about upcoming events costs by the number of events of the account: at first,
/// again, and after one change of each kind.
enum UpcomingBench {
    private static let day: Int64 = 86_400_000
    /// 2026-09-01, UTC.
    private static let start: Int64 = 1_788_220_800_000

    static func growth(events sizes: [Int], names: [String]) {
        var table = MarkdownTable(
            "events, with \(names.count) names", "first CPU ms", "again", "one event changed",
            "an hour later", "a name more")
        for size in sizes {
            let times = row(size, names).map { Figure.of($0, digits: 2) }
            table.add(
                Figure.of(Double(size), digits: 0), times[0], times[1], times[2], times[3],
                times[4])
        }
        print(table.text + "\n")
    }

    private static func row(_ size: Int, _ names: [String]) -> [Double] {
        let titles = DrawnNames.titles(size, names: names, seed: 5)
        var held = HeldCalendar()
        for (number, title) in titles.enumerated() {
            let update = CalendarUpdate(
                revision: 1 + number, put: [event(number, title)])
            _ = held.apply(update, bytesMax: 1 << 16)
        }
        let index = NameIndex(names: names)
        var wanted = UpcomingNames(words: index)
        var book = UpcomingBook(occurrencesPerSeriesMax: 10_000)
        var asOf = start
        func ask() -> Double {
            CalendarBench.milliseconds {
                let window = UpcomingSpan(from: asOf, to: asOf + 90 * day)
                _ = book.hits(in: ["home": held], names: wanted, window: window)
            }
        }
        let first = ask()
        let again = ask()
        let update = CalendarUpdate(
            revision: size + 1, put: [event(size / 2, "Tickets: \(names[0])")])
        _ = held.apply(update, bytesMax: 1 << 16)
        let changed = ask()
        asOf += 3_600_000
        let later = ask()
        var more = index
        more.insert("One More Name", id: names.count)
        wanted = UpcomingNames(words: more)
        let named = ask()
        return [first, again, changed, later, named]
    }

    /// One in ten is weekly.
    private static func event(_ number: Int, _ title: String) -> [UInt8] {
        let days = number % 120
        let date = days < 30 ? "202609" : days < 60 ? "202610" : days < 90 ? "202611" : "202612"
        let dayOfMonth = 1 + days % 28
        let rule = number % 10 == 0 ? "RRULE:FREQ=WEEKLY\r\n" : ""
        return Array(
            """
            BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:event-\(number)@drawn\r\n\
            DTSTART;TZID=Europe/Berlin:\(date)\(dayOfMonth < 10 ? "0" : "")\(dayOfMonth)T190000\r\n\
            DURATION:PT2H\r\n\(rule)SUMMARY:\(title)\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n
            """.utf8)
    }
}
