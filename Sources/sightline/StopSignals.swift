import Foundation

/// SIGTERM and SIGINT, taken by a thread of their own.
///
/// Made before any other thread, so that all of them inherit the blocked signals.
struct StopSignals {
    private let signals: sigset_t

    init() {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTERM)
        sigaddset(&set, SIGINT)
        pthread_sigmask(SIG_BLOCK, &set, nil)
        signals = set
        // A file that may not grow any more is an error of the write, and no reason to end.
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Calls the closure at the first signal; the second one ends the process.
    func whenReceived(_ body: @escaping @Sendable () -> Void) {
        let signals = signals
        let thread = Thread {
            var set = signals
            var number: Int32 = 0
            sigwait(&set, &number)
            body()
            sigwait(&set, &number)
            _exit(128 + number)
        }
        thread.name = "signals"
        thread.start()
    }
}
