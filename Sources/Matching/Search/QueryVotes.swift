import CMatching

/// How much each catalog picture has in common with a query, by words and codes alone.
///
/// Jégou, Douze and Schmid, "Improving bag-of-features for large scale image search", 2010: a
/// feature of the catalog counts if it has a word of the query's feature and a code near its code,
/// the more the nearer. A query feature that is near several features of one picture says little:
/// its votes are divided by the square of their number (their root, as in the paper, left 96.1 % of
/// 361 photographs among the best 30 of 20,000, the square 97.5 %). Whole numbers: the sums do not
/// depend on the order.
struct QueryVotes {
    /// Bits in which two codes of a pair may differ.
    private static let reach = 24
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
    private let kernel: cm_codes
    /// The first query feature of each word, and the next one of the same word; -1 for none.
    private let heads: [Int16]
    private let next: [Int16]

    init(_ query: FeaturePrint, kernel: CodeKernel) {
        self.query = query
        self.kernel = kernel.functions
        halves = HalfCode.halves(of: query.codes)
        var heads = [Int16](repeating: -1, count: Vocabulary.count)
        var next = [Int16](repeating: -1, count: query.words.count)
        for (place, word) in query.words.enumerated() {
            next[place] = heads[Int(word)]
            heads[Int(word)] = Int16(place)
        }
        self.heads = heads
        self.next = next
    }

    /// The score of one picture.
    func score(of picture: IndexedPicture) -> UInt64 {
        var sums = [UInt32](repeating: 0, count: query.featureCount)
        var counts = sums
        var touched: [Int] = []
        let others = HalfCode.halves(of: picture.codes)
        for (feature, word) in picture.words.enumerated() {
            var place = heads[Int(word)]
            while place >= 0 {
                let own = Int(place) / Vocabulary.wordsPerDescriptor
                place = next[Int(place)]
                let bits = (halves[own] ^ others[feature]).nonzeroBitCount
                guard bits <= Self.halfReach else { continue }
                if counts[own] == 0 { touched.append(own) }
                sums[own] += Self.votes[bits]
                counts[own] += 1
            }
        }
        let total = touched.reduce(UInt32(0)) { total, own in
            // As the kernel does it.
            total + (sums[own] * Self.shares[min(Int(counts[own]), Self.burstMax)]) >> 12
        }
        return score(votes: total, features: picture.features.count)
    }

    /// For each query feature its nearest feature of one picture among those that vote, the nearest
    /// pairs first.
    func pairs(with picture: IndexedPicture) -> [(query: Int, catalog: Int)] {
        var nearest = [(bits: Int, catalog: Int)](
            repeating: (.max, 0), count: query.featureCount)
        for (feature, word) in picture.words.enumerated() {
            var place = heads[Int(word)]
            while place >= 0 {
                let own = Int(place) / Vocabulary.wordsPerDescriptor
                place = next[Int(place)]
                let bits = difference(own, picture.codes, feature)
                if bits <= Self.reach, bits < nearest[own].bits { nearest[own] = (bits, feature) }
            }
        }
        return nearest.indices.filter { nearest[$0].bits <= Self.reach }
            .sorted { (nearest[$0].bits, $0) < (nearest[$1].bits, $1) }
            .map { ($0, nearest[$0].catalog) }
    }

    /// Counts the votes for a segment's pictures; false if told to stop.
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
        guard let base = index.baseAddress else { return }
        var postings = cm_postings(
            starts: (base + layout.startsAt).assumingMemoryBound(to: UInt32.self),
            codes: (base + layout.codesAt).assumingMemoryBound(to: UInt64.self),
            slots: (base + layout.slotsAt).assumingMemoryBound(to: UInt16.self))
        var pointers = tally.pointers
        Self.votes.withUnsafeBufferPointer { votes in
            Self.shares.withUnsafeBufferPointer { shares in
                var weights = cm_vote_weights(
                    reach: Int32(Self.halfReach), burst_max: Int32(Self.burstMax),
                    weights: votes.baseAddress, shares: shares.baseAddress)
                kernel.scan(
                    query.words, halves, Int32(features.lowerBound), Int32(features.upperBound),
                    Int32(query.featureCount), &postings, &weights, &pointers)
            }
        }
    }

    private func difference(_ own: Int, _ codes: [UInt8], _ feature: Int) -> Int {
        var bits = 0
        query.codes.withUnsafeBytes { query in
            codes.withUnsafeBytes { codes in
                for at in stride(from: 0, to: DescriptorCode.length, by: 8) {
                    let one = query.loadUnaligned(
                        fromByteOffset: own * DescriptorCode.length + at, as: UInt64.self)
                    let other = codes.loadUnaligned(
                        fromByteOffset: feature * DescriptorCode.length + at, as: UInt64.self)
                    bits += (one ^ other).nonzeroBitCount
                }
            }
        }
        return bits
    }
}
