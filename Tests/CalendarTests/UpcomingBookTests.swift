import Calendar
import TestSupport
import Testing

/// What is upcoming, kept and recomputed only where something changed.
struct UpcomingBookTests {
    private static let day: Int64 = 86_400_000
    private static let countMax = 200

    private static func event(_ uid: String, _ title: String, _ lines: String) -> [UInt8] {
        Samples.calendar("BEGIN:VEVENT\nUID:\(uid)\nSUMMARY:\(title)\n\(lines)\nEND:VEVENT")
    }

    /// The oracle: everything is read, expanded and looked through for this question alone.
    private static func fromScratch(
        _ held: [String: HeldCalendar], _ names: UpcomingNames, _ window: UpcomingSpan
    ) -> Set<String> {
        var found: Set<String> = []
        for (name, calendar) in held {
            for (uid, resource) in calendar.resources {
                let answer = ICalendar.occurrences(
                    of: [CalendarResource(uid: uid, text: resource.text)], from: window.from,
                    to: window.to, zone: calendar.zone, occurrencesMax: countMax)
                for occurrence in answer.occurrences where !occurrence.isCancelled {
                    let words = names.words.considered(in: occurrence.title)
                    let contained = names.contained?.matches(title: occurrence.title) ?? []
                    let counts = words.contains {
                        $0.isMatch || $0.rejection?.needsSignal == true
                    }
                    guard counts || !contained.isEmpty else { continue }
                    found.insert("\(name) \(occurrence) \(words) \(contained)")
                }
            }
        }
        return found
    }

    private static func texts(_ hits: [UpcomingHit]) -> Set<String> {
        Set(hits.map { "\($0.calendar) \($0.occurrence) \($0.marks.words) \($0.marks.contained)" })
    }

    private static let titles = [
        "Low at Olympia", "Radiohead", "Dentist", "Concert: Air", "Air", "Sigur Ros, live",
        "Team lunch", "radiohead and low", "M", "Yes tour",
    ]
    private static let allNames = ["Radiohead", "Low", "Air", "Sigur Rós", "M", "Yes", "dent"]
    private static let shapes = [
        "DTSTART:%T00Z\nDTEND:%T30Z", "DTSTART:%T00Z", "DTSTART;VALUE=DATE:%D",
        "DTSTART;TZID=Europe/Berlin:%T00\nDURATION:PT2H\nRRULE:FREQ=WEEKLY",
        "DTSTART:%T00Z\nRRULE:FREQ=MONTHLY;COUNT=5\nEXDATE:%T00Z",
        "DTSTART:%T00\nRRULE:FREQ=DAILY;UNTIL=20261201T000000Z",
        "DTSTART:%T00Z\nRRULE:FREQ=MINUTELY", "DTSTART:%T00Z\nSTATUS:CANCELLED",
        "DTSTART:%T00Z\nDTEND:20270101T000000Z",
        "DTSTART:20200101T000000Z\nRRULE:FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2",
    ]

    private struct World {
        var held: [String: HeldCalendar] = [:]
        var names: UpcomingNames
        var asOf: Int64
        var days = 90
        var zone = "Europe/Berlin"
        private var revision = 0

        init(asOf: Int64) {
            self.asOf = asOf
            names = UpcomingNames(words: NameIndex(names: ["Radiohead", "Low"]))
        }

        var window: UpcomingSpan { UpcomingSpan(from: asOf, to: end(of: asOf)) }
        func end(of begin: Int64) -> Int64 {
            (try? CalendarWindow.upcoming(asOf: begin, days: days, zone: zone).to) ?? begin
        }

        mutating func change(using random: inout SeededRandom) {
            switch Int.random(in: 0..<12, using: &random) {
            case 0: asOf += Int64.random(in: 0...(20 * UpcomingBookTests.day), using: &random)
            case 1: asOf += Int64.random(in: 0...3_600_000, using: &random)
            case 2: asOf -= Int64.random(in: 0...(30 * UpcomingBookTests.day), using: &random)
            case 3: days = [1, 7, 90, 120].randomElement(using: &random) ?? 90
            case 4: changeNames(using: &random)
            case 5: held["work"] = nil
            default: changeCalendar(using: &random)
            }
        }

        private mutating func changeNames(using random: inout SeededRandom) {
            let chosen = UpcomingBookTests.allNames.filter { _ in Bool.random(using: &random) }
            let contained = ["ent", "low"].filter { _ in Bool.random(using: &random) }
            names = UpcomingNames(
                words: NameIndex(names: chosen),
                contained: contained.isEmpty ? nil : NameMatcher(names: contained, locale: nil))
        }

        private mutating func changeCalendar(using random: inout SeededRandom) {
            revision += 1
            let name = ["home", "work"].randomElement(using: &random) ?? "home"
            let uid = "\(Int.random(in: 0..<12, using: &random))"
            let zones = ["Europe/Berlin", "Asia/Tokyo"]
            var update = CalendarUpdate(
                revision: revision, zone: zones[Int.random(in: 0..<20, using: &random) / 19])
            if Int.random(in: 0..<5, using: &random) == 0 {
                update.removed = [uid]
            } else {
                update.put = [drawEvent(uid, using: &random)]
            }
            if Int.random(in: 0..<25, using: &random) == 0 { update.isReset = true }
            _ = held[name, default: HeldCalendar()].apply(update, bytesMax: 10_000)
        }

