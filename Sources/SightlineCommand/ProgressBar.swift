import Foundation
import Locking
import Messages
import Service

/// How far something long is, on standard error: a bar on a terminal, else a line every ten seconds.
final class ProgressBar: Sendable {
    private struct Shown {
        var percent = -1
        /// When the last line was written, in seconds since the begin.
        var seconds = 0.0
    }

    private let total: Int
    private let label: String
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let shown = Locked(Shown())
    private let begin = SystemClock.monotonic().nanoseconds
    private static let secondsBetweenLines = 10.0

    init(total: Int, label: String) {
        self.total = max(total, 1)
        self.label = label
    }

    /// Shows that so many are done.
    func show(_ done: Int) {
        let percent = done * 100 / total
        let seconds = seconds
        guard isDue(percent, seconds) else { return }
        let figures = "\(percent) % \(done)/\(total)\(pace(done, seconds))"
        guard isTerminal else { return write("\(label): \(figures)\n") }
        let filled = percent * 30 / 100
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 30 - filled)
        write("\r\(label) [\(bar)] \(figures)\u{1B}[K")
    }

    private var seconds: Double {
        Double(SystemClock.monotonic().nanoseconds - begin) / 1e9
    }

    /// Whether there is something new to show.
    private func isDue(_ percent: Int, _ seconds: Double) -> Bool {
        let isTerminal = isTerminal
        return shown.withLock { last in
            let isDue =
                isTerminal
                ? percent > last.percent : seconds >= last.seconds + Self.secondsBetweenLines
            if isDue { last = Shown(percent: percent, seconds: seconds) }
            return isDue
        }
    }

    /// How many are done a second and how long the rest takes, once that can be told.
    private func pace(_ done: Int, _ seconds: Double) -> String {
        guard seconds >= 2, done > 0 else { return "" }
        let left = Int(seconds / Double(done) * Double(total - done))
        let time =
            left >= 60 ? "\(left / 60) min \(left % 60) s" : "\(left) s"
        return String(format: ", %.1f/s, %@ left", Double(done) / seconds, time)
    }

    /// Leaves the bar's line.
    func end() {
        if isTerminal { write("\n") }
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
