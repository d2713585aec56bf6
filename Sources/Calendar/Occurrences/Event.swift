/// A VEVENT with its zone looked up: a place on the wall and a length, which any instance takes.
struct Event: Sendable {
    /// How long every instance lasts (RFC 5545, section 3.8.5.3).
    enum Length: Sendable, Equatable {
        /// From DTEND: the same exact time for every instance; seconds.
        case exact(Int64)
        /// From DURATION, or between dates: days on the wall, then an exact time; seconds.
        case nominal(days: Int, seconds: Int64)
    }

    let component: EventComponent
    var zone: Zone
    let isAllDay: Bool
    /// Seconds, in `zone`.
    let wall: Int64
    private(set) var length: Length
    let faults: [CalendarFault.Code]

    /// Nil without a start. `read` gives a time's zone; `viewer` is that of dates.
    init?(_ component: EventComponent, viewer: Zone, read: (CalendarTime.Place) -> Zone) {
        // An override that says only what it cancels stands where the instance stood.
        guard let start = component.start ?? component.recurrenceID else { return nil }
        self.component = component
        isAllDay = start.isDate
        wall = start.wall
        zone = start.isDate ? viewer : read(start.place)
        let length: Length?
        if let end = component.end {
            length = Self.length(from: start, zone: zone, to: end, read: read)
        } else if let duration = component.duration {
            length = Self.length(duration, isAllDay: isAllDay)
        } else {
            length = Self.shortest(isAllDay)
        }
        self.length = length ?? Self.shortest(isAllDay)
        faults = length == nil ? [.endInvalid] : []
    }

    /// The event with the length of another one, if it says nothing of its own time.
    func taking(_ other: Event) -> Event {
        guard component.start == nil, component.end == nil, component.duration == nil,
            isAllDay == other.isAllDay
        else { return self }
        var taken = self
        taken.length = other.length
        return taken
    }

    /// The length that a period gives to its instance; nil if it cannot be one.
    static func length(ofPeriodSeconds seconds: Int64) -> Length? {
        (0...Bounds.lengthMax).contains(seconds) ? .exact(seconds) : nil
    }

    /// Start and end of the instance at a wall time; seconds, UTC.
    func span(atWall wall: Int64) -> (start: Int64, end: Int64) {
        let start = zone.instant(ofWall: wall)
        return (start, end(of: length, wall: wall, start: start))
    }

    /// An upper bound for the time that an instance takes; seconds.
    var longest: Int64 {
        switch length {
        case .exact(let seconds): seconds
        case .nominal(let days, let seconds): Int64(days) * 86_400 + seconds + 86_400
        }
    }

    /// The end of an instance with another length, such as a period brings.
    func end(of length: Length, wall: Int64, start: Int64) -> Int64 {
        switch length {
        case .exact(let seconds):
            start + seconds
        case .nominal(let days, let seconds):
            max(start, zone.instant(ofWall: wall + Int64(days) * 86_400) + seconds)
        }
    }

    private static func shortest(_ isAllDay: Bool) -> Length {
        isAllDay ? .nominal(days: 1, seconds: 0) : .exact(0)
    }

    /// Nil if the end is before the start, or too late. Equal dates are one day: many write so.
    private static func length(
        from start: CalendarTime, zone: Zone, to end: CalendarTime,
        read: (CalendarTime.Place) -> Zone
    ) -> Length? {
        if start.isDate {
            guard length(ofPeriodSeconds: Int64(end.day - start.day) * 86_400) != nil else {
                return nil
            }
            return .nominal(days: max(1, end.day - start.day), seconds: 0)
        }
        let endZone = end.isDate ? zone : read(end.place)
        let seconds = endZone.instant(ofWall: end.wall) - zone.instant(ofWall: start.wall)
        return length(ofPeriodSeconds: seconds)
    }

    /// A duration in hours on a date counts every day that it begins. Nil for a negative or too
    /// long one.
    static func length(_ duration: CalendarDuration, isAllDay: Bool) -> Length? {
        guard duration.days >= 0, duration.seconds >= 0,
            Int64(duration.days) * 86_400 + duration.seconds <= Bounds.lengthMax
        else { return nil }
        guard isAllDay else { return .nominal(days: duration.days, seconds: duration.seconds) }
        let days = duration.days + Int((duration.seconds + 86_399) / 86_400)
        return .nominal(days: max(1, days), seconds: 0)
    }
}
