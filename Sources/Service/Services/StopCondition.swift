import Messages
import Synchronization

/// When a job must stop: its deadline is past, or it was cancelled from another thread.
final class StopCondition: Sendable {
    /// On this process's monotonic clock.
    let deadline: MonotonicTime
    /// When it was made.
    let begin = SystemClock.monotonic()
    private let isCancelled = Atomic<Bool>(false)

    /// Without a deadline only a cancellation stops the job.
    init(deadline: MonotonicTime = MonotonicTime(nanoseconds: .max)) {
        self.deadline = deadline
    }

    /// Asks the job to stop.
    func cancel() { isCancelled.store(true, ordering: .relaxed) }

    /// The job should stop; checked between blocks of work.
    var isStopped: Bool { isStopped(at: deadline) }

    /// The same for work that has to end at an instant of its own.
    func isStopped(at end: MonotonicTime) -> Bool {
        isCancelled.load(ordering: .relaxed) || SystemClock.monotonic() >= end
    }
}
