import Calendar
import Foundation

/// Reading and expanding calendars beside other libraries, and names in titles beside Foundation.
enum CalendarBench: Benchmark {
    static let name = "calendar"
    static let summary = "iCalendar beside libical and Python; names in titles beside Foundation"
    static let options = ["python", "rounds", "events", "names", "titles"]

    /// 90 days from 2026-09-01, UTC.
    private static let window: (from: Int64, to: Int64) = (1_788_220_800, 1_795_996_800)

    static func run(_ options: BenchOptions) throws {
        let rounds = try options.count("rounds", default: 11)
        print("### Calendars\n\n\(rounds) interleaved rounds; \(Machine.line).\n")
        try beside(
            options["python"], events: options.count("events", default: 1_000), rounds: rounds,
            folder: options["folder"] ?? NSTemporaryDirectory())
        try growth(events: [100, 1_000, 10_000, 50_000])
        let names = DrawnNames.names(try options.count("names", default: 100_000), seed: 1)
        let titles = DrawnNames.titles(
            try options.count("titles", default: 20_000), names: names, seed: 2)
        NamesBench.beside(names, titles, rounds: rounds)
        NamesBench.growth(titles)
        UpcomingBench.growth(events: [100, 1_000, 10_000, 20_000], names: names)
        ContactsBench.growth(contacts: [100, 1_000, 10_000, 100_000], names: names)
    }

    private static func count(_ text: [UInt8]) throws -> Int {
        let series = try ICalendar.series(in: text, bytesMax: 1 << 30)
        let answer = ICalendar.occurrences(
            of: series,
            in: OccurrenceWindow(from: window.from * 1_000, to: window.to * 1_000), zone: "UTC",
            occurrencesMax: 1_000_000)
        return answer.occurrences.count
    }

    private static func beside(
        _ python: String?, events: Int, rounds: Int, folder: String
    ) throws {
        let text = DrawnCalendar.text(events: events, seed: 7)
        let path = folder + "/bench-calendar-\(ProcessInfo.processInfo.processIdentifier).ics"
        try Data(text).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let peer = try python.map { try PythonCalendarPeer(python: $0) }
        var (own, libical, others) = ([Double](), [Double](), [Double]())
        var counts = (own: 0, libical: 0, python: 0)
        for _ in 0..<rounds {
            own.append(try milliseconds { counts.own = try count(text) })
            libical.append(
                milliseconds {
                    counts.libical = LibicalPeer.count(text, from: window.from, to: window.to)
                })
            guard let peer else { continue }
            let answer = try peer.count(path, from: window.from, to: window.to)
            others.append(answer.milliseconds)
            counts.python = answer.count
        }
        var table = MarkdownTable(
            "parse and expand \(events) events", "CPU ms", "occurrences", "peer to this")
        table.add("Sightline", Figure.of(Measures.median(own)), "\(counts.own)", "")
        table.add(
            "libical 3.0.16", Figure.of(Measures.median(libical)), "\(counts.libical)",
            Figure.ofRatios(Measures.ratios(libical, own)))
        if peer != nil {
            table.add(
                "icalendar + recurring-ical-events", Figure.of(Measures.median(others)),
                "\(counts.python)", Figure.ofRatios(Measures.ratios(others, own)))
        }
        print("\(text.count) bytes, a window of 90 days.\n\n\(table.text)\n")
    }

    private static func growth(events sizes: [Int]) throws {
        var table = MarkdownTable("events", "bytes", "CPU ms", "µs an event", "occurrences")
        for size in sizes {
            let text = DrawnCalendar.text(events: size, seed: 7)
            var counted = 0
            let times = try (0..<3).map { _ in try milliseconds { counted = try count(text) } }
            let time = Measures.median(times)
            table.add(
                Figure.of(Double(size), digits: 0), Figure.of(Double(text.count), digits: 0),
                Figure.of(time), Figure.of(time * 1_000 / Double(size)), "\(counted)")
        }
        print(table.text + "\n")
    }

    static func milliseconds(_ body: () throws -> Void) rethrows -> Double {
        let start = ProcessorTime.ofSelf()
        try body()
        return (ProcessorTime.ofSelf() - start) * 1_000
    }
}
