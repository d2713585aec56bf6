import Catalog
import Matching
import Messages
import Search

/// One picture's search of one catalog, of which a worker may do a part.
struct CatalogSearch {
    let query: PictureQuery
    let catalog: ReplicaContent.CatalogState
    let maxDistance: Int
    /// The only types wanted; nil for all.
    let types: Set<String>?
    let stop: StopCondition

    /// The matches in some slots, or in all.
    ///
    /// What is worth a comparison is chosen among all entities, wherever they are, so that slots
    /// find together what one catalog finds, at the same distances.
    func matches(in slots: SlotRange?) throws -> [UnionMatch] {
        try find { key in slots?.contains(id: key.id) ?? true }
    }

    /// The matches of other slots that stand behind matches of these, because they are related to
    /// them: what they bring along follows them there.
    func matches(
        relatedTo matches: [UnionMatch], outside slots: SlotRange?, _ request: UnionRequest,
        _ declared: EntityTypes
    ) throws -> [UnionMatch] {
        guard let slots, slots != .all else { return [] }
        var known: [UnionMatch] = []
        var looked: Set<EntityKey> = []
        for _ in 0..<Limits.relationLevelsMax {
            let related = Union.related(
                to: matches, known: known, request: request, content: catalog.content,
                types: declared)
            let new = Set(related.filter { !slots.contains(id: $0.id) }).subtracting(looked)
            guard !new.isEmpty else { break }
            looked.formUnion(new)
            known += try find { new.contains($0) }
        }
        return known
    }

    private func find(_ compares: (EntityKey) -> Bool) throws -> [UnionMatch] {
        let content = catalog.content
        let found = query.search(
            catalog.prints, maxDistance: maxDistance,
            accepts: { entry in
                guard let types else { return true }
                return content.entity(entry: entry).map { types.contains($0.key.type) } ?? false
            },
            compares: { entry in content.entity(entry: entry).map { compares($0.key) } ?? false },
            shouldStop: { stop.isStopped })
        switch found.end {
        case .complete: break
        case .stopped:
            throw ServiceFailure(
                .deadlineExceeded, "stopped after \(found.checked) comparisons")
        case .unreadable:
            throw ServiceFailure(.internalFault, "an index file cannot be read")
        }
        return found.matches.compactMap { match in
            content.entity(entry: match.entry).map { entity in
                UnionMatch(
                    key: entity.key, distance: match.distance, inliers: match.inliers,
                    outline: match.outline)
            }
        }
    }
}
