package import Messages

/// How long before its deadline a search stops comparing, so that what it found until then is still
/// sent in time: as long as what follows the comparing has lately taken, and the way to the router.
///
/// A slow one counts at once, and is forgotten over some dozen fast ones.
package struct SearchMargin: Sendable {
    /// Nanoseconds that the way to the router takes.
    package static let way: UInt64 = 2_000_000
    /// Nanoseconds that what follows is taken to need before any was measured.
    package static let needAtFirst: UInt64 = 3_000_000
    /// Nanoseconds of a margin, at most.
    package static let most: UInt64 = 100_000_000

    private var need = needAtFirst

    /// A margin without any measurement.
    package init() {}

    /// What follows the comparing took so many nanoseconds.
    package mutating func note(_ nanoseconds: UInt64) {
        need =
            nanoseconds > need
            ? min(nanoseconds, Self.most) : need - (need - nanoseconds) / 16
    }

    /// When a search that began at one instant, and must be answered at another, stops comparing: not
    /// before half of its time.
    package func end(from begin: MonotonicTime, to deadline: MonotonicTime) -> MonotonicTime {
        guard deadline > begin else { return deadline }
        let margin = min(Self.way + need, Self.most, (deadline.nanoseconds - begin.nanoseconds) / 2)
        return MonotonicTime(nanoseconds: deadline.nanoseconds - margin)
    }
}
