/// What is upcoming in the calendars of an account, kept so that a change costs no more than what
/// it touches.
///
/// Each UID is read once, expanded once for a span of some weeks around the window, and its titles
/// are looked through once. It is read anew when it is put anew; expanded anew when the calendar's
/// zone changes or the window leaves the span; looked through anew when the names change.
///
/// The answers are those that working everything out for each question would give.
public struct UpcomingBook: Sendable {
    private static let day: Int64 = 86_400_000
    /// Days for which the window may go on before all is expanded anew.
    private static let daysAhead: Int64 = 14
    /// Milliseconds behind the window that are looked at, to know what enters it next.
    private static let lookahead = day

    private var calendars: [String: UpcomingCalendar] = [:]
    private var span: UpcomingSpan?
    private var names: UpcomingNames?
    private let countMax: Int
    /// What was worked out so far.
    public private(set) var work = UpcomingWork()

    /// Series that are kept.
    public var seriesCount: Int { calendars.values.reduce(0) { $0 + $1.seriesCount } }

    /// A book that knows nothing yet.
    ///
    /// - Parameter occurrencesPerSeriesMax: of one series in one window; the first ones count.
    public init(occurrencesPerSeriesMax: Int) { countMax = occurrencesPerSeriesMax }

    /// The occurrences that overlap a window and whose titles hold a name; cancelled ones do not.
    ///
    /// - Parameters:
    ///   - held: calendars by name.
    ///   - window: [from, to) in milliseconds, UTC.
    /// - Returns: in no order.
    public mutating func hits(
        in held: [String: HeldCalendar], names wanted: UpcomingNames, window: UpcomingSpan
    ) -> [UpcomingHit] {
        update(to: held, wanted, window)
        return calendars.values.flatMap {
            $0.hits(in: window, names: wanted, countMax: countMax)
        }
    }

    /// The first instant behind `asOf` at which the hits of the window may be others with time
    /// alone; milliseconds, UTC. At most a day ahead.
    ///
    /// - Parameter end: the end of the window that begins at an instant.
    public mutating func nextChange(
        in held: [String: HeldCalendar], names wanted: UpcomingNames, asOf: Int64,
        end: (Int64) -> Int64
    ) -> Int64 {
        let window = UpcomingSpan(from: asOf, to: end(asOf))
        update(to: held, wanted, window)
        // Zones change at whole quarters of an hour; until then the end moves as the begin does.
        let isEven = end(asOf + Self.day) - window.to == Self.day
        let quarter: Int64 = 900_000
        var next = isEven ? asOf + Self.day : asOf - floorModulus(asOf, quarter) + quarter
        if calendars.values.contains(where: \.hasDense) { next = min(next, asOf + 60_000) }
        let wide = UpcomingSpan(from: asOf, to: window.to + Self.lookahead)
        for hit in calendars.values.flatMap({ $0.hits(in: wide, names: wanted, countMax: countMax) }
        ) {
            let occurrence = hit.occurrence
            // One of no length stands for an instant.
            let gone = max(occurrence.end, occurrence.start + 1)
            if gone > asOf { next = min(next, gone) }
            if occurrence.start >= window.to {
                next = min(next, asOf + occurrence.start - window.to + 1)
            }
        }
        return next
    }

    private mutating func update(
        to held: [String: HeldCalendar], _ wanted: UpcomingNames, _ window: UpcomingSpan
    ) {
        let wide = wideSpan(for: window)
        let hasNewNames = names?.stamp != wanted.stamp
        for name in calendars.keys where held[name] == nil { calendars[name] = nil }
        for (name, calendar) in held {
            let isKnown = calendars[name] != nil
            calendars[name, default: UpcomingCalendar(name: name)].update(
                to: calendar, span: wide, names: wanted, countMax: countMax, work: &work)
            if hasNewNames, isKnown { calendars[name]?.look(for: wanted, work: &work) }
        }
        (span, names) = (wide, wanted)
    }

    /// The span that is kept if the window is well inside it, else one around the window.
    private func wideSpan(for window: UpcomingSpan) -> UpcomingSpan {
        if let span, span.from <= window.from, window.to + Self.lookahead <= span.to {
            return span
        }
        let begin = window.from - floorModulus(window.from, Self.day) - Self.day
        return UpcomingSpan(
            from: begin, to: window.to + Self.lookahead + Self.daysAhead * Self.day)
    }
}
