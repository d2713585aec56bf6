/// What a descriptor may be: 128 bytes whose Euclidean length is about 178 (RootSIFT).
package enum Descriptor {
    /// Bytes of one descriptor: 4 by 4 cells of 8 directions.
    package static let length = 128
    /// The largest value of one byte.
    static let byteMax: UInt8 = 127
    /// The largest sum of squares: the products of two descriptors then fit 16 bits.
    static let squareMax = 32_761
    /// Length before rounding; leaves room for the rounding below the square root of `squareMax`.
    static let norm: Float = 178

    /// The sum of the squares of one row.
    static func square(of rows: [UInt8], at index: Int) -> Int {
        rows[index * length..<(index + 1) * length].reduce(0) { $0 + Int($1) * Int($1) }
    }

    /// Whether all rows are what the kernel may be given.
    package static func areInRange(_ rows: [UInt8]) -> Bool {
        rows.count.isMultiple(of: length) && rows.allSatisfy { $0 <= byteMax }
            && (0..<rows.count / length).allSatisfy { square(of: rows, at: $0) <= squareMax }
    }
}
