import Foundation

/// SIGTERM and SIGINT, and SIGHUP if it means something, taken by a thread of their own.
///
/// Made before any other thread, so that all of them inherit the blocked signals.
struct StopSignals {
    private let signals: sigset_t

    /// A hangup that means nothing ends the process, as it does others whose terminal goes.
    init(takesHangup: Bool = false) {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTERM)
        sigaddset(&set, SIGINT)
        if takesHangup { sigaddset(&set, SIGHUP) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        signals = set
        // A file that may not grow any more is an error of the write, and no reason to end.
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Calls `stop` at the first signal that asks for it; the second one ends the process.
    func whenReceived(
        stop: @escaping @Sendable () -> Void, hangup: @escaping @Sendable () -> Void
    ) {
        let signals = signals
        let thread = Thread {
            var isStopping = false
            while true {
                var set = signals
                var number: Int32 = 0
                sigwait(&set, &number)
                if number == SIGHUP {
                    hangup()
                } else if isStopping {
                    _exit(128 + number)
                } else {
                    isStopping = true
                    stop()
                }
            }
        }
        thread.name = "signals"
        thread.start()
    }
}
