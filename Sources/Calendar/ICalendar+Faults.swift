extension ICalendar {
    /// What of a resource cannot be used, as far as reading it says; the rest of it counts.
    ///
    /// Nothing is expanded: that a rule takes too many steps is a fault of an expansion alone.
    ///
    /// - Parameter zone: of floating and all-day values; one that is not known is taken for UTC.
    public static func faults(of resource: CalendarResource, zone: String) -> [CalendarFault] {
        do throws(CalendarError) {
            let series = try CalendarSeries(resource)
            var book = ZoneBook(viewer: Zone(identifier: zone) ?? .utc, through: 0)
            return EventSeries(series, book: &book).faults
        } catch {
            return [
                CalendarFault(
                    uid: resource.uid, code: .resourceUnreadable, context: error.context)
            ]
        }
    }

    /// Whether a zone may be named by a change: an IANA name that the time zone data has.
    public static func knows(zone: String) -> Bool { Zone(identifier: zone) != nil }
}
