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
    let shouldStop: () -> Bool
    /// How far the search came if it was stopped; nil while it was not.
    private(set) var stopped: CheckedCandidates?
    /// What was compared until now.
    private var compared = CheckedCandidates(checked: 0, of: 0)

    init(
        query: PictureQuery, catalog: ReplicaContent.CatalogState, maxDistance: Int,
        types: Set<String>?, shouldStop: @escaping () -> Bool
    ) {
        self.query = query
        self.catalog = catalog
        self.maxDistance = maxDistance
        self.types = types
        self.shouldStop = shouldStop
    }

    /// The matches in some slots, or in all; of a search that is stopped those found until then.
    ///
    /// - Throws: `ServiceFailure` with DEADLINE_EXCEEDED for a search that is stopped before it has
    ///   compared anything.
    ///
    /// What is worth a comparison is chosen among all entities, wherever they are, so that slots
    /// find together what one catalog finds, at the same distances.
    mutating func matches(in slots: SlotRange?) throws -> [UnionMatch] {
        let found = try find { key in slots?.contains(id: key.id) ?? true }
        if stopped?.checked == 0 {
            throw ServiceFailure(.deadlineExceeded, "stopped before anything was compared")
        }
        return found
    }

    /// The matches of other slots that stand behind matches of these, because they are related to
    /// them: what they bring along follows them there.
    mutating func matches(
        relatedTo matches: [UnionMatch], outside slots: SlotRange?, _ request: UnionRequest,
        _ declared: EntityTypes
    ) throws -> [UnionMatch] {
        guard let slots, slots != .all, stopped == nil else { return [] }
        var known: [UnionMatch] = []
        var looked: Set<EntityKey> = []
        for _ in 0..<Limits.relationLevelsMax {
            let related = Union.related(
                to: matches, known: known, request: request, content: catalog.content,
                types: declared)
            let new = Set(related.filter { !slots.contains(id: $0.id) }).subtracting(looked)
            guard !new.isEmpty, stopped == nil else { break }
            looked.formUnion(new)
            known += try find { new.contains($0) }
        }
        return known
    }

    private mutating func find(_ compares: (EntityKey) -> Bool) throws -> [UnionMatch] {
        let content = catalog.content
        let found = query.search(
            catalog.prints, maxDistance: maxDistance,
            accepts: { entry in
                guard let types else { return true }
                return content.entity(entry: entry).map { types.contains($0.key.type) } ?? false
            },
            compares: { entry in content.entity(entry: entry).map { compares($0.key) } ?? false },
            shouldStop: shouldStop)
        compared = compared.adding(
            CheckedCandidates(
                checked: UInt32(clamping: found.checked), of: UInt32(clamping: found.candidates)))
        switch found.end {
        case .complete: break
        case .stopped: stopped = compared
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
