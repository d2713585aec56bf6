import Calendar
import Catalog
import Messages

/// Finds the names of a catalog in the titles of one request, each in the way that its property
/// declares.
struct UpcomingNames {
    private let call: ServiceCall
    private let locale: String?
    private let names: CalendarNames
    private let contained: [(name: String, entities: [EntityKey])]
    private let matcher: NameMatcher?

    init(_ call: ServiceCall, locale: String?) {
        self.call = call
        self.locale = locale
        names = call.catalog.names
        let hasContained = call.content.types.all.contains {
            !$0.calendarNameProperties(.contains).isEmpty
        }
        contained =
            hasContained
            ? call.catalog.content.calendarNames(types: call.content.types, mode: .contains) : []
        matcher =
            hasContained ? NameMatcher(names: contained.map(\.name), locale: locale) : nil
    }

    /// The names in an occurrence's title with their entities and why they count, by name.
    func matches(of occurrence: Occurrence) -> [JSONValue] {
        let title = occurrence.title
        var found: [(name: String, json: JSONValue)] = []
        for match in wholeWords(of: occurrence) {
            let name = names.spelling(of: match.id)
            let why =
                [match.comparison(of: name, in: title).rawValue]
                + (match.signal.map { [$0.rawValue] } ?? [])
            found.append((name, json(name, names.holders(of: match.id), why)))
        }
        for index in matcher?.matches(title: title) ?? [] {
            let (name, entities) = contained[index]
            found.append((name, json(name, entities, ["contained"])))
        }
        return found.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }.map(\.json)
    }

    /// Each name once. One that needs a second signal has it if the catalog has a concert of it on
    /// that day.
    private func wholeWords(of occurrence: Occurrence) -> [NameMatch] {
        let considered = names.index.considered(in: occurrence.title)
        let weak = considered.filter { $0.rejection?.needsSignal == true }.map(\.id)
        let concerts = Set(weak).filter { hasConcert($0, at: occurrence) }
        let matches =
            concerts.isEmpty
            ? considered.filter(\.isMatch)
            : names.index.matches(
                in: occurrence.title, evidence: MatchEvidence(concerts: concerts))
        var seen: Set<Int> = []
        return matches.filter { seen.insert($0.id).inserted }
    }

    /// Whether an entity of that name has a date between half a day before and after the event:
    /// the dates of both may be of different zones.
    private func hasConcert(_ id: Int, at occurrence: Occurrence) -> Bool {
        let slack: Int64 = 43_200_000
        let span = (occurrence.start - slack)...(max(occurrence.start, occurrence.end) + slack)
        return names.holders(of: id).contains { key in
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
