import Calendar
import Catalog
import Messages
import Queue

extension Services {
    /// `calendar.upcoming`: the events of the coming days whose title holds a name that the
    /// catalog knows, with the entities of that name and their routes.
    func upcoming(_ call: ServiceCall) throws -> JobOutput {
        let request = try UpcomingRequest(parsing: call.body)
        guard let account = call.request.fields.text(.account), !account.isEmpty else {
            throw ServiceFailure(.badRequest, "calendar.upcoming takes the field 'account'")
        }
        let calendars = call.content.accounts[account] ?? AccountCalendars()
        guard calendars.access == .fullAccess else {
            let access = JSONValue.object(["access": .string(calendars.access.rawValue)])
            throw ServiceFailure(
                .accessRequired, "the account has to grant full access to its calendars",
                body: access.canonical())
        }
        let finder = UpcomingNames(call, locale: request.locale)
        var items: [MergeItem] = []
        for (calendar, occurrence) in try calendars.occurrences(
            from: call.asOf, days: request.days)
        {
            let matches = finder.matches(of: occurrence)
            if !matches.isEmpty { items.append(item(occurrence, in: calendar, matches: matches)) }
        }
        return call.output(items)
    }

    private func item(
        _ occurrence: Occurrence, in calendar: String, matches: [JSONValue]
    ) -> MergeItem {
        var json: [String: JSONValue] = [
            "uid": .string(occurrence.uid), "calendar": .string(calendar),
            "start": .integer(occurrence.start), "end": .integer(occurrence.end),
            "originalStart": .integer(occurrence.originalStart),
            "allDay": .bool(occurrence.isAllDay), "title": .string(occurrence.title),
            "matches": .array(matches),
        ]
        if let location = occurrence.location { json["location"] = .string(location) }
        // Two's complement sorts as bytes once the sign bit is flipped.
        let start = bigEndianBytes(UInt64(bitPattern: occurrence.start) ^ (1 << 63))
        let original = bigEndianBytes(UInt64(bitPattern: occurrence.originalStart) ^ (1 << 63))
        let name = Array("\(calendar)\u{0}\(occurrence.uid)\u{0}".utf8) + original
        return MergeItem(
            sortKey: start + name, unionKey: name, json: JSONValue.object(json).canonical())
    }
}

extension AccountCalendars {
    /// The occurrences of the coming local days that are not cancelled, each with its calendar.
    func occurrences(
        from asOf: Timestamp, days: Int
    ) throws -> [(calendar: String, occurrence: Occurrence)] {
        var found: [(String, Occurrence)] = []
        for (name, calendar) in calendars.sorted(by: { $0.key < $1.key }) {
            let window = try CalendarWindow.upcoming(
                asOf: asOf.milliseconds, days: days, zone: calendar.zone)
            let resources = calendar.resources.sorted { $0.key < $1.key }.map {
                CalendarResource(uid: $0.key, text: $0.value.text)
            }
            let expanded = ICalendar.occurrences(
                of: resources, from: window.from, to: window.to, zone: calendar.zone,
                occurrencesMax: Limits.occurrencesPerSeriesMax)
            found += expanded.occurrences.filter { !$0.isCancelled }.map { (name, $0) }
        }
        return found
    }
}

/// Whether the caller's calendar already has a concert: an event on that day whose title holds
/// one of the names that the entity carries.
struct CalendarLookup {
    private let types: EntityTypes
    private let days: [Int64: [String]]

    private static let dayMilliseconds: Int64 = 86_400_000

    init(_ call: ServiceCall) {
        types = call.content.types
        guard let account = call.request.fields.text(.account),
            let calendars = call.content.accounts[account], calendars.access == .fullAccess,
            // An unknown zone leaves the mark out; the search is answered all the same.
            let occurrences = try? calendars.occurrences(
                from: call.asOf, days: Limits.upcomingDaysMax)
        else {
            days = [:]
            return
        }
        var days: [Int64: [String]] = [:]
        for (_, occurrence) in occurrences {
            let first = Self.day(of: occurrence.start)
            let last = Self.day(of: max(occurrence.start, occurrence.end - 1))
            for day in first...min(last, first + 31) {
                days[day, default: []].append(occurrence.title)
            }
        }
        self.days = days
    }

    /// The calendar has an event for the entity.
    func has(_ entity: Entity) -> Bool {
        guard !days.isEmpty, let type = types[entity.key.type] else { return false }
        let matcher = NameMatcher(names: type.calendarNames(of: entity), locale: nil)
        return type.dates(of: entity).contains { date in
            (days[Self.day(of: date.start)] ?? []).contains { !matcher.matches(title: $0).isEmpty }
        }
    }

    private static func day(of instant: Int64) -> Int64 {
        (instant - ((instant % dayMilliseconds) + dayMilliseconds) % dayMilliseconds)
            / dayMilliseconds
    }
}
