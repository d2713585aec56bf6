import Foundation
import Locking
import Messages
import Service

/// A bar on standard error while something long runs; silent when that is no terminal.
final class ProgressBar: Sendable {
    private let total: Int
    private let label: String
    private let isShown = isatty(STDERR_FILENO) == 1
    private let shown = Locked(-1)
    private let begin = SystemClock.monotonic().nanoseconds

    init(total: Int, label: String) {
        self.total = max(total, 1)
        self.label = label
    }

    /// Shows that so many are done.
    func show(_ done: Int) {
        let percent = done * 100 / total
        guard isShown,
            shown.withLock({ last in
                defer { last = max(last, percent) }
                return percent > last
            })
        else { return }
        let filled = percent * 30 / 100
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 30 - filled)
        write("\r\(label) [\(bar)] \(percent) % \(done)/\(total)\(pace(done))\u{1B}[K")
    }

    /// How many are done a second and how long the rest takes, once that can be told.
    private func pace(_ done: Int) -> String {
        let seconds = Double(SystemClock.monotonic().nanoseconds - begin) / 1e9
        guard seconds >= 2, done > 0 else { return "" }
        let left = Int(seconds / Double(done) * Double(total - done))
        let time =
            left >= 60 ? "\(left / 60) min \(left % 60) s" : "\(left) s"
        return String(format: ", %.1f/s, %@ left", Double(done) / seconds, time)
    }

    /// Leaves the bar's line.
    func end() {
        if isShown { write("\n") }
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
