/// One instance of an event, at a place in time.
public struct Occurrence: Sendable, Equatable {
    /// Why there is an occurrence.
    public enum Origin: String, Sendable, CaseIterable {
        /// An event without rules and dates, by its DTSTART.
        case start
        /// An RRULE.
        case rule
        /// An RDATE, or DTSTART beside one.
        case date
        /// A component with the RECURRENCE-ID of this one.
        case override
        /// An earlier override for this and future ones.
        case following
    }

    /// The event's UID; with `originalStart` it names the occurrence.
    public let uid: String
    /// Where the rule put this instance before anything moved it; milliseconds, UTC.
    ///
    /// For a value that is a date, midnight of that date in the caller's zone.
    public let originalStart: Int64
    /// The start; milliseconds, UTC.
    public let start: Int64
    /// The end, exclusive and never before the start; milliseconds, UTC.
    public let end: Int64
    /// Whether start and end are dates: midnights in the caller's zone.
    public let isAllDay: Bool
    /// The SUMMARY, unescaped; empty if there is none.
    public let title: String
    /// The LOCATION, unescaped; nil if there is none.
    public let location: String?
    /// Whether the event or this instance of it has STATUS:CANCELLED.
    public let isCancelled: Bool
    /// Why it is there.
    public let origin: Origin

    /// From all its parts; times are milliseconds, UTC.
    public init(
        uid: String, originalStart: Int64, start: Int64, end: Int64, isAllDay: Bool,
        title: String, location: String?, isCancelled: Bool, origin: Origin
    ) {
        self.uid = uid
        self.originalStart = originalStart
        self.start = start
        self.end = end
        self.isAllDay = isAllDay
        self.title = title
        self.location = location
        self.isCancelled = isCancelled
        self.origin = origin
    }

    /// Whether it overlaps [from, to) as RFC 4791, section 9.9, defines it.
    ///
    /// It starts before `to` and ends after `from`; one of no length counts when it stands at
    /// `from` exactly. A window of no length is that instant.
    func overlaps(from: Int64, to: Int64) -> Bool {
        guard start < to || (from == to && start == to) else { return false }
        return end > from || (start == end && start == from)
    }

    /// Order of start, uid (as UTF-8 bytes) and original start.
    static func precedes(_ left: Occurrence, _ right: Occurrence) -> Bool {
        if left.start != right.start { return left.start < right.start }
        if left.uid != right.uid {
            return left.uid.utf8.lexicographicallyPrecedes(right.uid.utf8)
        }
        return left.originalStart < right.originalStart
    }
}
