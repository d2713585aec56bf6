/// The instant by which a task wants its answers; child tasks have it too.
///
/// Requests without a budget of their own take what is left of it:
///
/// ```swift
/// let results = try await Deadline.within(.milliseconds(500)) {
///     try await client.search(photo)
/// }
/// ```
public struct Deadline: Sendable, Hashable, Comparable {
    /// The deadline of this task; nil if it has none.
    @TaskLocal public static var current: Deadline?

    /// On the monotonic clock: a wall clock that is set moves no deadline.
    public let instant: ContinuousClock.Instant

    /// At an instant of the monotonic clock.
    public init(_ instant: ContinuousClock.Instant) { self.instant = instant }

    /// So long from now.
    public static func after(_ duration: Duration) -> Deadline {
        Deadline(ContinuousClock.now.advanced(by: duration))
    }

    /// What is left until then; negative behind it.
    public var remaining: Duration { ContinuousClock.now.duration(to: instant) }

    /// Earlier first.
    public static func < (left: Deadline, right: Deadline) -> Bool { left.instant < right.instant }

    /// Runs a body whose requests are to be answered within a duration, and within the deadline
    /// that this task has already.
    ///
    /// The body itself is not stopped: its requests end with `deadlineExceeded`.
    ///
    /// - Throws: What the body throws.
    public static func within<Result>(
        _ duration: Duration, _ body: () async throws -> Result
    ) async rethrows -> Result {
        let own = Deadline.after(duration)
        return try await $current.withValue(current.map { min($0, own) } ?? own) {
            try await body()
        }
    }
}
