/// An instant of a monotonic clock of one process; never crosses the wire.
public struct MonotonicTime: Hashable, Comparable, Sendable {
    /// Nanoseconds since an arbitrary start.
    public var nanoseconds: UInt64
    /// From nanoseconds since an arbitrary start.
    public init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }
    /// Earlier first.
    public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }
    /// The instant a number of milliseconds later.
    public func adding(milliseconds: some BinaryInteger) -> MonotonicTime {
        MonotonicTime(nanoseconds: nanoseconds &+ UInt64(milliseconds) &* 1_000_000)
    }
    /// Whole milliseconds from `earlier` to here; 0 if this instant is not later.
    public func milliseconds(since earlier: MonotonicTime) -> UInt64 {
        nanoseconds > earlier.nanoseconds ? (nanoseconds - earlier.nanoseconds) / 1_000_000 : 0
    }
}

/// A wall-clock instant: milliseconds since 1970-01-01T00:00:00Z.
///
/// Says what "now" means for a request (as-of) or when something was recorded; never a deadline.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z; negative before.
    public var milliseconds: Int64
    /// From milliseconds since 1970-01-01T00:00:00Z.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }
    /// Earlier first.
    public static func < (left: Self, right: Self) -> Bool {
        left.milliseconds < right.milliseconds
    }
}

/// Both clocks, read once for one event.
public struct Now: Sendable, Equatable {
    /// For deadlines, intervals and leases.
    public var monotonic: MonotonicTime
    /// For as-of.
    public var wall: Timestamp
    /// From both readings.
    public init(monotonic: MonotonicTime, wall: Timestamp) {
        self.monotonic = monotonic
        self.wall = wall
    }
}
