/// Numbers that follow from a seed, the same on every machine and with every standard library.
///
/// SplitMix64, from Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (2014).
public struct SeededNumbers: Sendable {
    private var state: UInt64

    /// Numbers of a seed; each `stream` of the same seed is another sequence.
    public init(seed: UInt64, stream: UInt64 = 0) {
        state = seed
        let first = next()
        state = first ^ stream &* 0xD6E8_FEB8_6659_FD93
    }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A whole number of `range`.
    public mutating func integer(in range: ClosedRange<Int>) -> Int {
        let count = UInt64(range.upperBound - range.lowerBound) + 1
        return range.lowerBound + Int(next().multipliedFullWidth(by: count).high)
    }

    /// An index below `count`, which is at least 1.
    public mutating func index(below count: Int) -> Int { integer(in: 0...(count - 1)) }

    /// A number from `range`, its upper bound excluded.
    public mutating func number(in range: ClosedRange<Double>) -> Double {
        let unit = Double(next() >> 11) / 9_007_199_254_740_992
        return range.lowerBound + (range.upperBound - range.lowerBound) * unit
    }

    /// True in so many of all cases, 0 to 1.
    public mutating func happens(_ share: Double) -> Bool { number(in: 0...1) < share }

    /// One of some values, of which there is at least one.
    public mutating func one<Value>(of values: [Value]) -> Value {
        values[index(below: values.count)]
    }
}
