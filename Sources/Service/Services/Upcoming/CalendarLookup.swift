import Calendar
import Catalog
import Messages

/// Whether the caller's calendar already has a concert: an event on that day whose title holds
/// one of the names that the entity carries, each looked for as its property declares.
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
        for occurrence in occurrences {
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
        let titles = type.dates(of: entity).flatMap { days[Self.day(of: $0.start)] ?? [] }
        guard !titles.isEmpty else { return false }
        let names = type.calendarNames(of: entity, .names)
        let words = NameIndex(names: names)
        // The entity itself is on that day, which speaks for a name that needs a second signal.
        let evidence = MatchEvidence(concerts: Set(names.indices))
        let contained = NameMatcher(
            names: type.calendarNames(of: entity, .contains), locale: nil)
        return titles.contains {
            !words.matches(in: $0, evidence: evidence).isEmpty
                || !contained.matches(title: $0).isEmpty
        }
    }

    private static func day(of instant: Int64) -> Int64 {
        (instant - ((instant % dayMilliseconds) + dayMilliseconds) % dayMilliseconds)
            / dayMilliseconds
    }
}

extension AccountCalendars {
    /// The occurrences of the coming local days that are not cancelled.
    fileprivate func occurrences(from asOf: Timestamp, days: Int) throws -> [Occurrence] {
        var found: [Occurrence] = []
        for (_, calendar) in calendars.sorted(by: { $0.key < $1.key }) {
            let window = try CalendarWindow.upcoming(
                asOf: asOf.milliseconds, days: days, zone: calendar.zone)
            let resources = calendar.resources.sorted { $0.key < $1.key }.map {
                CalendarResource(uid: $0.key, text: $0.value.text)
            }
            let expanded = ICalendar.occurrences(
                of: resources, from: window.from, to: window.to, zone: calendar.zone,
                occurrencesMax: Limits.occurrencesPerSeriesMax)
            found += expanded.occurrences.filter { !$0.isCancelled }
        }
        return found
    }
}
