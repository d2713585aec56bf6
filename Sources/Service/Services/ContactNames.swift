import Calendar
import Catalog
import Messages

/// Finds the entities that contacts are named like.
///
/// A contact is named like an entity if one of its names is a name of the catalog, whole: a person
/// called Delta Fern Miller is not Delta Fern.
struct ContactNames {
    private let call: ServiceCall
    private let locale: String?
    private let names: CalendarNames

    init(_ call: ServiceCall, locale: String?) {
        self.call = call
        self.locale = locale
        names = call.catalog.names
    }

    /// The names to look for.
    var wanted: UpcomingNames { UpcomingNames(stamp: names.stamp, words: names.index) }

    /// The names that a contact has in common with entities, with these and why, by name.
    func matches(of card: ContactCard) -> [JSONValue] {
        guard card.kind != .group else { return [] }
        var found: [Int: (name: String, json: JSONValue)] = [:]
        for name in card.names {
            for match in names.index.matches(in: name.text)
            where found[match.id] == nil && match.isWhole(of: name.text) {
                let spelling = names.words.spelling(of: match.id)
                let why = [
                    match.comparison(of: spelling, in: name.text).rawValue, name.kind.rawValue,
                ]
                found[match.id] = (spelling, json(spelling, names.words.holders(of: match.id), why))
            }
        }
        return found.values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }.map(
            \.json)
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
