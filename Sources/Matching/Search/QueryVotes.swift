import CMatching

/// How much each catalog picture has in common with a query, by words and codes alone.
///
/// Jégou, Douze and Schmid, "Improving bag-of-features for large scale image search", 2010: a
/// feature of the catalog counts if it has a word of the query's feature and a code near its code,
/// the more the nearer. A query feature that is near several features of one picture says little:
/// its votes are divided by the square of their number (their root, as in the paper, left 96.1 % of
/// 361 photographs among the best 30 of 20,000, the square 97.5 %). A vote by a rare word counts
/// more; how rare the words are was counted once, with the vocabulary, so that scores do not depend
/// on what else is in the catalog. Whole numbers: the sums do not depend on the order.
struct QueryVotes {
    /// Bits in which two half codes may differ.
    private static let halfReach = 11
    /// Bits of half codes at which a vote has fallen to 1/e.
    private static let falloff = 5.5
    /// A vote at no difference.
    private static let voteMax = 4_096.0
    /// Votes of one query feature for one picture that count as nothing.
    private static let burstMax = 65
    /// Query features between two questions whether to stop.
    private static let questionInterval = 32

    /// The vote at each difference of half codes.
    private static let votes: [UInt32] = (0...halfReach).map {
        let ratio = Double($0) / falloff
        return UInt32(voteMax * Elementary.exponentialOfMinus(ratio * ratio))
    }
    /// 4,096 over the square of a number of votes.
    private static let shares: [UInt32] = (0...burstMax).map { UInt32(4_096 / max(1, $0 * $0)) }
    /// 1,024 over the fourth root of a number of features: large pictures have more by chance.
    private static let norms: [UInt64] = (0...FeaturePrint.featuresMax).map {
        UInt64(1_024 / Double(max(1, $0)).squareRoot().squareRoot())
    }

    let query: FeaturePrint
    private let halves: [UInt64]
    private let places: QueryPlaces
    private let kernel: cm_codes
    /// The first query feature of each word, and the next one of the same word; -1 for none.
    private let heads: [Int16]
    private let next: [Int16]

    init(_ query: FeaturePrint, kernel: CodeKernel) {
        self.query = query
        self.kernel = kernel.functions
        halves = HalfCode.halves(of: query.codes)
        places = QueryPlaces(query)
        var heads = [Int16](repeating: -1, count: Vocabulary.count)
        var next = [Int16](repeating: -1, count: query.words.count)
        for (place, word) in query.words.enumerated() {
            next[place] = heads[Int(word)]
            heads[Int(word)] = Int16(place)
        }
        self.heads = heads
        self.next = next
    }

    /// The score of one picture, by its hits.
    func score(of hits: [cm_hit], features: Int) -> UInt64 {
        var total: UInt32 = 0
        var rest = hits[...]
        while let first = rest.first {
            let same = rest.prefix { $0.own == first.own }
            rest = rest.dropFirst(same.count)
            // As the kernel does it.
            let sum = same.reduce(UInt32(0)) {
                $0 + (Self.votes[Int($1.bits)] * UInt32($1.weight)) >> 6
            }
            total += UInt32(
                (UInt64(sum) * UInt64(Self.shares[min(same.count, Self.burstMax)])) >> 12)
        }
        return score(votes: total, features: features)
    }

    /// The hits of one picture that is in no segment, in the order of the query's features.
    func hits(of recent: RecentPicture) -> [cm_hit] {
        let picture = recent.picture
        let others = HalfCode.halves(of: picture.codes)
        var found: [cm_hit] = []
        for (feature, word) in recent.words.enumerated() {
            var place = heads[Int(word)]
            while place >= 0 {
                let own = Int(place) / Vocabulary.wordsPerDescriptor
                place = next[Int(place)]
                let bits = (halves[own] ^ others[feature]).nonzeroBitCount
                guard bits <= Self.halfReach else { continue }
                found.append(
                    cm_hit(
                        place: CoarsePlace(picture.features[feature]).bits, own: UInt16(own),
                        slot: 0, bits: UInt8(bits), weight: cm_word_weights()[Int(word)]))
            }
        }
        return found.sorted { $0.own < $1.own }
    }

    /// Counts the votes for a segment's pictures and keeps its hits; false if told to stop.
    func count(in segment: PrintSegment, _ tally: VoteTally, shouldStop: () -> Bool) -> Bool {
        tally.clear()
        for first in stride(from: 0, to: query.featureCount, by: Self.questionInterval) {
            if shouldStop() { return false }
            let last = min(first + Self.questionInterval, query.featureCount)
            segment.bytes.withIndex { scan($0, segment.layout, first..<last, tally) }
        }
        return true
    }

    /// The score that a number of votes is for a picture with so many features.
    func score(votes: UInt32, features: Int) -> UInt64 {
        UInt64(votes) * Self.norms[min(features, FeaturePrint.featuresMax)]
    }

    private func scan(
        _ index: UnsafeRawBufferPointer, _ layout: SegmentLayout, _ features: Range<Int>,
        _ tally: VoteTally
    ) {
        guard var postings = layout.postings(in: index) else { return }
        tally.makeRoom(forHits: hitsMax(of: features, in: postings))
        var pointers = tally.pointers
        Self.votes.withUnsafeBufferPointer { votes in
            Self.shares.withUnsafeBufferPointer { shares in
                var weights = cm_vote_weights(
                    reach: Int32(Self.halfReach), burst_max: Int32(Self.burstMax),
                    weights: votes.baseAddress, words: cm_word_weights(),
                    shares: shares.baseAddress)
                kernel.scan(
                    query.words, halves, Int32(features.lowerBound), Int32(features.upperBound),
                    Int32(query.featureCount), &postings, &weights, &pointers, &tally.hits)
            }
        }
    }

    /// Features of the query that agree by these hits of one picture.
    func agreeing(_ hits: UnsafeBufferPointer<cm_hit>) -> Int {
        places.agreeing(hits, kernel: kernel)
    }

    /// Hits that a scan of these features finds at most.
    private func hitsMax(of features: Range<Int>, in postings: cm_postings) -> Int {
        let each = Vocabulary.wordsPerDescriptor
        return query.words[features.lowerBound * each..<features.upperBound * each].reduce(0) {
            $0 + Int(postings.starts[Int($1) + 1] - postings.starts[Int($1)])
        }
    }
}
