import CMatching

/// Makes a vocabulary from descriptors: k-means (Lloyd 1982), twice. Whole numbers throughout, so
/// that the same descriptors in the same order give the same bytes.
package enum VocabularyTraining {
    /// Rounds of each stage.
    private static let rounds = 12

    /// The values of a vocabulary (`Vocabulary.init(values:)`) from rows of `Descriptor.length`
    /// bytes, at least `Vocabulary.centres` of them.
    package static func values(from descriptors: [UInt8]) -> [Int8] {
        precondition(descriptors.count >= Vocabulary.centres * Descriptor.length)
        var rows = descriptors.map(Int16.init)
        let first = centres(of: rows)
        let assigned = nearest(rows, first)
        for (index, centre) in assigned.enumerated() {
            for at in 0..<Descriptor.length {
                rows[index * Descriptor.length + at] -= first[centre * Descriptor.length + at]
            }
        }
        return (first + centres(of: rows)).map { Int8(clamping: $0) }
    }

    /// What a vote by each word counts, in 1/64: the square of how many octaves rarer the word is than
    /// one feature in 64. `words` are the nearest words of many features; each counts once more than
    /// it was seen.
    package static func weights(of words: [UInt16]) -> [UInt8] {
        var counts = [Int](repeating: 1, count: Vocabulary.count)
        for word in words { counts[Int(word)] += 1 }
        return counts.map { count in
            // In 1/16 octave.
            let rarity = max(5, sixteenthsOfOctaves(of: words.count, over: count) - 96)
            return UInt8(clamping: max(1, rarity * rarity / 256))
        }
    }

    /// 16 times the binary logarithm of a quotient of at least 1, rounded down; 0 below.
    private static func sixteenthsOfOctaves(of one: Int, over other: Int) -> Int {
        guard one >= other else { return 0 }
        let scaled = one * 65_536 / other
        let whole = Int.bitWidth - 1 - scaled.leadingZeroBitCount
        let mantissa = whole >= 16 ? scaled >> (whole - 16) : scaled << (16 - whole)
        return (whole - 16) * 16 + CoarsePlace.sixteenths(of: UInt32(mantissa))
    }

    private static func centres(of rows: [Int16]) -> [Int16] {
        let length = Descriptor.length
        let count = rows.count / length
        // Evenly from the whole, so that no picture begins with more than its share.
        var centres = (0..<Vocabulary.centres).flatMap { index in
            let start = index * count / Vocabulary.centres * length
            return rows[start..<start + length]
        }
        for _ in 0..<rounds {
            var sums = [Int](repeating: 0, count: centres.count)
            var members = [Int](repeating: 0, count: Vocabulary.centres)
            for (index, centre) in nearest(rows, centres).enumerated() {
                members[centre] += 1
                for at in 0..<length {
                    sums[centre * length + at] += Int(rows[index * length + at])
                }
            }
            for place in centres.indices where members[place / length] > 0 {
                let (sum, number) = (sums[place], members[place / length])
                // Rounded to the nearest, halves away from zero.
                let half = sum < 0 ? -number / 2 : number / 2
                centres[place] = Int16(clamping: (sum + half) / number)
            }
        }
        return centres
    }

    /// The nearest centre of each row; the first of several.
    private static func nearest(_ rows: [Int16], _ centres: [Int16]) -> [Int] {
        let length = Descriptor.length
        let halves = (0..<Vocabulary.centres).map { centre in
            centres[centre * length..<(centre + 1) * length].reduce(Int32(0)) {
                $0 + Int32($1) * Int32($1)
            } / 2
        }
        var products = [Int32](repeating: 0, count: Vocabulary.centres)
        return rows.withUnsafeBufferPointer { rows in
            (0..<rows.count / length).map { index in
                cm_codes_fast().pointee.products(
                    rows.baseAddress.map { $0 + index * length }, centres,
                    Int32(Vocabulary.centres), &products)
                var best = 0
                for centre in 1..<Vocabulary.centres
                where halves[centre] - products[centre] < halves[best] - products[best] {
                    best = centre
                }
                return best
            }
        }
    }
}
