import Messages

/// The entities of one catalog, at one position of the journal.
///
/// A value: a copy is a snapshot, cheap to take and cheap to change (see `SortedMap`).
public struct CatalogContent: Sendable {
    private struct Entry: Sendable {
        var number: Int
        var entity: Entity
    }

    private var entries = SortedMap<EntityKey, Entry>()
    private var keys = SortedMap<Int, EntityKey>()
    private var nextEntry = 0
    private var countByType: [String: Int] = [:]
    /// What a text property holds, folded, and which entities hold it.
    var names = SortedMap<NameKey, Void>()
    /// Which entities carry a label, folded.
    var labels = SortedMap<LabelKey, Void>()

    /// None.
    public init() {}

    /// Number of entities.
    public var count: Int { entries.count }

    /// Number of entities of one type.
    public func count(ofType type: String) -> Int { countByType[type] ?? 0 }

    /// Whether an entity can be put: it is there already, or there are fewer than
    /// `Limits.entitiesMax`.
    public func hasRoom(for key: EntityKey) -> Bool {
        count < Limits.entitiesMax || entries[key] != nil
    }

    /// Puts an entity, replacing the one of the same key.
    ///
    /// - Returns: The entry number: the same for a key as long as its entity is not removed, and
    ///   never used for another one.
    @discardableResult
    public mutating func put(_ entity: Entity) -> Int {
        let number: Int
        if let old = entries[entity.key] {
            number = old.number
            removeFromIndex(old.entity)
        } else {
            number = nextEntry
            nextEntry += 1
            keys.set(number, to: entity.key)
            countByType[entity.key.type, default: 0] += 1
        }
        entries.set(entity.key, to: Entry(number: number, entity: entity))
        addToIndex(entity)
        return number
    }

    /// Removes an entity and gives the entry number that it had; nil if it is not there.
    @discardableResult
    public mutating func remove(_ key: EntityKey) -> Int? {
        guard let old = entries.remove(key) else { return nil }
        keys.remove(old.number)
        countByType[key.type, default: 1] -= 1
        removeFromIndex(old.entity)
        return old.number
    }

    /// The entity of a key; nil if it is not there.
    public subscript(key: EntityKey) -> Entity? { entries[key]?.entity }

    /// The entity of an entry number; nil if it is not there.
    public func entity(entry: Int) -> Entity? { keys[entry].flatMap { self[$0] } }

    /// The entry number of a key; nil if it is not there.
    public func entry(of key: EntityKey) -> Int? { entries[key]?.number }

    /// Entities by type, then id, as UTF-8 bytes.
    ///
    /// - Parameters:
    ///   - type: Only entities of this type; all if nil.
    ///   - after: Only entities that stand behind this key, whether or not it is there.
    ///   - limit: At most so many; none if below 1.
    public func list(type: String? = nil, after: EntityKey? = nil, limit: Int) -> [Entity] {
        var found: [Entity] = []
        guard limit > 0 else { return found }
        for (key, entity) in entities(type: type, after: after) {
            if let after, key == after { continue }
            found.append(entity)
            if found.count == limit { break }
        }
        return found
    }

    /// Entities from a key on, of one type or all, in order.
    func entities(
        type: String?, after: EntityKey? = nil
    ) -> some Sequence<(EntityKey, Entity)> {
        let first = type.map { EntityKey(type: $0, id: "") }
        let start = [first, after].compactMap(\.self).max()
        return entries.entries(from: start).lazy.prefix { entry in
            type.map { entry.key.type == $0 } ?? true
        }.map { ($0.key, $0.value.entity) }
    }
}

extension CatalogContent {
    /// Reads every entity of a type again, as the type's new version wants it.
    ///
    /// - Throws: `CatalogError` that names the first entity and property that does not fit; then
    ///   nothing has changed.
    public mutating func refit(to type: EntityType) throws(CatalogError) {
        if let misfit = misfits(with: type, limit: 1).first {
            throw CatalogError(.misfit, misfit.description)
        }
        for (_, entity) in entities(type: type.name) {
            put(try Entity(parsing: entity.json, type: type))
        }
    }

    /// The entities that a new version of their type does not fit, by id.
    ///
    /// - Parameter limit: At most so many; none if below 1.
    public func misfits(with type: EntityType, limit: Int) -> [Misfit] {
        var found: [Misfit] = []
        guard limit > 0 else { return found }
        for (key, entity) in entities(type: type.name) {
            do {
                _ = try Entity(parsing: entity.json, type: type)
            } catch {
                found.append(Misfit(key: key, reason: error.context))
                if found.count == limit { break }
            }
        }
        return found
    }
}
