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
    /// Both stages' centres, two of their values at a time (`cm_words`).
    private let columns: [Int16]
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
        columns = Self.columns(of: rows)
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

    /// The words of rows of `Descriptor.length` bytes: `wordsPerDescriptor` a row, all different,
    /// the nearest first.
    package func words(of descriptors: [UInt8], kernel: CodeKernel = .fast) -> [UInt16] {
        let count = descriptors.count / Descriptor.length
        return [UInt16](unsafeUninitializedCapacity: count * Self.wordsPerDescriptor) {
            buffer, filled in
            columns.withUnsafeBufferPointer { columns in
                halfSquares.withUnsafeBufferPointer { halfSquares in
                    costs.withUnsafeBufferPointer { costs in
                        var ready = cm_words(
                            columns: columns.baseAddress, half_squares: halfSquares.baseAddress,
                            costs: costs.baseAddress)
                        kernel.functions.words(
                            descriptors, Int32(count), &ready, buffer.baseAddress)
                    }
                }
            }
            filled = count * Self.wordsPerDescriptor
        }
    }

    private static func columns(of rows: [Int16]) -> [Int16] {
        let count = 2 * centres
        return (0..<rows.count).map { place in
            let (pair, inner) = (place / (2 * count), place % (2 * count))
            return rows[inner / 2 * Descriptor.length + 2 * pair + inner % 2]
        }
    }

    private static func products(_ row: [Int16], _ others: ArraySlice<Int16>) -> [Int32] {
        var products = [Int32](repeating: 0, count: others.count / Descriptor.length)
        cm_codes_fast().pointee.products(
            row, Array(others), Int32(products.count), &products)
        return products
    }
}
