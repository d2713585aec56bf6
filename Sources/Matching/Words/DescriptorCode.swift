import CMatching

/// A descriptor as 128 bits: which of its values lie above their median. Two views of the same
/// place differ in few of them, whatever the contrast.
enum DescriptorCode {
    /// Bytes of one code.
    static let length = Int(CM_CODE_BYTES)

    /// The codes of rows of `Descriptor.length` bytes, one behind the other.
    static func codes(of rows: [UInt8]) -> [UInt8] {
        var codes = [UInt8](repeating: 0, count: rows.count / Descriptor.length * length)
        for index in 0..<rows.count / Descriptor.length {
            let row = rows[index * Descriptor.length..<(index + 1) * Descriptor.length]
            let median = median(of: row)
            for (bit, value) in row.enumerated() where value > median {
                codes[index * length + bit / 8] |= 1 << (bit % 8)
            }
        }
        return codes
    }

    /// Bits in which a code of one row of codes differs from one of another.
    static func difference(_ one: [UInt8], _ index: Int, _ other: [UInt8], _ place: Int) -> Int {
        one.withUnsafeBytes { one in
            other.withUnsafeBytes { other in
                stride(from: 0, to: length, by: 8).reduce(0) { sum, at in
                    let here = one.loadUnaligned(
                        fromByteOffset: index * length + at, as: UInt64.self)
                    let there = other.loadUnaligned(
                        fromByteOffset: place * length + at, as: UInt64.self)
                    return sum + (here ^ there).nonzeroBitCount
                }
            }
        }
    }

    /// The lower of the two values in the middle.
    private static func median(of row: ArraySlice<UInt8>) -> UInt8 {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { counts in
            counts.initialize(repeating: 0)
            for value in row { counts[Int(value)] += 1 }
            var below = 0
            for value in 0..<256 {
                below += Int(counts[value])
                if below >= row.count / 2 { return UInt8(value) }
            }
            return UInt8.max
        }
    }
}
