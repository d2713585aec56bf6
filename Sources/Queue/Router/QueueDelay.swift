internal import Messages

/// Sheds while the queue of one key stands: the controlled-delay law (CoDel, RFC 8289) on
/// requests, for each key as RFC 8290 has it for each flow.
///
/// A burst may wait. Once whoever is served has waited for longer than its target during a whole
/// interval, one request is shed, then the next after interval / √2, √3, …, until one is served
/// within its target again.
struct QueueDelay: Sendable {
    private let intervalNanoseconds: UInt64
    private var aboveUntil: MonotonicTime?
    private var isShedding = false
    private var nextShed = MonotonicTime(nanoseconds: 0)
    private var count: UInt64 = 0
    private var lastCount: UInt64 = 0

    init(intervalMilliseconds: UInt32) {
        intervalNanoseconds = UInt64(intervalMilliseconds) * 1_000_000
    }

    /// A request is about to be served that waited so long. True if one has to go.
    mutating func note(
        delay: UInt64, target: UInt64, at now: MonotonicTime
    ) -> Bool {
        guard delay >= target else {
            aboveUntil = nil
            isShedding = false
            return false
        }
        guard let until = aboveUntil else {
            aboveUntil = MonotonicTime(nanoseconds: now.nanoseconds + intervalNanoseconds)
            return false
        }
        guard now >= until else { return false }
        if !isShedding { return begin(at: now) }
        guard now >= nextShed else { return false }
        count += 1
        nextShed = MonotonicTime(nanoseconds: nextShed.nanoseconds + interval(count))
        return true
    }

    /// A queue that was shed from not long ago goes on nearly as fast as it had to then.
    private mutating func begin(at now: MonotonicTime) -> Bool {
        isShedding = true
        let isRecent = now.nanoseconds < nextShed.nanoseconds + 16 * intervalNanoseconds
        let gained = count - lastCount
        count = isRecent && gained > 1 ? gained : 1
        lastCount = count
        nextShed = MonotonicTime(nanoseconds: now.nanoseconds + interval(count))
        return true
    }

    private func interval(_ count: UInt64) -> UInt64 {
        UInt64(Double(intervalNanoseconds) / Double(count).squareRoot())
    }
}
