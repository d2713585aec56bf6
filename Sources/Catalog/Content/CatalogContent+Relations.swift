import Messages

extension CatalogContent {
    /// The entities that a relation brings along with an entity, by type, then id.
    ///
    /// If there are more than the relation allows: the soonest, then the nearest to the caller,
    /// then by id. An entity without a date or place that the relation asks for is not related;
    /// the place is asked for only if the request says where the caller is. No entity is related
    /// to itself. At most `Limits.relationCandidatesMax` entities that share the first pair of
    /// names are looked at.
    func related(
        to entity: Entity, by relation: Relation, request: UnionRequest
    ) -> [Entity] {
        var found: [RelationCandidate] = []
        for key in candidates(for: entity, by: relation) where key != entity.key {
            guard let other = self[key], sharesNames(entity, other, relation: relation),
                let candidate = RelationCandidate(other, relation: relation, request: request)
            else { continue }
            found.append(candidate)
        }
        return found.sorted().prefix(relation.most).map(\.entity).sorted { $0.key < $1.key }
    }

    /// The entities that share a name in the first pair of properties, each once, by id.
    private func candidates(for entity: Entity, by relation: Relation) -> [EntityKey] {
        guard let own = relation.match.keys.min(by: utf8Precedes),
            let other = relation.match[own]
        else { return [] }
        var found = SortedMap<EntityKey, Void>()
        for name in entity.properties[own]?.foldedNames ?? [] {
            let keys = keys(type: relation.to, property: other, foldedName: name)
            for key in keys.prefix(Limits.relationCandidatesMax) { found.set(key, to: ()) }
        }
        return found.entries().prefix(Limits.relationCandidatesMax).map(\.key)
    }

    /// Whether the two share a name in every pair of properties.
    private func sharesNames(_ entity: Entity, _ other: Entity, relation: Relation) -> Bool {
        relation.match.count == 1
            || relation.match.allSatisfy { own, foreign in
                let names = entity.properties[own]?.foldedNames ?? []
                let foreignNames = other.properties[foreign]?.foldedNames ?? []
                return names.contains(where: foreignNames.contains)
            }
    }
}

/// An entity that fulfils a relation's conditions, ordered by what is preferred.
private struct RelationCandidate: Comparable {
    let entity: Entity
    /// Milliseconds; 0 if the relation asks for no date.
    private let start: Int64
    /// Grows with the distance; 0 if it does not count.
    private let squaredChord: Double

    /// Nil if a condition is not fulfilled.
    init?(_ entity: Entity, relation: Relation, request: UnionRequest) {
        self.entity = entity
        if let days = relation.days {
            let from = request.asOf.milliseconds
            let span = Int64(days.next) * 86_400_000
            let (sum, overflow) = from.addingReportingOverflow(span)
            guard case .date(let date) = entity.properties[days.property],
                date.isWithin(from, through: overflow ? .max : sum)
            else { return nil }
            start = date.start
        } else {
            start = 0
        }
        if let within = relation.within, let near = request.near {
            guard case .geoPoint(let point) = entity.properties[within.property],
                point.isWithin(kilometers: within.kilometers, of: near)
            else { return nil }
            squaredChord = point.squaredChord(to: near)
        } else {
            squaredChord = 0
        }
    }

    static func == (left: RelationCandidate, right: RelationCandidate) -> Bool {
        left.start == right.start && left.squaredChord == right.squaredChord
            && left.entity.key == right.entity.key
    }
    static func < (left: RelationCandidate, right: RelationCandidate) -> Bool {
        if left.start != right.start { return left.start < right.start }
        if left.squaredChord != right.squaredChord {
            return left.squaredChord < right.squaredChord
        }
        return left.entity.key < right.entity.key
    }
}
