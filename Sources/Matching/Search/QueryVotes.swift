import CMatching

/// How much each catalog picture has in common with a query, by words and codes alone.
///
/// Jégou, Douze and Schmid, "Improving bag-of-features for large scale image search", 2010: a
/// feature of the catalog counts if it has a word of the query's feature and a code near its code,
/// the more the nearer; what one query feature gives one picture grows with the root of the number
/// of features only. Whole numbers: the sums do not depend on the order.
struct QueryVotes {
    /// Bits in which two codes may differ.
    static let reach = 24
    /// Bits at which a vote has fallen to 1/e.
    private static let falloff = 12.0
    /// A vote at no difference.
    private static let voteMax = 4_096.0
    /// Features of a picture in one query feature's votes beyond which no more count.
    private static let burstMax = 255
    /// Query features between two questions whether to stop.
    private static let questionInterval = 16

    /// The vote at each difference.
    private static let votes: [UInt32] = (0...reach).map {
        let ratio = Double($0) / falloff
        return UInt32(voteMax * Elementary.exponentialOfMinus(ratio * ratio))
    }
    /// 256 over the root of a number of votes.
    private static let roots: [UInt32] = (0...burstMax).map {
        UInt32(256 / Double(max(1, $0)).squareRoot())
    }
    /// 1,024 over the fourth root of a number of features: large pictures have more by chance.
    private static let norms: [UInt64] = (0...FeaturePrint.featuresMax).map {
        UInt64(1_024 / Double(max(1, $0)).squareRoot().squareRoot())
    }

    private let query: FeaturePrint
    private let kernel: cm_codes
    /// The first query feature of each word, and the next one of the same word; -1 for none.
    private let heads: [Int16]
    private let next: [Int16]

    init(_ query: FeaturePrint, kernel: CodeKernel = .fast) {
        self.query = query
        self.kernel = kernel.functions
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
        for (feature, word) in picture.words.enumerated() {
            var place = heads[Int(word)]
            while place >= 0 {
                let own = Int(place) / Vocabulary.wordsPerDescriptor
                place = next[Int(place)]
                let bits = difference(own, picture.codes, feature)
                guard bits <= Self.reach else { continue }
                if counts[own] == 0 { touched.append(own) }
                sums[own] += Self.votes[bits]
                counts[own] += 1
            }
        }
        let total = touched.reduce(UInt32(0)) { $0 + Self.tamed(sums[$1], counts[$1]) }
        return Self.normalised(total, features: picture.features.count)
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

    /// The scores of a segment's pictures; nil if told to stop.
    func scores(in segment: PrintSegment, shouldStop: () -> Bool) -> [UInt64]? {
        var totals = [UInt32](repeating: 0, count: segment.slots.count)
        var sums = totals
        var counts = totals
        var touched: [Int] = []
        var hits = Hits()
        for own in 0..<query.featureCount {
            if own.isMultiple(of: Self.questionInterval), shouldStop() { return nil }
            for place in 0..<Vocabulary.wordsPerDescriptor {
                let word = Int(query.words[own * Vocabulary.wordsPerDescriptor + place])
                let range = Int(segment.starts[word])..<Int(segment.starts[word + 1])
                hits.find(query.codes, own, segment.codes, range, kernel)
                for hit in 0..<hits.count {
                    let slot = Int(segment.places[range.lowerBound + Int(hits.indices[hit])])
                    if counts[slot] == 0 { touched.append(slot) }
                    sums[slot] += Self.votes[Int(hits.distances[hit])]
                    counts[slot] += 1
                }
            }
            for slot in touched {
                totals[slot] += Self.tamed(sums[slot], counts[slot])
                sums[slot] = 0
                counts[slot] = 0
            }
            touched.removeAll(keepingCapacity: true)
        }
        return totals.indices.map {
            Self.normalised(totals[$0], features: segment.slots[$0].picture.features.count)
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

    private static func tamed(_ sum: UInt32, _ count: UInt32) -> UInt32 {
        // A product below 2^32: 500 votes of 4,096 times 256 over their root.
        (sum * roots[min(Int(count), burstMax)]) >> 8
    }

    private static func normalised(_ total: UInt32, features: Int) -> UInt64 {
        UInt64(total) * norms[min(features, FeaturePrint.featuresMax)]
    }

    /// The places of one word that are near one query feature.
    private struct Hits {
        var indices: [Int32] = []
        var distances: [UInt8] = []
        var count = 0

        mutating func find(
            _ query: [UInt8], _ own: Int, _ codes: [UInt8], _ range: Range<Int>, _ kernel: cm_codes
        ) {
            if indices.count < range.count {
                indices = [Int32](repeating: 0, count: range.count * 2)
                distances = [UInt8](repeating: 0, count: range.count * 2)
            }
            guard !range.isEmpty else {
                count = 0
                return
            }
            count = query.withUnsafeBufferPointer { query in
                codes.withUnsafeBufferPointer { codes in
                    Int(
                        kernel.within(
                            query.baseAddress.map { $0 + own * DescriptorCode.length },
                            codes.baseAddress.map {
                                $0 + range.lowerBound * DescriptorCode.length
                            }, Int32(range.count), Int32(QueryVotes.reach), &indices, &distances))
                }
            }
        }
    }
}
