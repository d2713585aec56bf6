extension PrintCollection {
    /// Compares a query with every entry that `accepts` says yes to, in ascending order.
    ///
    /// The outcome holds the entries within `maxDistance` (millionths); it depends only on the
    /// query and on what was put, not on the order of putting. After `shouldStop` said yes, it
    /// holds what was compared until then.
    public func search(
        _ query: FeaturePrint, maxDistance: Int, accepts: (Int) -> Bool = { _ in true },
        shouldStop: () -> Bool = { false }
    ) -> SearchOutcome {
        let comparison = Comparison(query)
        var matches: [Match] = []
        var checked = 0
        for entry in entries where accepts(entry.number) {
            if shouldStop() {
                return SearchOutcome(
                    matches: Self.ranked(matches), checked: checked, isComplete: false)
            }
            checked += 1
            let best = entry.pictures.compactMap { comparison.evidence(in: $0) }
                .min { $0.distance < $1.distance }
            guard let best, best.distance <= maxDistance else { continue }
            matches.append(
                Match(
                    entry: entry.number, distance: best.distance, inliers: best.inliers,
                    outline: best.outline))
        }
        return SearchOutcome(matches: Self.ranked(matches), checked: checked, isComplete: true)
    }

    private static func ranked(_ matches: [Match]) -> [Match] {
        matches.sorted { ($0.distance, $0.entry) < ($1.distance, $1.entry) }
    }
}
