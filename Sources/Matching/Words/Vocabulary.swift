import CMatching

/// The 65,536 words that descriptors are sorted into: one of 256 centres, and one of 256 centres of
/// what remains (a residual quantiser of two stages, Juang and Gray 1982).
///
/// It belongs to the print version: another vocabulary is another version. `sightline-bench
/// vocabulary` makes it from the pictures of a Debian package.
package struct Vocabulary: Sendable {
    /// The one that ships.
    package static let shipped = Vocabulary(
        values: Array(
            UnsafeBufferPointer(start: cm_vocabulary(), count: Int(CM_VOCABULARY_BYTES))))
    /// Words of one descriptor: the nearest first.
    package static let wordsPerDescriptor = Int(CM_WORDS)
    /// Number of words.
    package static let count = centres * centres
    /// Centres of one stage.
    package static let centres = Int(CM_CENTRES)
    /// Centres of the first stage whose words are looked at.
    private static let branches = 6

    /// Both stages' centres, one row of `Descriptor.length` values each.
    private let rows: [Int16]
    /// Half the square of each centre of the first stage.
    private let halfSquares: [Int32]
    /// Half the square of the sum of a centre of each stage, less the above: what a word of the
    /// second stage costs.
    private let costs: [Int32]

    /// A vocabulary of 2 * 256 * 128 values.
    package init(values: [Int8]) {
        precondition(values.count == 2 * Self.centres * Descriptor.length)
        let rows = values.map(Int16.init)
        let square = { (one: Int, other: Int) -> Int32 in
            (0..<Descriptor.length).reduce(0) {
                $0 + Int32(rows[one * Descriptor.length + $1])
                    * Int32(rows[other * Descriptor.length + $1])
            }
        }
        self.rows = rows
        halfSquares = (0..<Self.centres).map { square($0, $0) / 2 }
        let second = (0..<Self.centres).map { square(Self.centres + $0, Self.centres + $0) / 2 }
        var costs: [Int32] = []
        costs.reserveCapacity(Self.count)
        for one in 0..<Self.centres {
            let row = Array(rows[one * Descriptor.length..<(one + 1) * Descriptor.length])
            let products = Self.products(row, rows[(Self.centres * Descriptor.length)...])
            for other in 0..<Self.centres { costs.append(second[other] + products[other]) }
        }
        self.costs = costs
    }

    /// The words of rows of `Descriptor.length` bytes: `wordsPerDescriptor` a row, all different.
    package func words(of descriptors: [UInt8]) -> [UInt16] {
        var words: [UInt16] = []
        let count = descriptors.count / Descriptor.length
        words.reserveCapacity(count * Self.wordsPerDescriptor)
        var products = [Int32](repeating: 0, count: 2 * Self.centres)
        for index in 0..<count {
            let row = descriptors[
                index * Descriptor.length..<(index + 1) * Descriptor.length
            ].map(Int16.init)
            cm_codes_fast().pointee.products(row, rows, Int32(2 * Self.centres), &products)
            append(products, to: &words)
        }
        return words
    }

    private func append(_ products: [Int32], to words: inout [UInt16]) {
        // A descriptor's own square is the same for all words: left out.
        let firsts = (0..<Self.centres).map { halfSquares[$0] - products[$0] }
        var best = [(cost: Int32, word: Int)](
            repeating: (Int32.max, 0), count: Self.wordsPerDescriptor)
        for first in Self.least(firsts) {
            let start = first * Self.centres
            for second in 0..<Self.centres {
                let cost = firsts[first] + costs[start + second] - products[Self.centres + second]
                guard cost < best[Self.wordsPerDescriptor - 1].cost else { continue }
                var place = Self.wordsPerDescriptor - 1
                while place > 0, cost < best[place - 1].cost {
                    best[place] = best[place - 1]
                    place -= 1
                }
                best[place] = (cost, start + second)
            }
        }
        for entry in best { words.append(UInt16(entry.word)) }
    }

    /// The places of the least values, ascending by value, then by place.
    private static func least(_ values: [Int32]) -> [Int] {
        var found: [Int] = []
        for (index, value) in values.enumerated() {
            if found.count == branches, value >= values[found[branches - 1]] { continue }
            var place = found.count
            while place > 0, value < values[found[place - 1]] { place -= 1 }
            found.insert(index, at: place)
            if found.count > branches { found.removeLast() }
        }
        return found
    }

    private static func products(_ row: [Int16], _ others: ArraySlice<Int16>) -> [Int32] {
        var products = [Int32](repeating: 0, count: others.count / Descriptor.length)
        cm_codes_fast().pointee.products(
            row, Array(others), Int32(products.count), &products)
        return products
    }
}
