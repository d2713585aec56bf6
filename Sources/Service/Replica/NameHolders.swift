import Catalog

/// Names and the entities that hold them; names that differ only in case are one.
struct NameHolders: Sendable {
    private struct Name: Sendable {
        let spelling: String
        var holders: Set<EntityKey>
    }

    private var ids: [String: Int] = [:]
    private var names: [Int: Name] = [:]
    private var nextID = 0

    /// Whether there are no names.
    var isEmpty: Bool { names.isEmpty }
    /// Every name's id, ascending, with one of its spellings.
    var all: [(id: Int, spelling: String)] {
        names.map { (id: $0.key, spelling: $0.value.spelling) }.sorted { $0.id < $1.id }
    }

    /// Adds a holder; gives the id of the name if nobody held it before.
    mutating func add(_ spelling: String, _ holder: EntityKey) -> Int? {
        let folded = EntityType.folded(spelling)
        if let id = ids[folded] {
            names[id]?.holders.insert(holder)
            return nil
        }
        defer { nextID += 1 }
        ids[folded] = nextID
        names[nextID] = Name(spelling: spelling, holders: [holder])
        return nextID
    }

    /// Removes a holder; gives the name, as it was added first, if nobody holds it any more.
    mutating func remove(
        _ spelling: String, _ holder: EntityKey
    ) -> (id: Int, spelling: String)? {
        let folded = EntityType.folded(spelling)
        guard let id = ids[folded], names[id]?.holders.remove(holder) != nil,
            let name = names[id], name.holders.isEmpty
        else { return nil }
        ids[folded] = nil
        names[id] = nil
        return (id, name.spelling)
    }

    /// Who holds a name, in order.
    func holders(of id: Int) -> [EntityKey] { (names[id]?.holders ?? []).sorted() }
    /// A spelling of a name.
    func spelling(of id: Int) -> String { names[id]?.spelling ?? "" }
}
