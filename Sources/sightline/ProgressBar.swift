import Foundation
import Locking

/// A bar on standard error while something long runs; silent when that is no terminal.
final class ProgressBar: Sendable {
    private let total: Int
    private let label: String
    private let isShown = isatty(STDERR_FILENO) == 1
    private let shown = Locked(-1)

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
        write("\r\(label) [\(bar)] \(percent) % \(done)/\(total)")
    }

    /// Leaves the bar's line.
    func end() {
        if isShown { write("\n") }
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
