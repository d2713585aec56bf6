/// The pictures of a collection that are worth the geometric check.
struct Shortlist {
    /// Pictures, at most, beside identical ones.
    static let picturesMax = 30
    /// Pictures whose features' places are looked at.
    private static let votedMax = 200

    /// One picture of an entry.
    struct Candidate {
        let score: UInt64
        let entry: Int
        /// Which of the entry's pictures.
        let number: Int
        let picture: IndexedPicture

        /// More in common first; equal ones by what is the same in every collection.
        static func isBefore(_ left: Candidate, _ right: Candidate) -> Bool {
            if left.score != right.score { return left.score > right.score }
            if left.picture.order != right.picture.order {
                return left.picture.order < right.picture.order
            }
            return (left.entry, left.number) < (right.entry, right.number)
        }
    }

    private let query: FeaturePrint
    private let accepts: (Int) -> Bool
    private var identical: [Candidate] = []
    private var best: [Candidate] = []

    /// The best pictures of the entries that `accepts` says yes to: identical ones, then those with
    /// the most features in common that agree on a similarity; nil if told to stop.
    static func of(
        _ collection: PrintCollection, for query: FeaturePrint, accepts: (Int) -> Bool,
        shouldStop: () -> Bool
    ) -> [Candidate]? {
        let votes = QueryVotes(query)
        return withoutActuallyEscaping(accepts) { accepts in
            var list = Shortlist(query: query, accepts: accepts)
            for entry in collection.recent {
                if shouldStop() { return nil }
                for (number, picture) in entry.pictures.enumerated() {
                    list.consider(picture, entry.number, number, votes.score(of: picture))
                }
            }
            for segment in collection.segments {
                guard let scores = votes.scores(in: segment.prints, shouldStop: shouldStop) else {
                    return nil
                }
                list.consider(segment, scores)
            }
            let voted = list.voted(by: votes, shouldStop: shouldStop)
            return voted.map { list.identical.sorted(by: Candidate.isBefore) + $0 }
        }
    }

    private init(query: FeaturePrint, accepts: @escaping (Int) -> Bool) {
        self.query = query
        self.accepts = accepts
    }

    /// Those of the best whose features lie most alike (fast spatial matching on the votes alone).
    private func voted(by votes: QueryVotes, shouldStop: () -> Bool) -> [Candidate]? {
        let points = query.features.map(FeaturePoint.init)
        var ranked: [(voters: Int, candidate: Candidate)] = []
        for candidate in best {
            if shouldStop() { return nil }
            let pairs = votes.pairs(with: candidate.picture).map {
                PointPair(
                    catalog: FeaturePoint(candidate.picture.features[$0.catalog]),
                    query: points[$0.query])
            }
            ranked.append((SimilarityVote.voters(among: pairs).count, candidate))
        }
        ranked.sort { left, right in
            left.voters != right.voters
                ? left.voters > right.voters
                : Candidate.isBefore(left.candidate, right.candidate)
        }
        return ranked.prefix(Self.picturesMax).map(\.candidate)
    }

    private mutating func consider(_ segment: PrintCollection.Segment, _ scores: [UInt64]) {
        let slots = segment.prints.slots
        var first = 0
        for slot in slots.indices {
            if slots[slot].entry != slots[first].entry { first = slot }
            guard segment.isThere[slot], scores[slot] > 0 else { continue }
            consider(slots[slot].picture, slots[slot].entry, slot - first, scores[slot])
        }
        // Pictures without features have no score.
        for slot in segment.prints.slots(withDigest: query.digest)
        where segment.isThere[slot] && scores[slot] == 0 {
            consider(slots[slot].picture, slots[slot].entry, 0, 0)
        }
    }

    private mutating func consider(
        _ picture: IndexedPicture, _ entry: Int, _ number: Int, _ score: UInt64
    ) {
        let candidate = Candidate(score: score, entry: entry, number: number, picture: picture)
        if picture.digest == query.digest {
            if accepts(entry) { identical.append(candidate) }
            return
        }
        guard score > 0, picture.hasEnoughContent else { return }
        let isFull = best.count == Self.votedMax
        if isFull, Candidate.isBefore(best[best.count - 1], candidate) { return }
        guard accepts(entry) else { return }
        if isFull { best.removeLast() }
        var place = best.count
        while place > 0, Candidate.isBefore(candidate, best[place - 1]) { place -= 1 }
        best.insert(candidate, at: place)
    }
}
