import Calendar
import Catalog
import Messages

/// Turns the names that stand in titles into what a reply says of them.
struct UpcomingMatches {
    private let call: ServiceCall
    private let locale: String?
    private let names: CalendarNames
    private let containedIDs: [Int]

    init(_ call: ServiceCall, _ names: CalendarNames, locale: String?) {
        self.call = call
        self.locale = locale
        self.names = names
        containedIDs = names.contained.all.map(\.id)
    }

    /// The names in an occurrence's title with their entities and why they count, by name.
    func matches(of hit: UpcomingHit) -> [JSONValue] {
        let title = hit.occurrence.title
        var found: [(name: String, order: Int, json: JSONValue)] = []
        for match in wholeWords(of: hit) {
            let holders = names.words.holders(of: match.id)
            let name = spelling(names.words.spelling(of: match.id), holders, .names)
            let why =
                [match.comparison(of: name, in: title).rawValue]
                + (match.signal.map { [$0.rawValue] } ?? [])
            found.append((name, 0, json(name, holders, why)))
        }
        for place in hit.marks.contained {
            let id = containedIDs[place]
            let holders = names.contained.holders(of: id)
            let name = spelling(names.contained.spelling(of: id), holders, .contains)
            found.append((name, 1, json(name, holders, ["contained"])))
        }
        return found.sorted { left, right in
            left.name == right.name
                ? left.order < right.order
                : left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
        }.map(\.json)
    }

    /// As the first of its holders writes it, in whatever order they came.
    private func spelling(
        _ name: String, _ holders: [EntityKey], _ mode: CalendarNameMode
    ) -> String {
        guard let first = holders.first, let (entity, type) = call.find(first) else { return name }
        let folded = EntityType.folded(name)
        return type.calendarNames(of: entity, mode).first { EntityType.folded($0) == folded }
            ?? name
    }

    /// Each name once. One that needs a second signal has it if the catalog has a concert of it on
    /// that day.
    private func wholeWords(of hit: UpcomingHit) -> [NameMatch] {
        let weak = hit.marks.words.filter { $0.rejection?.needsSignal == true }.map(\.id)
        let concerts = Set(weak).filter { hasConcert($0, at: hit.occurrence) }
        let matches =
            concerts.isEmpty
            ? hit.marks.words.filter(\.isMatch)
            : names.index.matches(
                in: hit.occurrence.title, evidence: MatchEvidence(concerts: concerts))
        var seen: Set<Int> = []
        return matches.filter { seen.insert($0.id).inserted }
    }

    /// Whether an entity of that name has a date between half a day before and after the event:
    /// the dates of both may be of different zones.
    private func hasConcert(_ id: Int, at occurrence: Occurrence) -> Bool {
        let slack: Int64 = 43_200_000
        let span = (occurrence.start - slack)...(max(occurrence.start, occurrence.end) + slack)
        return names.words.holders(of: id).contains { key in
            guard let (entity, type) = call.find(key) else { return false }
            return type.dates(of: entity).contains { span.contains($0.start) }
        }
    }

    private func json(_ name: String, _ entities: [EntityKey], _ why: [String]) -> JSONValue {
        let listed = entities.compactMap { key -> JSONValue? in
            guard let (entity, type) = call.find(key) else { return nil }
            return EntityView.reference(to: entity, type: type, locale: locale)
        }
        return .object([
            "name": .string(name), "entities": .array(listed),
            "why": .array(why.map(JSONValue.string)),
        ])
    }
}
