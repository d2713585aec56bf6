import Calendar
import Catalog

/// The names of a catalog that are looked for in calendars, and who holds them; kept as entities
/// come and go.
struct CalendarNames: Sendable {
    /// Names that are looked for as whole words.
    private(set) var index = NameIndex()
    private(set) var words = NameHolders()
    /// Names that are looked for anywhere in a title.
    private(set) var contained = NameHolders()
    /// Changes with every name that comes or goes.
    private(set) var stamp = Stamp()

    /// Adds what an entity of a type holds.
    mutating func add(_ entity: Entity, _ type: EntityType) {
        for spelling in type.calendarNames(of: entity, .names) {
            guard let id = words.add(spelling, entity.key) else { continue }
            index.insert(spelling, id: id)
            stamp = Stamp()
        }
        for spelling in type.calendarNames(of: entity, .contains)
        where contained.add(spelling, entity.key) != nil {
            stamp = Stamp()
        }
    }

    /// Takes away what an entity of a type held.
    mutating func remove(_ entity: Entity, _ type: EntityType) {
        for spelling in type.calendarNames(of: entity, .names) {
            guard let gone = words.remove(spelling, entity.key) else { continue }
            index.remove(gone.spelling, id: gone.id)
            stamp = Stamp()
        }
        for spelling in type.calendarNames(of: entity, .contains)
        where contained.remove(spelling, entity.key) != nil {
            stamp = Stamp()
        }
    }

    /// Replaces what an entity of a type held by what it holds now.
    mutating func replace(_ old: Entity, by new: Entity, _ type: EntityType) {
        let isSame = CalendarNameMode.allCases.allSatisfy {
            type.calendarNames(of: old, $0) == type.calendarNames(of: new, $0)
        }
        guard !isSame else { return }
        remove(old, type)
        add(new, type)
    }
}
