/// Tells false accepts from queries that found their own artwork in another set's picture or in a
/// distractor, or in what was generated from one: the undistorted picture that a query shows matches
/// what it found, or what that is made of.
package struct SameArtwork {
    private let cut: Int
    private let entries: [CatalogEntry]
    private let duplicates: NearDuplicates
    private let numbers: [String: Int]
    /// The entries that a query of a set shows.
    private let targets: [String: [String]]

    /// Of queries of some sets to a catalog of these entries, accepted within a cut.
    package init(
        _ sets: [EvaluationSet], in entries: [CatalogEntry], _ duplicates: NearDuplicates,
        cut: Int
    ) {
        self.cut = cut
        self.entries = entries
        self.duplicates = duplicates
        numbers = Dictionary(
            entries.enumerated().map { ($0.element.id, $0.offset) },
            uniquingKeysWith: { first, _ in first })
        targets = Dictionary(
            sets.flatMap { set in
                set.queries.map { ("\(set.name)\n\($0.picture)", $0.targets) }
            }, uniquingKeysWith: { $0 + $1 })
    }

    /// The pictures of the strangers without their family that found their own artwork, each with
    /// its set.
    package func pictures(of queries: [EvaluatedQuery]) -> [EvaluationRun.StrangerName] {
        queries.filter { query in
            guard query.kind == .otherSets, query.isFalseAccept(within: cut),
                let found = query.answer.matches.first.flatMap({ numbers[$0.id] })
            else { return false }
            let shown = targets["\(query.set)\n\(query.picture)"] ?? []
            return shown.compactMap { numbers[$0] }.contains { number in
                !duplicates.group(of: number).isDisjoint(with: content(of: found))
            }
        }.map { EvaluationRun.StrangerName(set: $0.set, picture: $0.picture) }
    }

    /// An entry and those that it was generated from.
    private func content(of entry: Int) -> [Int] {
        guard case .generated(_, let material) = entries[entry].source else { return [entry] }
        return material + [entry]
    }
}
