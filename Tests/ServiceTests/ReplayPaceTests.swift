import Messages
import Service
import TestSupport
import Testing

/// When a replay sends its requests, in pure time.
struct ReplayPaceTests {
    private static let second: UInt64 = 1_000_000_000

    /// Requests of a busy 20 seconds, in order.
    private static func recording(seed: UInt64, count: Int = 400) -> [UInt64] {
        var random = SeededRandom(seed: seed)
        let span = 20 * second
        let between = (0..<count - 2).map { _ in UInt64.random(in: 0...span, using: &random) }
        return ([0, span] + between).sorted().map { $0 + 5 * second }
    }

    private static func span(_ pace: ReplayPace, _ offsets: [UInt64]) -> Double {
        Double(pace.schedule(offsets).last ?? 0) / Double(second)
    }

    @Test func recordedPaceIsKept() {
        let offsets = Self.recording(seed: 1)
        let due = ReplayPace(speed: 1).schedule(offsets)
        #expect(due == offsets.map { $0 - offsets[0] })
        let fast = ReplayPace(speed: 10).schedule(offsets)
        #expect(zip(due, fast).allSatisfy { ($0 / 10).distance(to: $1).magnitude <= 400 })
        #expect(ReplayPace(speed: 1).schedule([]).isEmpty)
        #expect(ReplayPace(speed: 1).schedule([7]) == [0])
    }

    @Test(
        "report 26: shuffled or damaged recorded times do not stretch the replay",
        arguments: 0..<50)
    func shuffledOrDamagedTimes(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let right = Self.recording(seed: seed)
        let pace = ReplayPace(speed: 1)
        #expect(abs(Self.span(pace, right.shuffled(using: &random)) - 20) < 1)
        let absurd: [UInt64] = [
            .max, .max / 2, 3_600 * Self.second, 86_400 * 365 * Self.second, 1 << 60,
        ]
        for isShuffled in [false, true] {
            var damaged = isShuffled ? right.shuffled(using: &random) : right
            for value in absurd {
                // Anywhere but at the very end, where it could be a pause.
                damaged[Int.random(in: 1..<350, using: &random)] = value
            }
            #expect(abs(Self.span(pace, damaged) - 20) < 1, "shuffled: \(isShuffled)")
        }
        #expect(abs(Self.span(pace, right.reversed()) - 20) < 1)
    }

    @Test func aPauseIsWaitedForAndNoLongerThanAllowed() {
        let offsets = (0..<20).map { UInt64($0) * Self.second / 20 } + [31 * Self.second]
        #expect(abs(Self.span(ReplayPace(speed: 1), offsets) - 31) < 0.1)
        let impatient = ReplayPace(speed: 1, waitNanosecondsMax: 2 * Self.second)
        #expect(abs(Self.span(impatient, offsets) - 2.95) < 0.1)
        let night = offsets + [86_400 * Self.second]
        #expect(abs(Self.span(ReplayPace(speed: 1), night) - 631) < 1)
    }

    @Test func scheduleNeverGoesBack() {
        for seed: UInt64 in 0..<50 {
            var random = SeededRandom(seed: seed)
            let wild = (0..<200).map { _ in
                random.next() >> UInt64.random(in: 0...60, using: &random)
            }
            let due = ReplayPace(speed: 0.5).schedule(wild)
            #expect(due.count == 200)
            #expect(zip(due, due.dropFirst()).allSatisfy { $0 <= $1 })
        }
    }
}
