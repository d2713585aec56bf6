import Dispatch
import Foundation
import Locking

/// A few threads that do work beside the event loop, first come first served.
///
/// Nothing here bounds the queue: whoever hands out work holds its credit.
final class Lane: Sendable {
    private struct State {
        var work: [@Sendable () -> Void] = []
        var isStopped = false
    }
    private let state = Locked(State())
    private let available = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    private let threads: Int

    /// Starts the threads.
    ///
    /// `niceness` above 0 lets the event loop run first when cores are scarce.
    init(name: String, threads: Int = 1, niceness: Int32 = 0) {
        self.threads = threads
        for number in 1...threads {
            let thread = Thread { [self] in
                if niceness > 0 { _ = nice(niceness) }
                runUntilStopped()
                ended.signal()
            }
            thread.name = threads == 1 ? name : "\(name)-\(number)"
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    /// Queues a piece of work.
    func run(_ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.work.append(work) }
        available.signal()
    }

    /// Lets the threads end once the queued work is done.
    func stop() {
        state.withLock { $0.isStopped = true }
        for _ in 0..<threads { available.signal() }
    }

    /// Lets the threads end and waits for them.
    func stopAndWait() {
        stop()
        for _ in 0..<threads { ended.wait() }
    }

    private func runUntilStopped() {
        while true {
            available.wait()
            let next: (@Sendable () -> Void)? = state.withLock { state in
                state.work.isEmpty ? nil : state.work.removeFirst()
            }
            if let next {
                next()
            } else if state.withLock({ $0.isStopped }) {
                return
            }
        }
    }
}
