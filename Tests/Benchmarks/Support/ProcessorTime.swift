import Foundation

/// Time that processors have spent on a process, all its threads together.
enum ProcessorTime {
    /// Seconds that this process has taken.
    static func ofSelf() -> Double { seconds(of: CLOCK_PROCESS_CPUTIME_ID) }

    /// Seconds that another process has taken.
    ///
    /// The kernel's clock of that process counts nanoseconds, where /proc has ticks of 10 ms.
    static func of(_ process: pid_t) -> Double {
        var clock = clockid_t()
        guard clock_getcpuclockid(process, &clock) == 0 else { return 0 }
        return seconds(of: clock)
    }

    private static func seconds(of clock: clockid_t) -> Double {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { return 0 }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
