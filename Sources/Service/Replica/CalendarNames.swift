import Calendar
import Catalog

/// The names of a catalog that are looked for in calendars as whole words, and who holds them; kept
/// as entities come and go.
///
/// Names that differ only in case are one, written as it came first.
struct CalendarNames: Sendable {
    private struct Name: Sendable {
        let spelling: String
        var holders: Set<EntityKey>
    }

    private(set) var index = NameIndex()
    private var ids: [String: Int] = [:]
    private var names: [Int: Name] = [:]
    private var nextID = 0

    /// Adds what an entity of a type holds.
    mutating func add(_ entity: Entity, _ type: EntityType) {
        for spelling in type.calendarNames(of: entity, .names) {
            let folded = spelling.lowercased()
            if let id = ids[folded] {
                names[id]?.holders.insert(entity.key)
                continue
            }
            ids[folded] = nextID
            names[nextID] = Name(spelling: spelling, holders: [entity.key])
            index.insert(spelling, id: nextID)
            nextID += 1
        }
    }

    /// Takes away what an entity of a type held.
    mutating func remove(_ entity: Entity, _ type: EntityType) {
        for spelling in type.calendarNames(of: entity, .names) {
            let folded = spelling.lowercased()
            guard let id = ids[folded], var name = names[id] else { continue }
            name.holders.remove(entity.key)
            names[id] = name
            guard name.holders.isEmpty else { continue }
            index.remove(name.spelling, id: id)
            ids[folded] = nil
            names[id] = nil
        }
    }

    /// How a name of the index is written.
    func spelling(of id: Int) -> String { names[id]?.spelling ?? "" }

    /// Who holds a name of the index, in order.
    func holders(of id: Int) -> [EntityKey] { (names[id]?.holders ?? []).sorted() }
}
