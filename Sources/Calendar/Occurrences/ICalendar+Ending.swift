extension ICalendar {
    /// Whether all occurrences of a resource, cancelled ones too, ended before an instant.
    ///
    /// All wall times are taken for UTC, so that the answer depends neither on the version of the
    /// time zone data nor on a zone that may change: it is off by less than a day.
    ///
    /// A resource that cannot be read, has no start, or whose rules take too many steps is not
    /// known to be over.
    ///
    /// - Parameter instant: milliseconds, UTC.
    static func isOver(_ resource: CalendarResource, before instant: Int64) -> Bool {
        guard let read = try? CalendarSeries(resource) else { return false }
        var book = ZoneBook.onlyUTC
        let series = EventSeries(read, book: &book)
        let events = series.overrides.map(\.event) + (series.master.map { [$0] } ?? [])
        guard !events.isEmpty,
            events.allSatisfy({ $0.span(atWall: $0.wall).end * 1_000 <= instant })
        else { return false }
        guard let master = series.master?.component,
            !master.rules.isEmpty || !master.dates.isEmpty
        else { return true }
        let window = OccurrenceWindow(from: instant, to: Bounds.secondsMax * 1_000)
        let expansion = SeriesExpansion(series, window: window, countMax: 1, book: &book)
        return expansion.occurrences.isEmpty && expansion.faults.isEmpty
    }
}
