internal import Messages

/// The time that a service has recently needed from dispatch to result: its median, followed in
/// steps, so that one figure is all that is kept.
///
/// A dispatch that was given up counts with the time it had, if that is longer: it was not enough.
struct NeededTime: Sendable {
    /// Nanoseconds; 0 until enough is known.
    private var estimate: UInt64 = 0
    private var samples = 0
    private var changedAt = MonotonicTime(nanoseconds: 0)
    private var probedAt: MonotonicTime?

    /// Samples before anybody is refused.
    private static let samplesMin = 16
    /// Without a sample the estimate halves in this time, so that it cannot outlive its reason.
    private static let halfLife: UInt64 = 5_000_000_000
    private static let probeInterval: UInt64 = 1_000_000_000

    /// Nanoseconds that are needed as far as is known; 0 if nothing is.
    func nanoseconds(at now: MonotonicTime) -> UInt64 {
        guard samples >= Self.samplesMin else { return 0 }
        let halvings = (now.nanoseconds &- changedAt.nanoseconds) / Self.halfLife
        return now <= changedAt ? estimate : halvings < 64 ? estimate >> halvings : 0
    }

    /// A dispatch took so long.
    mutating func note(_ nanoseconds: UInt64, wasProbe: Bool, at now: MonotonicTime) {
        let before = current(at: now) ?? nanoseconds
        samples += 1
        changedAt = now
        if wasProbe, nanoseconds < before {
            // The only sample in a second: it counts for many.
            estimate = (before + nanoseconds) / 2
        } else if nanoseconds > before {
            estimate = min(before + before / 8 + 1, nanoseconds)
        } else {
            estimate = max(before - before / 8, nanoseconds)
        }
    }

    /// A dispatch was given up after so long, which says something only if it is long.
    mutating func noteGivenUp(after nanoseconds: UInt64, at now: MonotonicTime) {
        if let before = current(at: now), nanoseconds < before {
            samples += 1
            return
        }
        note(nanoseconds, wasProbe: false, at: now)
    }

    private func current(at now: MonotonicTime) -> UInt64? {
        guard samples > 0 else { return nil }
        return samples < Self.samplesMin ? estimate : self.nanoseconds(at: now)
    }

    /// What becomes of a request with so much time.
    enum Verdict: Sendable, Equatable {
        case enough
        /// Too little, but one has to try from time to time.
        case probe
        case tooLittle(needed: UInt64)
    }

    /// Judges a request; at most one a second is a probe.
    mutating func judge(_ nanoseconds: UInt64, at now: MonotonicTime) -> Verdict {
        let needed = self.nanoseconds(at: now)
        guard nanoseconds < needed else { return .enough }
        if let last = probedAt, now.nanoseconds < last.nanoseconds + Self.probeInterval {
            return .tooLittle(needed: needed)
        }
        probedAt = now
        return .probe
    }
}
