import Foundation
public import Messages

/// The clocks of the machine, read in one place.
public enum SystemClock {
    /// Both clocks now.
    public static func now() -> Now {
        Now(monotonic: monotonic(), wall: wall())
    }

    /// The monotonic clock now.
    public static func monotonic() -> MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(
            nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    }

    /// Nanoseconds that the processor has spent on the calling thread.
    public static func processorOfThread() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// The wall clock now.
    public static func wall() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(
            milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
