/// The pictures of a collection that are worth the geometric check.
struct Shortlist {
    /// Pictures, at most, beside identical ones.
    static let picturesMax = 30
    /// Pictures whose hits' places are compared.
    private static let placedMax = 2_000

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
    private let tally: VoteTally
    /// Where the hits of each segment end.
    private var hitEnds: [Int] = []
    private var identical: [Found] = []
    /// What looks alike as a whole.
    private var alike: [(likeness: Double, candidate: Candidate)] = []
    private var best: [Candidate] = []
    /// The last that is good enough, once there are enough.
    private var least: Candidate?

    /// The best pictures of the entries that `accepts` says yes to: identical ones, those that look
    /// alike as a whole, then those with the most features in common that agree on a similarity.
    static func of(
        _ collection: PrintCollection, for votes: QueryVotes, accepts: (Int) -> Bool,
        shouldStop: () -> Bool
    ) throws(Failure) -> [Found] {
        var list = Shortlist(collection, votes.query)
        try list.consider(votes, accepts, shouldStop)
        list.keepBest()
        let placed = try list.placed(votes, shouldStop)
        return list.identical.sorted { Candidate.isBefore($0.candidate, $1.candidate) }
            + (try list.mostAlike()) + placed
    }

    private init(_ collection: PrintCollection, _ query: FeaturePrint) {
        self.collection = collection
        self.query = query
        tally = VoteTally(
            pictures: collection.segments.reduce(0) { max($0, $1.prints.slots.count) })
    }

    private mutating func consider(
        _ votes: QueryVotes, _ accepts: (Int) -> Bool, _ shouldStop: () -> Bool
    ) throws(Failure) {
        for (place, entry) in collection.recent.enumerated() {
            if shouldStop() { throw .stopped }
            for (number, picture) in entry.pictures.enumerated() {
                let score = votes.score(
                    of: votes.hits(of: picture), features: picture.words.count)
                consider(place, entry, number, picture.picture, score, accepts)
            }
        }
        for (number, segment) in collection.segments.enumerated() {
            guard votes.count(in: segment.prints, tally, shouldStop: shouldStop) else {
                throw .stopped
            }
            hitEnds.append(tally.hitCount)
            let same = try identical(in: number, accepts)
            considerAlike(in: number, accepts)
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

    private mutating func considerAlike(in number: Int, _ accepts: (Int) -> Bool) {
        guard let whole = query.whole else { return }
        let segment = collection.segments[number]
        for (slot, likeness) in segment.prints.slots(alike: whole) where segment.isThere[slot] {
            let owner = segment.prints.slots[slot].owner
            guard accepts(owner.entry) else { continue }
            let candidate = Candidate(
                score: 0, order: owner.order, entry: owner.entry, number: Int(owner.number),
                place: .segment(number, slot: slot))
            alike.append((likeness, candidate))
        }
    }

    /// Those that look most alike, at most `picturesMax`.
    private func mostAlike() throws(Failure) -> [Found] {
        let ranked = alike.sorted { left, right in
            left.likeness != right.likeness
                ? left.likeness > right.likeness
                : Candidate.isBefore(left.candidate, right.candidate)
        }
        var found: [Found] = []
        for (_, candidate) in ranked.prefix(Self.picturesMax) {
            guard let picture = picture(of: candidate) else { throw .unreadable }
            found.append(Found(candidate: candidate, picture: picture))
        }
        return found
    }

    /// Whether a score may come among the best.
    private func isWanted(_ score: UInt64) -> Bool {
        least.map { score >= $0.score } ?? true
    }

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
            return
        }
        if let here = query.whole, let there = picture.whole {
            let likeness = here.likeness(to: there)
            if likeness >= WholePicture.likenessMin, accepts(entry.number) {
                alike.append((likeness, candidate))
            }
        }
        if score > 0, picture.hasEnoughContent { consider(candidate, accepts) }
    }

    private mutating func consider(_ candidate: Candidate, _ accepts: (Int) -> Bool) {
        if let least, Candidate.isBefore(least, candidate) { return }
        guard accepts(candidate.entry) else { return }
        best.append(candidate)
        // Sorted now and then only: moving elements for each one would cost more than all else.
        if best.count == 2 * Self.placedMax { keepBest() }
    }

    private mutating func keepBest() {
        best.sort(by: Candidate.isBefore)
        guard best.count >= Self.placedMax else { return }
        best.removeLast(best.count - Self.placedMax)
        least = best[Self.placedMax - 1]
    }

    /// Those of the best whose features lie most alike, judged by the hits alone.
    private func placed(
        _ votes: QueryVotes, _ shouldStop: () -> Bool
    ) throws(Failure) -> [Found] {
        var agreeing = [Int](repeating: 0, count: best.count)
        var slots = [[(slot: Int, index: Int)]](repeating: [], count: collection.segments.count)
        for (index, candidate) in best.enumerated() {
            switch candidate.place {
            case .recent(let entry):
                agreeing[index] = votes.hits(
                    of: collection.recent[entry].pictures[candidate.number]
                ).withUnsafeBufferPointer(votes.agreeing)
            case .segment(let number, let slot): slots[number].append((slot, index))
            }
        }
        for number in slots.indices {
            if shouldStop() { throw .stopped }
            let hits = hits(of: slots[number].map(\.slot), in: number)
            for (place, slot) in slots[number].enumerated() {
                agreeing[slot.index] = hits.of(place, votes.agreeing)
            }
        }
        let ranked = best.indices.sorted { (agreeing[$1], $0) < (agreeing[$0], $1) }
        var found: [Found] = []
        for index in ranked.prefix(Self.picturesMax) {
            guard let picture = picture(of: best[index]) else { throw .unreadable }
            found.append(Found(candidate: best[index], picture: picture))
        }
        return found
    }

    /// The hits of some slots of a segment.
    private func hits(of slots: [Int], in number: Int) -> SortedHits {
        let start = number == 0 ? 0 : hitEnds[number - 1]
        return SortedHits(
            tally.hits(start..<hitEnds[number]), slots: slots,
            slotCount: collection.segments[number].prints.slots.count)
    }

    private func picture(of candidate: Candidate) -> IndexedPicture? {
        switch candidate.place {
        case .recent(let entry): collection.recent[entry].pictures[candidate.number].picture
        case .segment(let number, let slot): collection.segments[number].prints.picture(slot)
        }
    }
}
