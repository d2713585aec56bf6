internal import Messages

/// How long before the deadline replies leave: a little, and as late as the router's own loop has
/// lately been to notice that one is due.
///
/// A late one counts at once, and is forgotten over some hundred punctual ones.
struct ReplyMargin: Sendable {
    /// Nanoseconds that the way to the client takes.
    private static let way: UInt64 = 2_000_000
    private var lateness: UInt64
    private let most: UInt64

    init(milliseconds: UInt32, mostMilliseconds: UInt32) {
        let start = UInt64(milliseconds) * 1_000_000
        lateness = start > Self.way ? start - Self.way : 0
        most = UInt64(max(milliseconds, mostMilliseconds)) * 1_000_000
    }

    /// Nanoseconds before the deadline.
    var nanoseconds: UInt64 { min(Self.way + lateness, most) }

    /// A reply that was due left so many nanoseconds later.
    mutating func note(lateness late: UInt64) {
        lateness = late > lateness ? min(late, most) : lateness - (lateness - late) / 128
    }

    /// Milliseconds before the deadline of a request with such a budget, rounded up; at most half
    /// of it.
    func milliseconds(ofBudget budget: UInt32) -> UInt32 {
        min(UInt32(clamping: (nanoseconds + 999_999) / 1_000_000), budget / 2)
    }
}
