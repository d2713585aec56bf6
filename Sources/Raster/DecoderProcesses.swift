import CIsolation
import Glibc
import Locking

/// The processes that this one has for decoders: the starter, which makes them, and those that were
/// killed and have not ended yet.
public enum DecoderProcesses {
    private struct State {
        var starter: sl_isolated_starter?
        /// Killed, and to be collected once they have ended.
        var killed: [pid_t] = []
    }
    private static let state = Locked(State())

    /// Killed processes that may still have to end before another one waits for the oldest.
    static let killedMax = 64

    /// Makes the starter, unless there is one.
    ///
    /// It is made for the first decoder anyhow. A program calls this before it grows: every decoder's
    /// process begins as a copy of the starter, which takes time by the memory that this process has
    /// now. Where no process can be made, the first decoder says so.
    public static func prepare() {
        state.withLock { state in _ = open(&state) }
    }

    /// Killed processes that have not been collected; for tests.
    package static var killed: Int { state.withLock { $0.killed.count } }

    /// The starter's process; nil before there is one. For tests and benchmarks.
    package static var starter: Int? { state.withLock { $0.starter.map { Int($0.pid) } } }

    /// Makes a process that runs an order. False where none can be made.
    static func start(
        _ job: inout sl_isolated, _ order: sl_isolated_order, _ parameters: UnsafeRawPointer,
        _ bytes: UnsafePointer<UInt8>?
    ) -> Bool {
        var order = order
        order.nice = sl_isolated_priority()
        let memory = sl_isolated_share(&job, &order, parameters, bytes)
        guard memory >= 0 else { return false }
        defer { close(memory) }
        let pid = state.withLock { state in
            collect(&state)
            return ask(&state, order, memory)
        }
        guard pid > 0 else {
            end(&job)
            return false
        }
        sl_isolated_follow(&job, pid)
        return true
    }

    private static func ask(
        _ state: inout State, _ order: sl_isolated_order, _ memory: Int32
    ) -> pid_t {
        var order = order
        // A starter that was killed from outside is replaced once.
        for _ in 0..<2 {
            guard var starter = open(&state) else { return -EAGAIN }
            let pid = sl_isolated_ask(&starter, &order, memory)
            guard pid == -EPIPE else { return pid }
            closeStarter(&state)
        }
        return -EPIPE
    }

    /// Gives a process's memory back, and ends it if it still runs, without waiting for that.
    static func end(_ job: inout sl_isolated) {
        let pid = sl_isolated_close(&job)
        guard pid > 0 else { return }
        state.withLock { $0.killed.append(pid) }
    }

    private static func collect(_ state: inout State) {
        state.killed.removeAll { sl_isolated_collect($0, 0) != 0 }
        while state.killed.count >= killedMax {
            _ = sl_isolated_collect(state.killed.removeFirst(), 1)
        }
    }

    private static func open(_ state: inout State) -> sl_isolated_starter? {
        if state.starter == nil {
            var starter = sl_isolated_starter()
            guard sl_isolated_open(&starter) == 0 else { return nil }
            state.starter = starter
        }
        return state.starter
    }

    private static func closeStarter(_ state: inout State) {
        guard var starter = state.starter else { return }
        sl_isolated_end(&starter)
        state.starter = nil
    }
}
