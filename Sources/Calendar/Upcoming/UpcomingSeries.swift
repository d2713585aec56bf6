/// One UID of a calendar: read once, expanded once for a span, and looked through for names once.
struct UpcomingSeries: Sendable {
    /// As it was put; to see whether it was put anew.
    let text: [UInt8]
    private let series: CalendarSeries?
    private(set) var occurrences: [Occurrence] = []
    /// A part of the span may hold what the expansion of the whole span left out.
    private(set) var isDense = false
    /// What of the occurrences holds names.
    private(set) var hits: [UpcomingHit] = []

    /// Reads a resource; one that is unreadable has no occurrences.
    init(uid: String, text: [UInt8]) {
        self.text = text
        series = try? CalendarSeries(CalendarResource(uid: uid, text: text))
    }

    /// Expands in a span; `hits` are empty then.
    mutating func expand(in span: UpcomingSpan, zone: String, countMax: Int) {
        hits = []
        (occurrences, isDense) = expanded(in: span, zone: zone, countMax: countMax)
    }

    /// Looks for names in the titles of the occurrences.
    mutating func look(for names: UpcomingNames, calendar: String) {
        hits = Self.hits(of: occurrences, names, calendar)
    }

    /// The hits of a span that the series was not expanded for.
    func hits(
        in span: UpcomingSpan, zone: String, countMax: Int, _ names: UpcomingNames,
        calendar: String
    ) -> [UpcomingHit] {
        let occurrences = expanded(in: span, zone: zone, countMax: countMax).occurrences
        return Self.hits(of: occurrences, names, calendar)
    }

    private func expanded(
        in span: UpcomingSpan, zone: String, countMax: Int
    ) -> (occurrences: [Occurrence], isDense: Bool) {
        guard let series else { return ([], false) }
        let answer = ICalendar.occurrences(
            of: [series], in: OccurrenceWindow(from: span.from, to: span.to), zone: zone,
            occurrencesMax: countMax)
        let isDense = answer.faults.contains {
            $0.code == .tooManyOccurrences || $0.code == .ruleTooLong
        }
        return (answer.occurrences.filter { !$0.isCancelled }, isDense)
    }

    private static func hits(
        of occurrences: [Occurrence], _ names: UpcomingNames, _ calendar: String
    ) -> [UpcomingHit] {
        // The instances of a series mostly have one title.
        var known: [String: TitleMarks] = [:]
        return occurrences.compactMap { occurrence in
            let marks = known[occurrence.title] ?? names.marks(in: occurrence.title)
            known[occurrence.title] = marks
            guard !marks.isEmpty else { return nil }
            return UpcomingHit(calendar: calendar, occurrence: occurrence, marks: marks)
        }
    }
}
