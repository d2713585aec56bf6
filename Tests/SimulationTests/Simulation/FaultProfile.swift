import TestSupport

/// What goes wrong in one simulation, drawn from its seed.
struct FaultProfile {
    /// Of 1,000 messages.
    var dropped: UInt64
    var duplicated: UInt64
    /// Longest delay of a message, in microseconds.
    var delayMax: UInt64
    /// Messages of one connection may overtake each other.
    var reorders: Bool
    /// Milliseconds between two crashes, disconnections, pauses or drains, on average.
    var faultEvery: UInt64
    /// Of 100 jobs.
    var failingJobs: UInt64
    /// Routers are told which parts there are.
    var expectsParts: Bool
    /// Messages travel as bytes.
    var encodes: Bool

    init(using random: inout SeededRandom) {
        dropped = [0, 0, 5, 50].randomElement(using: &random) ?? 0
        duplicated = [0, 0, 10, 100].randomElement(using: &random) ?? 0
        delayMax = [300, 3_000, 60_000].randomElement(using: &random) ?? 300
        reorders = Bool.random(using: &random)
        faultEvery = [150, 400, 3_000].randomElement(using: &random) ?? 400
        failingJobs = [0, 5, 20].randomElement(using: &random) ?? 0
        expectsParts = Bool.random(using: &random)
        encodes = UInt8.random(in: 0..<8, using: &random) == 0
    }

    /// Nothing goes wrong any more.
    mutating func heal() {
        dropped = 0
        duplicated = 0
        delayMax = 300
        reorders = false
        failingJobs = 0
    }
}
