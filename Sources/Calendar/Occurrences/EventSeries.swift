/// All events of one UID, sorted out: the master, single overrides, and those for this and future.
struct EventSeries {
    /// Which instance an override or exception means.
    enum Key: Hashable {
        /// Seconds, UTC.
        case instant(Int64)
        /// Every instance of a local date, where one side is a date and the other a time.
        case day(Int)
    }

    /// An override, and the original start that it replaces; seconds, UTC.
    struct Override {
        let event: Event
        let key: Key
        let original: Int64
    }

    let uid: String
    private(set) var master: Event?
    private(set) var overrides: [Override] = []
    /// In order of `original`; they are in `overrides` too.
    private(set) var laterOverrides: [Override] = []
    private(set) var faults: [CalendarFault] = []
    private let viewer: Zone

    /// From the parts of a resource; of every (UID, RECURRENCE-ID) the highest SEQUENCE counts,
    /// then the latest DTSTAMP, then the last in the text (RFC 5546, section 2.1.5).
    init(_ read: CalendarSeries, book: inout ZoneBook) {
        uid = read.uid
        book.begin(read.zones)
        viewer = book.viewer
        var usable: [Event] = []
        for component in read.events {
            guard let event = event(of: component, book: &book) else { continue }
            usable.append(event)
        }
        master = usable.filter { $0.component.recurrenceID == nil }.reduce(nil, Self.newer)
        var byKey: [Key: Override] = [:]
        for event in usable {
            guard let override = override(event, book: &book) else { continue }
            let kept = Self.newer(byKey[override.key]?.event, override.event)
            byKey[override.key] = Override(
                event: kept, key: override.key, original: override.original)
        }
        overrides = byKey.values.sorted { $0.original < $1.original }
        laterOverrides =
            master == nil ? [] : overrides.filter { $0.event.component.isThisAndFuture }
    }

    /// The instant, or else the local date, of an instance of the master that a time names.
    func key(of time: CalendarTime, book: inout ZoneBook) -> Key {
        guard let master else {
            return .instant(zone(of: time, book: &book).instant(ofWall: time.wall))
        }
        if master.isAllDay {
            return .instant(viewer.instant(ofWall: Int64(localDay(of: time, &book)) * 86_400))
        }
        if time.isDate { return .day(time.day) }
        return .instant(zone(of: time, book: &book).instant(ofWall: time.wall))
    }

    /// The zone of a time; the viewer's if its name is not known. One that names none is meant as
    /// the series' own start is: it can only mean an instance of that.
    func zone(of time: CalendarTime, book: inout ZoneBook) -> Zone {
        switch time.place {
        case .floating: master.map { $0.isAllDay ? viewer : $0.zone } ?? viewer
        case .utc: .utc
        case .named(let name): book.zone(named: name) ?? viewer
        }
    }

    /// Notes a fault once, up to a number.
    mutating func note(_ code: CalendarFault.Code, _ context: String) {
        let fault = CalendarFault(uid: uid, code: code, context: context)
        if faults.count < Bounds.faultsMax && !faults.contains(fault) { faults.append(fault) }
    }

    private mutating func zone(of place: CalendarTime.Place, noting book: inout ZoneBook) -> Zone {
        switch place {
        case .floating: return viewer
        case .utc: return .utc
        case .named(let name):
            if let zone = book.zone(named: name) { return zone }
            note(.zoneUnknown, "TZID \(name.prefix(64)): the zone of floating values is used")
            return viewer
        }
    }

    private mutating func event(of component: EventComponent, book: inout ZoneBook) -> Event? {
        for fault in component.faults { note(fault.code, fault.context) }
        guard !component.hasUnreadableRecurrenceID else {
            note(.dateInvalid, "RECURRENCE-ID is unreadable: the component is left out")
            return nil
        }
        let places = [component.start?.place, component.end?.place, component.recurrenceID?.place]
        var zones: [Zone] = []
        for place in places {
            zones.append(place.map { zone(of: $0, noting: &book) } ?? viewer)
        }
        let event = Event(component, viewer: viewer) { place in
            places.firstIndex(of: place).map { zones[$0] } ?? viewer
        }
        guard let event else {
            note(.startMissing, "DTSTART is missing or unreadable: the component is left out")
            return nil
        }
        for code in event.faults { note(code, "the end is before the start") }
        return event
    }

    private func override(_ event: Event, book: inout ZoneBook) -> Override? {
        guard let time = event.component.recurrenceID else { return nil }
        let key = key(of: time, book: &book)
        // One that says nothing of its time is at the time of its instance, for as long.
        let event = master.map { event.taking($0) } ?? event
        switch key {
        case .instant(let instant):
            return Override(event: event, key: key, original: instant)
        case .day(let day):
            // A date on a timed series: the instance of that day, at the master's time.
            let clock = floorModulus(master?.wall ?? 0, 86_400)
            let zone = master?.zone ?? viewer
            let original = zone.instant(ofWall: Int64(day) * 86_400 + clock)
            return Override(event: event, key: key, original: original)
        }
    }

    /// The date that a time names in an all-day series. Midnight is taken as it is written: those
    /// who write a time there mean the date.
    private func localDay(of time: CalendarTime, _ book: inout ZoneBook) -> Int {
        if time.isDate || time.isMidnight || time.place == .floating { return time.day }
        let instant = zone(of: time, book: &book).instant(ofWall: time.wall)
        return Int(floorDivision(viewer.wall(at: instant), 86_400))
    }

    private static func newer(_ known: Event?, _ next: Event) -> Event {
        guard let known else { return next }
        let (old, new) = (known.component, next.component)
        return (new.sequence, new.stamp) >= (old.sequence, old.stamp) ? next : known
    }
}
