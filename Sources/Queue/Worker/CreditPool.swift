internal import Messages

/// The credit that a worker gives: what it can run, and so much beyond it that short jobs follow
/// each other without waiting for the router.
struct CreditPool: Sendable {
    private let concurrency: UInt32
    private let most: UInt32
    private let prefetchNanoseconds: UInt64
    /// What jobs take on average lately; the newest counts for an eighth.
    private var jobNanoseconds: UInt64 = 0
    private var samples = 0
    private static let samplesMin = 8

    init(_ configuration: WorkerConfiguration) {
        concurrency = UInt32(clamping: configuration.concurrency)
        most = configuration.credit
        prefetchNanoseconds = UInt64(configuration.prefetchMilliseconds) * 1_000_000
    }

    mutating func note(jobNanoseconds taken: UInt64) {
        jobNanoseconds = samples == 0 ? taken : jobNanoseconds - jobNanoseconds / 8 + taken / 8
        samples += 1
    }

    /// Requests taken at a time; all that is allowed until it is known what jobs take.
    var credit: UInt32 {
        guard samples >= Self.samplesMin else { return most }
        let ahead = UInt64(concurrency) * prefetchNanoseconds / max(jobNanoseconds, 1)
        return min(most, max(concurrency, concurrency &+ UInt32(clamping: min(ahead, 1 << 20))))
    }
}
