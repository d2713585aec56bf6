internal import Foundation

/// A value that one thread at a time may use.
///
/// It stands in for Synchronization's `Mutex`, whose contended path on Linux is a futex call that
/// thread sanitizer does not see: it reports races between threads that did exclude one another.
/// Foundation's lock is a pthread mutex, which it does see.
public final class Locked<Value: ~Copyable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    /// Takes over the value.
    public init(_ value: consuming sending Value) {
        self.value = value
    }

    /// Runs `body` on the value while every other thread waits; must not be nested.
    public func withLock<Answer: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Answer
    ) throws(Failure) -> sending Answer {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
