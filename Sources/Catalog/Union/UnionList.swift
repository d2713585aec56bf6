import Messages

/// One result and where it stands.
struct UnionResult {
    enum Origin {
        case match(UnionMatch)
        case related(to: EntityKey, by: String)
        case label
    }
    let sortKey: UnionKey
    let origin: Origin
    let entity: Entity
    let type: EntityType
}

/// Finds the lowest sort key of every result.
///
/// Dijkstra's algorithm: the result with the lowest key so far is final, because what it brings
/// along has a higher key, which begins with its own.
struct UnionList {
    let request: UnionRequest
    let content: CatalogContent
    let types: EntityTypes
    /// The nearest match of each entity.
    private var matches: [EntityKey: UnionMatch] = [:]
    private var waiting = SortedMap<UnionKey, (key: EntityKey, origin: UnionResult.Origin)>()

    init(request: UnionRequest, content: CatalogContent, types: EntityTypes) {
        self.request = request
        self.content = content
        self.types = types
    }

    /// Matches that stand elsewhere: they begin nothing here, but bring along what follows them
    /// where they are related to something.
    mutating func know(_ others: [UnionMatch]) {
        for match in others where isWanted(match.key) && matches[match.key] == nil {
            matches[match.key] = match
        }
    }

    mutating func begin(with candidates: [UnionMatch]) {
        for match in candidates where isWanted(match.key) {
            precondition(
                (0...Limits.distanceMax).contains(match.distance), "a distance out of range")
            if let known = matches[match.key], known.distance <= match.distance { continue }
            matches[match.key] = match
        }
        let keys = matches.values.map { UnionKey.match(distance: $0.distance, key: $0.key) }
        let first = zip(keys, matches.values).sorted { $0.0 < $1.0 }.prefix(request.limit)
        for (sortKey, match) in first { waiting.set(sortKey, to: (match.key, .match(match))) }
    }

    mutating func run() -> [UnionResult] {
        var results: [UnionResult] = []
        var seen: Set<EntityKey> = []
        while results.count < Limits.resultsMax, let (sortKey, next) = waiting.popFirst() {
            guard seen.insert(next.key).inserted, let entity = content[next.key],
                let type = types[next.key.type]
            else { continue }
            results.append(
                UnionResult(sortKey: sortKey, origin: next.origin, entity: entity, type: type))
            // Related entities bring along nothing themselves, unless they match too.
            guard matches[next.key] != nil, sortKey.level < Limits.relationLevelsMax else {
                continue
            }
            for relation in type.relations where request.wants(type: relation.to) {
                addRelated(to: entity, by: relation, behind: sortKey)
            }
        }
        return results
    }

    /// Entities that carry one of the request's labels, or whose type does, by type and id.
    func labelAdditions(except results: [UnionResult]) -> [UnionResult] {
        let wanted = Set(request.labels.map(\.folded)).subtracting([""])
        let seen = Set(results.map(\.entity.key))
        var found = SortedMap<EntityKey, Void>()
        func add(_ keys: some Sequence<EntityKey>) {
            // The first of every source are enough to have the first of all.
            let new = keys.lazy.filter { isWanted($0) && !seen.contains($0) }
            for key in new.prefix(request.limit) { found.set(key, to: ()) }
        }
        for label in wanted { add(content.keys(foldedLabel: label)) }
        for type in types.all where request.wants(type: type.name) {
            guard type.labels.contains(where: { wanted.contains($0.folded) }) else { continue }
            add(content.entities(type: type.name).lazy.map(\.0))
        }
        return found.entries().prefix(request.limit).compactMap { key, _ in
            guard let entity = content[key], let type = types[key.type] else { return nil }
            return UnionResult(
                sortKey: .labelAddition(key), origin: .label, entity: entity, type: type)
        }
    }

    private mutating func addRelated(
        to entity: Entity, by relation: Relation, behind sortKey: UnionKey
    ) {
        let origin = UnionResult.Origin.related(to: entity.key, by: relation.name)
        for related in content.related(to: entity, by: relation, request: request) {
            let place = sortKey.related(related.key, by: relation)
            // Of two relations of the same weight the one that is declared first counts.
            if waiting[place] == nil { waiting.set(place, to: (related.key, origin)) }
        }
    }

    private func isWanted(_ key: EntityKey) -> Bool {
        request.wants(type: key.type) && types[key.type] != nil && content[key] != nil
    }
}
