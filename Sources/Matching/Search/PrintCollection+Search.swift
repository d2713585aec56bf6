extension PrintCollection {
    /// Compares a query with the entries that `accepts` says yes to: with all of a small collection,
    /// in ascending order; of a larger one with those that have most in common with the query.
    ///
    /// The outcome holds the entries within `maxDistance` (millionths); it depends only on the
    /// query and on what is there, not on the order of putting. After `shouldStop` said yes, it
    /// holds what was compared until then.
    public func search(
        _ query: FeaturePrint, maxDistance: Int, accepts: (Int) -> Bool = { _ in true },
        shouldStop: () -> Bool = { false }
    ) -> SearchOutcome {
        guard pictures > Shortlist.picturesMax else {
            let pictures = entries.filter { accepts($0.number) }.flatMap { entry in
                entry.pictures.map { (entry.number, $0) }
            }
            return compare(query, with: pictures, maxDistance, shouldStop)
        }
        guard
            let candidates = Shortlist.of(
                self, for: query, accepts: accepts, shouldStop: shouldStop)
        else { return SearchOutcome(matches: [], checked: 0, isComplete: false) }
        return compare(
            query, with: candidates.map { ($0.entry, $0.picture) }, maxDistance, shouldStop)
    }

    private func compare(
        _ query: FeaturePrint, with pictures: [(entry: Int, picture: IndexedPicture)],
        _ maxDistance: Int, _ shouldStop: () -> Bool
    ) -> SearchOutcome {
        let comparison = Comparison(query)
        var best: [Int: Comparison.Evidence] = [:]
        var checked: Set<Int> = []
        for (entry, picture) in pictures {
            if !checked.contains(entry), shouldStop() {
                return SearchOutcome(
                    matches: Self.ranked(best), checked: checked.count, isComplete: false)
            }
            checked.insert(entry)
            guard let evidence = comparison.evidence(in: picture),
                evidence.distance <= maxDistance,
                evidence.distance < best[entry]?.distance ?? .max
            else { continue }
            best[entry] = evidence
        }
        return SearchOutcome(
            matches: Self.ranked(best), checked: checked.count, isComplete: true)
    }

    private static func ranked(_ best: [Int: Comparison.Evidence]) -> [Match] {
        best.map { entry, evidence in
            Match(
                entry: entry, distance: evidence.distance, inliers: evidence.inliers,
                outline: evidence.outline)
        }.sorted { ($0.distance, $0.entry) < ($1.distance, $1.entry) }
    }
}
