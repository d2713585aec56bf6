/// What one property of an entity holds.
struct NameKey: Comparable, Sendable {
    let type: String
    let property: String
    /// Compared as Swift compares texts: canonically equivalent ones are the same.
    let name: String
    let id: String

    static func == (left: NameKey, right: NameKey) -> Bool {
        left.holdsSame(as: right) && utf8Equal(left.id, right.id)
    }
    static func < (left: NameKey, right: NameKey) -> Bool {
        if left.type != right.type { return left.type < right.type }
        if left.property != right.property { return left.property < right.property }
        if left.name != right.name { return left.name < right.name }
        return utf8Precedes(left.id, right.id)
    }
    func holdsSame(as other: NameKey) -> Bool {
        type == other.type && property == other.property && name == other.name
    }
}

/// That an entity carries a label.
struct LabelKey: Comparable, Sendable {
    let label: String
    let key: EntityKey

    static func < (left: LabelKey, right: LabelKey) -> Bool {
        left.label == right.label ? left.key < right.key : left.label < right.label
    }
}

extension CatalogContent {
    mutating func addToIndex(_ entity: Entity) {
        for key in Self.nameKeys(entity) { names.set(key, to: ()) }
        for key in Self.labelKeys(entity) { labels.set(key, to: ()) }
    }

    mutating func removeFromIndex(_ entity: Entity) {
        for key in Self.nameKeys(entity) { names.remove(key) }
        for key in Self.labelKeys(entity) { labels.remove(key) }
    }

    /// The keys of the entities of a type one of whose property's names is this one, folded; by
    /// id.
    func keys(
        type: String, property: String, foldedName: String
    ) -> some Sequence<EntityKey> {
        let first = NameKey(type: type, property: property, name: foldedName, id: "")
        return names.entries(from: first).lazy.prefix { $0.key.holdsSame(as: first) }
            .map { EntityKey(type: $0.key.type, id: $0.key.id) }
    }

    /// The keys of the entities that carry a label of their own, folded; by type, then id.
    func keys(foldedLabel label: String) -> some Sequence<EntityKey> {
        let first = LabelKey(label: label, key: EntityKey(type: "", id: ""))
        return labels.entries(from: first).lazy.prefix { $0.key.label == label }.map(\.key.key)
    }

    /// The names to look for in calendars in one way and the entities that hold them.
    ///
    /// Names that differ only in case or white space are one, written as the first of its
    /// entities writes it; names and entities are in the order of their bytes.
    ///
    /// - Complexity: Linear in the entities of the types that have such names; keep the result
    ///   as long as the content is the same.
    public func calendarNames(
        types: EntityTypes, mode: CalendarNameMode
    ) -> [(name: String, entities: [EntityKey])] {
        var holders: [String: [EntityKey]] = [:]
        for type in types.all {
            for property in type.calendarNameProperties(mode) {
                let first = NameKey(type: type.name, property: property, name: "", id: "")
                for (key, _) in names.entries(from: first) {
                    guard key.type == type.name, key.property == property else { break }
                    holders[key.name, default: []].append(EntityKey(type: key.type, id: key.id))
                }
            }
        }
        return holders.compactMap { foldedName, keys in
            // An entity may hold a name in several properties.
            let keys = Set(keys).sorted()
            guard let first = keys.first, let entity = self[first] else { return nil }
            let spellings = types[first.type]?.calendarNames(of: entity, mode) ?? []
            return spellings.first { $0.folded == foldedName }.map { ($0, keys) }
        }.sorted { utf8Precedes($0.name, $1.name) }
    }

    private static func nameKeys(_ entity: Entity) -> [NameKey] {
        entity.properties.flatMap { property, value in
            value.foldedNames.map {
                NameKey(type: entity.key.type, property: property, name: $0, id: entity.key.id)
            }
        }
    }

    private static func labelKeys(_ entity: Entity) -> [LabelKey] {
        entity.labels.map { LabelKey(label: $0.folded, key: entity.key) }
    }
}
