import Foundation
import Synchronization

/// SIGINT and SIGTERM as a wish to stop, for commands that end what is under way first.
///
/// A signal can reach any thread of a process that runs tasks, so that waiting for it in one, as
/// servers do, is not possible here.
enum StopRequest {
    private static let signals = Atomic<Int>(0)

    /// From now on the first signal is noted, and the second one ends the process.
    static func listen() {
        // The handler may not be the first to use it.
        signals.store(0, ordering: .relaxed)
        for number in [SIGINT, SIGTERM] {
            signal(number) { number in
                if StopRequest.signals.add(1, ordering: .relaxed).newValue > 1 {
                    _exit(128 + number)
                }
            }
        }
    }

    /// A signal has come.
    static var isMade: Bool { signals.load(ordering: .relaxed) > 0 }
}
