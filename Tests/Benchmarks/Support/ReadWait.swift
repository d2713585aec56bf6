import Foundation

/// Waiting for a descriptor with a finer unit than milliseconds.
enum ReadWait {
    /// Returns once there is something to read, or so much later.
    static func wait(_ descriptor: Int32, nanoseconds: Int) {
        precondition(descriptor >= 0 && descriptor < 1_024, "the first 1,024 descriptors")
        var set = fd_set()
        withUnsafeMutableBytes(of: &set) {
            $0[Int(descriptor) / 8] |= 1 << UInt8(descriptor % 8)
        }
        let (seconds, rest) = max(0, nanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
        var time = timespec(tv_sec: seconds, tv_nsec: rest)
        pselect(descriptor + 1, &set, nil, nil, &time, nil)
    }

    /// Makes this thread's waits end when they should, not up to 50 microseconds later.
    static func bePrecise() {
        // Where the kernel has no such file, the waits are as they were.
        try? "1".write(toFile: "/proc/self/timerslack_ns", atomically: false, encoding: .utf8)
    }
}
