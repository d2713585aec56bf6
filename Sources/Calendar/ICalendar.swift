/// iCalendar (RFC 5545) texts: splitting them by UID, and expanding them to occurrences.
///
/// Everything is a function of its arguments and of the zone data that Foundation brings: neither
/// the clock nor the process's zone or locale enters.
public enum ICalendar {
    /// The occurrences that overlap [from, to), in order of start, uid and original start.
    ///
    /// Overlap is that of RFC 4791, section 9.9. What is decided where engines differ:
    /// - DTSTART is an instance where the rule has it, or where there is no rule.
    /// - A wall time that the clock skips is shifted by the gap and kept; one that it shows twice
    ///   is the first.
    /// - An override stands even where the master has no such instance, unless the master's
    ///   SEQUENCE is higher: then the instance was given up later.
    /// - Equal original starts of one UID count once.
    /// - A TZID is the object's own VTIMEZONE, else an IANA zone, else a Windows name, else
    ///   `zone` with a fault.
    ///
    /// - Parameters:
    ///   - resources: each with one UID; one that is unreadable costs a fault, not the answer.
    ///   - from: the window's begin; milliseconds, UTC.
    ///   - to: its end, exclusive; milliseconds, UTC. Where it equals `from`, that instant is
    ///     meant. Times beyond the years 1 to 9999 are cut.
    ///   - zone: the IANA name of the zone for floating and all-day values; UTC, with a fault, if
    ///     it is not known.
    ///   - occurrencesMax: how many are given; the first ones, with a fault, if there are more.
    /// - Returns: the occurrences, cancelled ones among them, and what was not as it should be, in
    ///   the order of the resources.
    public static func occurrences(
        of resources: [CalendarResource], from: Int64, to: Int64, zone: String, occurrencesMax: Int
    ) -> (occurrences: [Occurrence], faults: [CalendarFault]) {
        var series: [CalendarSeries] = []
        var faults: [CalendarFault] = []
        for resource in resources {
            do throws(CalendarError) {
                series.append(try CalendarSeries(resource))
            } catch {
                faults.append(
                    CalendarFault(
                        uid: resource.uid, code: .resourceUnreadable, context: error.context))
            }
        }
        let answer = occurrences(
            of: series, in: OccurrenceWindow(from: from, to: to), zone: zone,
            occurrencesMax: occurrencesMax)
        return (answer.occurrences, faults + answer.faults)
    }

    /// As above, of series that were read before, in a window of either kind.
    public static func occurrences(
        of series: [CalendarSeries], in asked: OccurrenceWindow, zone: String, occurrencesMax: Int
    ) -> (occurrences: [Occurrence], faults: [CalendarFault]) {
        var faults: [CalendarFault] = []
        let viewer = Zone(identifier: zone)
        if viewer == nil {
            faults.append(
                CalendarFault(
                    uid: "", code: .zoneUnknown, context: "zone \(zone.prefix(64)): UTC is used"))
        }
        let window = OccurrenceWindow(
            from: max(asked.from, Bounds.secondsMin * 1_000),
            to: min(asked.to, Bounds.secondsMax * 1_000), isWall: asked.isWall)
        let occurrencesMax = min(occurrencesMax, Bounds.occurrencesMax)
        guard window.from <= window.to, occurrencesMax > 0 else { return ([], faults) }
        var book = ZoneBook(viewer: viewer ?? .utc, through: window.to / 1_000)
        var occurrences: [Occurrence] = []
        var isCut = false
        for one in series {
            let part = expand(one, window, occurrencesMax, book: &book)
            occurrences += part.occurrences
            faults += part.faults
            // Twice the number before sorting: every occurrence is moved a few times at most.
            if occurrences.count > 2 * occurrencesMax {
                isCut = cut(&occurrences, to: occurrencesMax) || isCut
            }
        }
        isCut = cut(&occurrences, to: occurrencesMax) || isCut
        if isCut {
            faults.append(
                CalendarFault(
                    uid: "", code: .tooManyOccurrences,
                    context: "more than \(occurrencesMax): the first ones are given"))
        }
        return (occurrences, faults)
    }

    private static func expand(
        _ read: CalendarSeries, _ window: OccurrenceWindow, _ occurrencesMax: Int,
        book: inout ZoneBook
    ) -> (occurrences: [Occurrence], faults: [CalendarFault]) {
        let series = EventSeries(read, book: &book)
        let expansion = SeriesExpansion(
            series, window: window, countMax: occurrencesMax + 1, book: &book)
        let faults = expansion.faults.map {
            CalendarFault(uid: read.uid, code: $0, context: "\(Bounds.stepsMax) steps")
        }
        return (expansion.occurrences, series.faults + faults)
    }

    /// Sorts, and keeps the first `count`; whether any was dropped.
    private static func cut(_ occurrences: inout [Occurrence], to count: Int) -> Bool {
        occurrences.sort(by: Occurrence.precedes)
        guard occurrences.count > count else { return false }
        occurrences.removeLast(occurrences.count - count)
        return true
    }
}
