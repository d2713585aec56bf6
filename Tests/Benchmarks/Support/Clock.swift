import Messages
import Service

/// The monotonic clock, in the units of the tables.
enum Clock {
    static func seconds() -> Double { Double(SystemClock.monotonic().nanoseconds) / 1e9 }

    /// Seconds that something takes.
    static func time(_ body: () throws -> Void) rethrows -> Double {
        let start = seconds()
        try body()
        return seconds() - start
    }
}
