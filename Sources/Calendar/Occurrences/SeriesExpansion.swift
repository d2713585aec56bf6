/// The occurrences of one series in a window.
struct SeriesExpansion {
    private let series: EventSeries
    private let window: OccurrenceWindow
    private let countMax: Int

    private(set) var occurrences: [Occurrence] = []
    private(set) var faults: [CalendarFault.Code] = []

    private var steps = Bounds.stepsMax
    /// Original starts that are gone, replaced or given already; seconds, UTC.
    private var taken: Set<Int64> = []
    private var takenDays: Set<Int> = []

    /// Expands at once; `occurrences` are in no order.
    init(
        _ series: EventSeries, window: OccurrenceWindow, countMax: Int, book: inout ZoneBook
    ) {
        self.series = series
        self.window = window
        self.countMax = countMax
        if let master = series.master { takeExceptions(of: master, book: &book) }
        for override in series.overrides where !isStale(override, book: &book) {
            take(override.key)
            let event = override.event
            let span = event.span(atWall: event.wall)
            add(event, original: override.original, span, .override)
        }
        guard let master = series.master else { return }
        addDates(of: master, book: &book)
        if master.component.rules.isEmpty {
            addInstance(of: master, wall: master.wall, .start)
        }
        for rule in master.component.rules {
            walk(rule, of: master) { $0.addInstance(of: master, wall: $1, .rule) }
        }
    }

    // MARK: Sources

    private mutating func takeExceptions(of master: Event, book: inout ZoneBook) {
        for time in master.component.exceptionDates {
            take(series.key(of: time, book: &book))
        }
        for rule in master.component.exceptionRules {
            walk(rule, of: master) { $0.taken.insert(master.zone.instant(ofWall: $1)) }
        }
    }

    private mutating func take(_ key: EventSeries.Key) {
        switch key {
        case .instant(let instant): taken.insert(instant)
        case .day(let day): takenDays.insert(day)
        }
    }

    /// Whether a newer master has given the instance up that the override is of: by an exception,
    /// or by another rule.
    private mutating func isStale(
        _ override: EventSeries.Override, book: inout ZoneBook
    ) -> Bool {
        guard let master = series.master,
            master.component.sequence > override.event.component.sequence
        else { return false }
        let wall = master.zone.wall(at: override.original)
        if isTaken(wall: wall, original: override.original) { return true }
        if master.component.rules.isEmpty && wall == master.wall { return false }
        for date in master.component.dates
        where series.key(of: date.start, book: &book) == override.key {
            return false
        }
        var isFound = false
        var left = steps
        defer { steps = left }
        for rule in master.component.rules {
            let expansion = RuleExpansion(rule, start: master.wall)
            _ = expansion.walk(from: wall, through: wall, steps: &left) {
                isFound = isWithin(rule.until, wall: $0, of: master)
                return !isFound
            }
            if isFound { return false }
        }
        return true
    }

    private mutating func addDates(of master: Event, book: inout ZoneBook) {
        guard !master.component.dates.isEmpty else { return }
        // The first instance stands before its own repetition by an RDATE.
        if master.component.rules.isEmpty { addInstance(of: master, wall: master.wall, .date) }
        for date in master.component.dates {
            let wall: Int64
            switch series.key(of: date.start, book: &book) {
            case .instant(let instant): wall = master.zone.wall(at: instant)
            case .day(let day):
                wall = Int64(day) * 86_400 + floorModulus(master.wall, 86_400)
            }
            addInstance(
                of: master, wall: wall, .date,
                length: length(of: date, master: master, book: &book))
        }
    }

    /// The length that a period brings; nil for a plain date or a period that ends before it
    /// begins.
    private func length(
        of date: EventComponent.RecurrenceDate, master: Event, book: inout ZoneBook
    ) -> Event.Length? {
        if let end = date.end {
            let zone = series.zone(of: date.start, book: &book)
            let seconds = zone.instant(ofWall: end.wall) - zone.instant(ofWall: date.start.wall)
            return Event.length(ofPeriodSeconds: seconds)
        }
        return date.duration.flatMap { Event.length($0, isAllDay: master.isAllDay) }
    }

