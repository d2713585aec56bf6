extension PrintCollection {
    /// Compares a query with the entries that `accepts` says yes to: with all of a small collection,
    /// in ascending order; of a larger one with those that have most in common with the query.
    ///
    /// The outcome holds the entries within `maxDistance` (millionths); it depends only on the
    /// query and on what is there, not on the order of putting. After `shouldStop` said yes, it
    /// holds what was compared until then.
    ///
    /// - Parameter compares: Of the entries that would be compared those that are; the searches of
    ///   several that share the entries find together what one of all does.
    public func search(
        _ query: FeaturePrint, maxDistance: Int, accepts: (Int) -> Bool = { _ in true },
        compares: (Int) -> Bool = { _ in true }, shouldStop: () -> Bool = { false }
    ) -> SearchOutcome {
        search(
            query, maxDistance: maxDistance, accepts: accepts, compares: compares,
            shouldStop: shouldStop, kernel: .fast)
    }

    /// The same with a choice of kernels for the index, which makes no difference.
    package func search(
        _ query: FeaturePrint, maxDistance: Int, accepts: (Int) -> Bool,
        compares: (Int) -> Bool = { _ in true }, shouldStop: () -> Bool, kernel: CodeKernel
    ) -> SearchOutcome {
        do throws(Shortlist.Failure) {
            let pictures =
                pictures > Shortlist.picturesMax
                ? try Shortlist.of(
                    self, for: QueryVotes(query, kernel: kernel), accepts: accepts,
                    shouldStop: shouldStop
                ).map { ($0.candidate.entry, $0.picture) }
                : try allPictures(accepts)
            return compare(
                query, with: pictures.filter { compares($0.0) }, maxDistance, shouldStop)
        } catch {
            let end: SearchEnd = error == .stopped ? .stopped : .unreadable
            return SearchOutcome(matches: [], checked: 0, candidates: 0, end: end)
        }
    }

    /// The entries that a search of a large collection looks at, the best first; identical pictures
    /// before all others.
    package func shortlist(for query: FeaturePrint) -> [Int] {
        let found = try? Shortlist.of(
            self, for: QueryVotes(query, kernel: .fast), accepts: { _ in true },
            shouldStop: { false })
        return (found ?? []).map(\.candidate.entry)
    }

    /// The pictures of all entries that `accepts` says yes to, by entry, then in the entry's order.
    private func allPictures(
        _ accepts: (Int) -> Bool
    ) throws(Shortlist.Failure) -> [(entry: Int, picture: IndexedPicture)] {
        var found: [(entry: Int, number: Int, picture: IndexedPicture)] = []
        for entry in recent where accepts(entry.number) {
            for (number, picture) in entry.pictures.enumerated() {
                found.append((entry.number, number, picture.picture))
            }
        }
        for segment in segments {
            for slot in segment.isThere.indices where segment.isThere[slot] {
                let owner = segment.prints.slots[slot].owner
                guard accepts(owner.entry) else { continue }
                guard let picture = segment.prints.picture(slot) else { throw .unreadable }
                found.append((owner.entry, Int(owner.number), picture))
            }
        }
        found.sort { ($0.entry, $0.number) < ($1.entry, $1.number) }
        return found.map { ($0.entry, $0.picture) }
    }

    private func compare(
        _ query: FeaturePrint, with pictures: [(entry: Int, picture: IndexedPicture)],
        _ maxDistance: Int, _ shouldStop: () -> Bool
    ) -> SearchOutcome {
        let comparison = Comparison(query)
        var best: [Int: Comparison.Evidence] = [:]
        let candidates = Set(pictures.map(\.entry)).count
        var checked: Set<Int> = []
        for (entry, picture) in pictures {
            if !checked.contains(entry), shouldStop() {
                return SearchOutcome(
                    matches: Self.ranked(best), checked: checked.count, candidates: candidates,
                    end: .stopped)
            }
            checked.insert(entry)
            guard let evidence = comparison.evidence(in: picture),
                evidence.distance <= maxDistance,
                evidence.distance < best[entry]?.distance ?? .max
            else { continue }
            best[entry] = evidence
        }
        return SearchOutcome(
            matches: Self.ranked(best), checked: checked.count, candidates: candidates,
            end: .complete)
    }

    private static func ranked(_ best: [Int: Comparison.Evidence]) -> [Match] {
        best.map { entry, evidence in
            Match(
                entry: entry, distance: evidence.distance, inliers: evidence.inliers,
                outline: evidence.outline)
        }.sorted { ($0.distance, $0.entry) < ($1.distance, $1.entry) }
    }
}
