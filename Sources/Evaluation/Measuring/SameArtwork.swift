/// Tells false accepts from queries that found their own artwork in another set's picture or in a
/// distractor, or in what was generated from one: the undistorted picture that a query shows matches
/// what it found, or what that is made of.
struct SameArtwork {
    private let cut: Int
    private let entries: [CatalogEntry]
    private let duplicates: NearDuplicates
    private let numbers: [String: Int]
    /// The entries that a query of a set shows.
    private let targets: [String: [String]]

    init(
        _ sets: [EvaluationSet], in catalog: EvaluationCatalog, _ duplicates: NearDuplicates,
        cut: Int
    ) {
        self.cut = cut
        entries = catalog.entries
        self.duplicates = duplicates
        numbers = Dictionary(
            catalog.entries.enumerated().map { ($0.element.id, $0.offset) },
            uniquingKeysWith: { first, _ in first })
        targets = Dictionary(
            sets.flatMap { set in
                set.queries.map { ("\(set.name)\n\($0.picture)", $0.targets) }
            }, uniquingKeysWith: { $0 + $1 })
    }

    /// The pictures of the strangers without their family that found their own artwork, each with
    /// its set.
    func pictures(of queries: [EvaluatedQuery]) -> [EvaluationRun.StrangerName] {
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