        private func drawEvent(_ uid: String, using random: inout SeededRandom) -> [UInt8] {
            let shapes = UpcomingBookTests.shapes
            let shape = shapes[Int.random(in: 0..<shapes.count, using: &random)]
            let month = Int.random(in: 6...12, using: &random)
            let dayOfMonth = Int.random(in: 1...28, using: &random)
            func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
            let date = "2026\(two(month))\(two(dayOfMonth))"
            let time = "\(date)T\(two(Int.random(in: 0...23, using: &random)))00"
            let lines = shape.replacing("%T", with: time).replacing("%D", with: date)
            let title = UpcomingBookTests.titles.randomElement(using: &random) ?? ""
            return UpcomingBookTests.event(uid, title, lines)
        }
    }

    @Test(
        "After any changes the kept answer is the one from scratch",
        arguments: 1...40 as ClosedRange<UInt64>)
    func equalsFromScratch(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var world = World(asOf: try Samples.instant("20260701T093000"))
        var book = UpcomingBook(occurrencesPerSeriesMax: Self.countMax)
        for step in 0..<60 {
            world.change(using: &random)
            let hits = book.hits(in: world.held, names: world.names, window: world.window)
            let expected = Self.fromScratch(world.held, world.names, world.window)
            #expect(Self.texts(hits) == expected, "seed \(seed), step \(step)")
        }
    }

    @Test(
        "Nothing changes with time alone before the stated instant, and then it may",
        arguments: 1...25 as ClosedRange<UInt64>)
    func holdsUntilTheNextChange(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        // In these days both the begin and the end of the window meet a change of the clock.
        let begins = ["20260701T093000", "20261024T220000", "20260725T233000", "20261225T231000"]
        var world = World(asOf: try Samples.instant(begins[Int(seed) % begins.count]))
        for _ in 0..<40 { world.change(using: &random) }
        world.asOf = try Samples.instant(begins[Int(seed) % begins.count])
        var book = UpcomingBook(occurrencesPerSeriesMax: Self.countMax)
        for _ in 0..<60 {
            let now = Self.fromScratch(world.held, world.names, world.window)
            let next = book.nextChange(
                in: world.held, names: world.names, asOf: world.asOf, end: world.end)
            #expect(next > world.asOf && next <= world.asOf + Self.day)
            for _ in 0..<3 {
                var later = world
                later.asOf = Int64.random(in: world.asOf..<next, using: &random)
                #expect(Self.fromScratch(later.held, later.names, later.window) == now)
            }
            var last = world
            last.asOf = next - 1
            #expect(Self.fromScratch(last.held, last.names, last.window) == now)
            world.asOf = next
        }
    }

    @Test func eventsEnterAndLeaveAtTheInstant() throws {
        let start = try Samples.instant("20261001T190000")
        var held = HeldCalendar()
        _ = held.apply(
            CalendarUpdate(
                revision: 1,
                put: [Self.event("a", "Low", "DTSTART:20261001T190000Z\nDURATION:PT1H")]),
            bytesMax: 10_000)
        let names = UpcomingNames(words: NameIndex(names: ["Low"]))
        var book = UpcomingBook(occurrencesPerSeriesMax: Self.countMax)
        func hits(at asOf: Int64) -> Int {
            let window = UpcomingSpan(from: asOf, to: asOf + 90 * Self.day)
            return book.hits(in: ["home": held], names: names, window: window).count
        }
        func next(at asOf: Int64) -> Int64 {
            book.nextChange(in: ["home": held], names: names, asOf: asOf) { $0 + 90 * Self.day }
        }
        let entry = start - 90 * Self.day
        #expect([hits(at: entry), hits(at: entry + 1)] == [0, 1])
        #expect(next(at: entry - 5_000) == entry + 1)
        #expect(next(at: entry + 1) == entry + 1 + Self.day)
        let end = start + 3_600_000
        #expect([hits(at: end - 1), hits(at: end)] == [1, 0])
        #expect(next(at: start + 1) == end)
    }

    @Test func aChangeCostsWhatItTouches() throws {
        var home = HeldCalendar()
        let events = (0..<300).map {
            Self.event("\($0)", $0 % 10 == 0 ? "Low" : "Dentist", "DTSTART:20261001T190000Z")
        }
        _ = home.apply(CalendarUpdate(revision: 1, put: events), bytesMax: 100_000)
        var names = UpcomingNames(words: NameIndex(names: ["Low"]))
        var asOf = try Samples.instant("20260901T000000")
        var book = UpcomingBook(occurrencesPerSeriesMax: Self.countMax)
        func ask() -> Int {
            let window = UpcomingSpan(from: asOf, to: asOf + 90 * Self.day)
            return book.hits(in: ["home": home], names: names, window: window).count
        }
        var before = UpcomingWork()
        func work() -> [Int] {
            defer { before = book.work }
            return [
                book.work.read - before.read, book.work.expanded - before.expanded,
                book.work.lookedThrough - before.lookedThrough,
            ]
        }
        #expect(ask() == 30)
        #expect(work() == [300, 300, 300])
        #expect(ask() == 30)
        asOf += 10 * Self.day
        #expect(ask() == 30)
        #expect(work() == [0, 0, 0])
        _ = home.apply(
            CalendarUpdate(
                revision: 2, put: [Self.event("7", "Low", "DTSTART:20261002T190000Z")],
                removed: ["10"]),
            bytesMax: 10_000)
        #expect(ask() == 30)
        #expect(work() == [1, 1, 1])
        // The same text once more is no change.
        _ = home.apply(
            CalendarUpdate(revision: 3, put: [Self.event("7", "Low", "DTSTART:20261002T190000Z")]),
            bytesMax: 10_000)
        #expect(ask() == 30)
        #expect(work() == [0, 0, 0])
        names = UpcomingNames(words: NameIndex(names: ["Dentist"]))
        #expect(ask() == 269)
        #expect(work() == [0, 0, 299])
        asOf += 15 * Self.day
        _ = ask()
        #expect(work() == [0, 299, 299])
        #expect(book.seriesCount == 299)
    }
}
