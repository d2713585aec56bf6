/// How long something takes: counts in buckets whose bounds grow by a fifth, from 0.1 ms to
/// 10 minutes. 96 numbers, whatever is counted.
public struct DurationHistogram: Sendable, Equatable {
    private var counts = [UInt32](repeating: 0, count: bucketCount)
    /// Values counted and not yet forgotten.
    public private(set) var count: UInt64 = 0

    /// Buckets; the last one holds everything above its lower bound.
    static let bucketCount = 96
    /// Upper bounds in nanoseconds.
    static let bounds: [UInt64] = {
        var bounds: [UInt64] = []
        var bound = 100_000.0
        for _ in 0..<bucketCount {
            bounds.append(UInt64(bound))
            bound *= 1.18
        }
        return bounds
    }()

    /// Nothing counted.
    public init() {}

    /// Counts a value in nanoseconds.
    public mutating func add(_ nanoseconds: UInt64) {
        counts[Self.bucket(of: nanoseconds)] &+= 1
        count += 1
    }

    /// The bound in nanoseconds below which a share (0 to 1) of the values lie; nil if there are
    /// none. At most 18 % more than the value itself.
    public func quantile(_ share: Double) -> UInt64? {
        guard count > 0 else { return nil }
        let rank = max(1, UInt64((share * Double(count)).rounded(.up)))
        var seen: UInt64 = 0
        for (bucket, number) in counts.enumerated() {
            seen += UInt64(number)
            if seen >= rank { return Self.bounds[bucket] }
        }
        return Self.bounds.last
    }

    /// Forgets half of everything, so that the recent past counts for more.
    mutating func halve() {
        count = 0
        for bucket in counts.indices {
            counts[bucket] /= 2
            count += UInt64(counts[bucket])
        }
    }

    private static func bucket(of nanoseconds: UInt64) -> Int {
        var (low, high) = (0, bucketCount - 1)
        while low < high {
            let middle = (low + high) / 2
            if nanoseconds <= bounds[middle] { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
