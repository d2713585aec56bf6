/// Where a feature is, in 32 bits: kept in memory of every feature, so that a search can tell without
/// reading a picture whether its features lie as the query's do.
struct CoarsePlace {
    /// Units of a feature's place in one step: 2.5 pixels.
    static let step: UInt16 = 160

    /// x and y in steps, the logarithm of the scale, and the direction in 1/256 turn; 8 bits each,
    /// from the lowest on.
    let bits: UInt32

    init(_ feature: LocalFeature) {
        bits =
            UInt32(feature.x / Self.step) | UInt32(feature.y / Self.step) << 8
            | UInt32(Self.logarithm(feature.scale)) << 16 | UInt32(feature.angle >> 8) << 24
    }

    /// 16 times the binary logarithm of a number of at least 1, rounded down.
    static func logarithm(_ number: UInt16) -> UInt8 {
        let whole = UInt16.bitWidth - 1 - number.leadingZeroBitCount
        return UInt8(whole * 16 + sixteenths(of: UInt32(number) << UInt32(16 - whole)))
    }

    /// 16 times the binary logarithm of a number of 1/65,536 from 1 to below 2, rounded down.
    static func sixteenths(of mantissa: UInt32) -> Int {
        sixteenths.lastIndex { $0 <= mantissa } ?? 0
    }

    /// 65,536 times 2^(n/16), rounded up.
    private static let sixteenths: [UInt32] = QueryPlaces.powersOfOneOctave.map {
        UInt32((65_536 * $0).rounded(.up))
    }
}
