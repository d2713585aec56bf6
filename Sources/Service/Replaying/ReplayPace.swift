public import Messages

/// When each request of a recording is sent again.
///
/// The pace comes from the monotonic times of the recording alone. Times that are not in order,
/// or that are damaged, do not stretch it: the requests keep their order, and the recorded times
/// are dealt out among them, the earliest to the first.
public struct ReplayPace: Sendable, Equatable {
    private static let latest =
        UInt64(Limits.messageLogDaysMax) * 86_400 * 1_000_000_000
    private let speed: Double
    private let waitMax: UInt64

    /// - Parameters:
    ///   - speed: 1 for the recorded pace, 2 for twice as fast; above 0.
    ///   - waitNanosecondsMax: What is waited at most between two requests.
    public init(
        speed: Double, waitNanosecondsMax: UInt64 = Limits.replayWaitMilliseconds * 1_000_000
    ) {
        precondition(speed > 0, "a speed is above 0")
        self.speed = speed
        waitMax = waitNanosecondsMax
    }

    /// When each request is due, in nanoseconds since the first one, in ascending order.
    ///
    /// - Parameter offsets: When the requests came, in the order of the log.
    public func schedule(_ offsets: [UInt64]) -> [UInt64] {
        let times = Self.repaired(offsets).sorted()
        var due: [UInt64] = []
        var last: UInt64 = 0
        for (index, time) in times.enumerated() {
            if index > 0 {
                let gap = Double(time - times[index - 1]) / speed
                last += gap < Double(waitMax) ? UInt64(gap) : waitMax
            }
            due.append(last)
        }
        return due
    }

    /// The times with those that cannot be right replaced by the one before.
    private static func repaired(_ offsets: [UInt64]) -> [UInt64] {
        guard let range = trustedRange(offsets.filter { $0 <= latest }) else {
            return offsets.map { _ in 0 }
        }
        var last = offsets.first { range.contains($0) } ?? range.lowerBound
        return offsets.map { offset in
            if range.contains(offset) { last = offset }
            return last
        }
    }

    /// Where times can be believed to be; nil if there are none.
    ///
    /// Most recordings are in order: then what is in order says where the others can be. In one
    /// that is shuffled, the middle half of the times does.
    private static func trustedRange(_ times: [UInt64]) -> ClosedRange<UInt64>? {
        guard !times.isEmpty else { return nil }
        let ordered = longestOrdered(times)
        if ordered.count * 2 > times.count {
            return widened(ordered[0], ordered[ordered.count - 1], by: 1)
        }
        let sorted = times.sorted()
        return widened(sorted[sorted.count / 4], sorted[sorted.count * 3 / 4], by: 20)
    }

    private static func widened(
        _ lower: UInt64, _ upper: UInt64, by factor: UInt64
    ) -> ClosedRange<UInt64> {
        let margin = (upper - lower).multipliedReportingOverflow(by: factor)
        let width = margin.overflow ? latest : min(margin.partialValue, latest)
        return (lower > width ? lower - width : 0)...(upper + width)
    }

    /// The longest part of the times, not necessarily without gaps, that does not go back.
    private static func longestOrdered(_ times: [UInt64]) -> [UInt64] {
        // tails[n] is where the best ordered part of n + 1 times ends.
        var tails: [Int] = []
        var before = [Int?](repeating: nil, count: times.count)
        for (index, time) in times.enumerated() {
            var (low, high) = (0, tails.count)
            while low < high {
                let middle = (low + high) / 2
                if times[tails[middle]] <= time { low = middle + 1 } else { high = middle }
            }
            before[index] = low > 0 ? tails[low - 1] : nil
            if low == tails.count { tails.append(index) } else { tails[low] = index }
        }
        var ordered: [UInt64] = []
        var place = tails.last
        while let index = place {
            ordered.append(times[index])
            place = before[index]
        }
        return ordered.reversed()
    }
}