    /// Gives the wall times of a rule that may matter in the window.
    private mutating func walk(
        _ rule: RecurrenceRule, of master: Event, _ body: (inout SeriesExpansion, Int64) -> Void
    ) {
        // Wall and UTC differ by less than a day; lengths and shifts move starts further.
        let reach = 86_400 * 3 + master.longest + shiftMax(of: master)
        let expansion = RuleExpansion(rule, start: master.wall)
        var left = steps
        let end = expansion.walk(
            from: floorDivision(window.from, 1_000) - reach,
            through: floorDivision(window.to, 1_000) + reach, steps: &left
        ) { wall in
            guard isWithin(rule.until, wall: wall, of: master) else { return false }
            body(&self, wall)
            return occurrences.count < countMax
        }
        steps = left
        if end == .outOfSteps { faults.append(.ruleTooLong) }
    }

    /// UNTIL is inclusive. A date ends a timed series with that local day; a time ends an all-day
    /// series with the date as it is written.
    private func isWithin(_ until: CalendarTime?, wall: Int64, of master: Event) -> Bool {
        guard let until else { return true }
        if until.isDate || master.isAllDay {
            return Int(floorDivision(wall, 86_400)) <= until.day
        }
        guard until.place == .utc else { return wall <= until.wall }
        return master.zone.instant(ofWall: wall) <= until.wall
    }

    // MARK: Instances

    private mutating func addInstance(
        of master: Event, wall: Int64, _ origin: Occurrence.Origin, length: Event.Length? = nil
    ) {
        let original = master.zone.instant(ofWall: wall)
        guard !isTaken(wall: wall, original: original) else { return }
        taken.insert(original)
        if let later = series.laterOverrides.last(where: { $0.original <= original }) {
            let (event, moved) = shifted(later, master: master, wall: wall)
            let span = event.span(atWall: moved)
            add(event, original: original, span, .following)
        } else {
            let end = master.end(of: length ?? master.length, wall: wall, start: original)
            add(master, original: original, (original, end), origin)
        }
    }

    private func isTaken(wall: Int64, original: Int64) -> Bool {
        taken.contains(original) || takenDays.contains(Int(floorDivision(wall, 86_400)))
    }

    /// An instance after an override for this and future ones moves as that one did, on the wall.
    private func shifted(
        _ later: EventSeries.Override, master: Event, wall: Int64
    ) -> (event: Event, wall: Int64) {
        var event = later.event
        let target = event.isAllDay ? event.wall : wallInMaster(of: event, master: master)
        if !event.isAllDay { event.zone = master.zone }
        return (event, wall + target - master.zone.wall(at: later.original))
    }

    private func wallInMaster(of event: Event, master: Event) -> Int64 {
        master.zone.wall(at: event.zone.instant(ofWall: event.wall))
    }

    private func shiftMax(of master: Event) -> Int64 {
        series.laterOverrides.map { later in
            let move = later.event.zone.instant(ofWall: later.event.wall) - later.original
            return abs(move) + 86_400 + later.event.longest
        }.max() ?? 0
    }

    private mutating func add(
        _ event: Event, original: Int64, _ span: (start: Int64, end: Int64),
        _ origin: Occurrence.Origin
    ) {
        let occurrence = Occurrence(
            uid: series.uid, originalStart: original * 1_000, start: span.start * 1_000,
            end: max(span.start, span.end) * 1_000, isAllDay: event.isAllDay,
            title: event.component.title,
            location: event.component.location, isCancelled: isCancelled(event),
            origin: origin)
        let ahead = window.isWall ? event.zone.offset(at: span.start) * 1_000 : 0
        guard occurrence.overlaps(from: window.from - ahead, to: window.to - ahead) else { return }
        occurrences.append(occurrence)
    }

    /// A newer cancellation of the whole series takes its overrides with it (RFC 5546, 3.2.5).
    private func isCancelled(_ event: Event) -> Bool {
        if event.component.isCancelled { return true }
        guard let master = series.master?.component, master.isCancellation else { return false }
        return master.sequence >= event.component.sequence
    }
}
