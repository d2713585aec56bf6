/// The pictures of a collection that are worth the geometric check.
struct Shortlist {
    /// Pictures, at most, beside identical ones.
    static let picturesMax = 30
    /// Pictures whose features' places are looked at.
    private static let votedMax = 400

    /// One picture of an entry.
    struct Candidate {
        let score: UInt64
        let order: UInt64
        let entry: Int
        /// Which of the entry's pictures.
        let number: Int
        let place: Place

        /// More in common first; equal ones by what is the same in every collection.
        static func isBefore(_ left: Candidate, _ right: Candidate) -> Bool {
            if left.score != right.score { return left.score > right.score }
            if left.order != right.order { return left.order < right.order }
            return (left.entry, left.number) < (right.entry, right.number)
        }
    }

    /// Where a candidate's picture is.
    enum Place {
        case recent(entry: Int)
        case segment(Int, slot: Int)
    }

    /// A candidate whose picture was read.
    struct Found {
        let candidate: Candidate
        let picture: IndexedPicture
    }

    /// Why there is no shortlist.
    enum Failure: Error {
        case stopped
        /// A picture cannot be read.
        case unreadable
    }

    private let collection: PrintCollection
    private let query: FeaturePrint
    private var identical: [Found] = []
    private var best: [Candidate] = []
    /// The last of the best when they were sorted last; whoever stands behind it is not wanted.
    private var last: Candidate?

    /// The best pictures of the entries that `accepts` says yes to: identical ones, then those with
    /// the most features in common that agree on a similarity.
    static func of(
        _ collection: PrintCollection, for votes: QueryVotes, accepts: (Int) -> Bool,
        shouldStop: () -> Bool
    ) throws(Failure) -> [Found] {
        var list = Shortlist(collection, votes.query)
        try list.consider(votes, accepts, shouldStop)
        list.cut()
        let voted = try list.voted(by: votes, shouldStop: shouldStop)
        return list.identical.sorted { Candidate.isBefore($0.candidate, $1.candidate) } + voted
    }

    private init(_ collection: PrintCollection, _ query: FeaturePrint) {
        self.collection = collection
        self.query = query
    }

    private mutating func consider(
        _ votes: QueryVotes, _ accepts: (Int) -> Bool, _ shouldStop: () -> Bool
    ) throws(Failure) {
        for (place, entry) in collection.recent.enumerated() {
            if shouldStop() { throw .stopped }
            for (number, picture) in entry.pictures.enumerated() {
                consider(place, entry, number, picture, votes.score(of: picture), accepts)
            }
        }
        let tally = VoteTally(
            pictures: collection.segments.reduce(0) { max($0, $1.prints.slots.count) })
        for (number, segment) in collection.segments.enumerated() {
            guard votes.count(in: segment.prints, tally, shouldStop: shouldStop) else {
                throw .stopped
            }
            let same = try identical(in: number, accepts)
            for slot in segment.isThere.indices where tally[slot] > 0 && segment.isThere[slot] {
                let stored = segment.prints.slots[slot]
                let features = Int(stored.features)
                let score = votes.score(votes: tally[slot], features: features)
                guard isWanted(score), features >= FeaturePrint.featuresMin, !same.contains(slot)
                else { continue }
                consider(
                    Candidate(
                        score: score, order: stored.owner.order, entry: stored.owner.entry,
                        number: Int(stored.owner.number), place: .segment(number, slot: slot)),
                    accepts)
            }
        }
    }

    /// Whether a score may come among the best.
    private func isWanted(_ score: UInt64) -> Bool { score >= last?.score ?? 0 }

    /// Takes a segment's pictures with the query's digest, and gives their slots.
    private mutating func identical(
        in number: Int, _ accepts: (Int) -> Bool
    ) throws(Failure) -> [Int] {
        let segment = collection.segments[number]
        var same: [Int] = []
        for slot in segment.prints.slots(withDigest: query.digest) where segment.isThere[slot] {
            guard let picture = segment.prints.picture(slot) else { throw .unreadable }
            guard picture.digest == query.digest else { continue }
            same.append(slot)
            let owner = segment.prints.slots[slot].owner
            guard accepts(owner.entry) else { continue }
            identical.append(
                Found(
                    candidate: Candidate(
                        score: 0, order: owner.order, entry: owner.entry,
                        number: Int(owner.number), place: .segment(number, slot: slot)),
                    picture: picture))
        }
        return same
    }

    private mutating func consider(
        _ place: Int, _ entry: PrintCollection.Entry, _ number: Int, _ picture: IndexedPicture,
        _ score: UInt64, _ accepts: (Int) -> Bool
    ) {
        let isSame = picture.digest == query.digest
        // Identical pictures come first, whatever their features say.
        let candidate = Candidate(
            score: isSame ? 0 : score, order: entry.order, entry: entry.number, number: number,
            place: .recent(entry: place))
        if isSame {
            if accepts(entry.number) {
                identical.append(Found(candidate: candidate, picture: picture))
            }
        } else if score > 0, picture.hasEnoughContent {
            consider(candidate, accepts)
        }
    }

    private mutating func consider(_ candidate: Candidate, _ accepts: (Int) -> Bool) {
        if let last, Candidate.isBefore(last, candidate) { return }
        guard accepts(candidate.entry) else { return }
        best.append(candidate)
        // Sorted now and then: moving hundreds of others for each one costs more.
        if best.count >= 2 * Self.votedMax { cut() }
    }

    /// Leaves the best, in order.
    private mutating func cut() {
        best.sort(by: Candidate.isBefore)
        guard best.count >= Self.votedMax else { return }
        best.removeLast(best.count - Self.votedMax)
        last = best[Self.votedMax - 1]
    }

    /// Those of the best whose features lie most alike (fast spatial matching on the votes alone).
    private func voted(
        by votes: QueryVotes, shouldStop: () -> Bool
    ) throws(Failure) -> [Found] {
        let points = query.features.map(FeaturePoint.init)
        var ranked: [(voters: Int, found: Found)] = []
        for candidate in best {
            if shouldStop() { throw .stopped }
            guard let picture = picture(of: candidate) else { throw .unreadable }
            let pairs = votes.pairs(with: picture).map {
                PointPair(
                    catalog: FeaturePoint(picture.features[$0.catalog]), query: points[$0.query])
            }
            ranked.append(
                (
                    SimilarityVote.voters(among: pairs).count,
                    Found(candidate: candidate, picture: picture)
                ))
        }
        ranked.sort { left, right in
            left.voters != right.voters
                ? left.voters > right.voters
                : Candidate.isBefore(left.found.candidate, right.found.candidate)
        }
        return ranked.prefix(Self.picturesMax).map(\.found)
    }

    private func picture(of candidate: Candidate) -> IndexedPicture? {
        switch candidate.place {
        case .recent(let entry): collection.recent[entry].pictures[candidate.number]
        case .segment(let number, let slot): collection.segments[number].prints.picture(slot)
        }
    }
}
