internal import Messages

/// How long a part of a service has recently taken at its workers, and what is decided by it.
struct ServiceTimes: Sendable {
    var needed = NeededTime()
    private var histogram = DurationHistogram()
    /// Nanoseconds after which a second attempt is worth its work; nil until enough is known.
    private(set) var hedgeAfter: UInt64?
    private var sinceCounted = 0

    private let samplesMin: UInt64
    private static let samplesMax: UInt64 = 2_000
    private static let countEvery = 16

    init(samplesMin: Int) { self.samplesMin = UInt64(samplesMin) }

    mutating func note(_ nanoseconds: UInt64, wasProbe: Bool, at now: MonotonicTime) {
        needed.note(nanoseconds, wasProbe: wasProbe, at: now)
        histogram.add(nanoseconds)
        if histogram.count >= Self.samplesMax { histogram.halve() }
        sinceCounted += 1
        guard histogram.count >= samplesMin, sinceCounted >= Self.countEvery else { return }
        sinceCounted = 0
        hedgeAfter = histogram.quantile(0.95)
    }
}
