import Messages
import Synchronization

/// When a job must stop: its deadline is past, or it was cancelled from another thread.
final class StopCondition: Sendable {
    /// On this process's monotonic clock.
    let deadline: MonotonicTime
    private let isCancelled = Atomic<Bool>(false)

    /// Without a deadline only a cancellation stops the job.
    init(deadline: MonotonicTime = MonotonicTime(nanoseconds: .max)) {
        self.deadline = deadline
    }

    /// Asks the job to stop.
    func cancel() { isCancelled.store(true, ordering: .relaxed) }

    /// The job should stop; checked between blocks of work.
    var isStopped: Bool {
        isCancelled.load(ordering: .relaxed) || SystemClock.monotonic() >= deadline
    }
}
