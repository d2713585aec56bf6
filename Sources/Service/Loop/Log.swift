import Foundation
import Messages

/// Structured lines on standard error: a constant message, and data as `key=value`.
///
/// Titles, names, pictures and calendar texts never go here.
public struct Log: Sendable {
    /// How much is written.
    public enum Level: Int, Sendable, CaseIterable, Comparable {
        /// Per request.
        case debug
        /// A change of state.
        case info
        /// Will matter if it repeats.
        case warning
        /// Needs a person.
        case error

        /// By severity.
        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
        /// From its name, as in the configuration.
        public init?(name: String) {
            guard let level = Level.allCases.first(where: { "\($0)" == name }) else { return nil }
            self = level
        }
    }

    private let threshold: Level

    /// Drops lines below a level.
    public init(threshold: Level = .info) { self.threshold = threshold }

    /// Whether lines of a level are written; asked where making one costs something.
    func writes(_ level: Level) -> Bool { level >= threshold }

    /// Writes a line about one request.
    func debug(_ message: StaticString, _ data: KeyValuePairs<String, String> = [:]) {
        write(.debug, message, data)
    }
    /// Writes a line about a change of state.
    func info(_ message: StaticString, _ data: KeyValuePairs<String, String> = [:]) {
        write(.info, message, data)
    }
    /// Writes a line about something that should not repeat.
    func warning(_ message: StaticString, _ data: KeyValuePairs<String, String> = [:]) {
        write(.warning, message, data)
    }
    /// Writes a line that needs a person.
    func error(_ message: StaticString, _ data: KeyValuePairs<String, String> = [:]) {
        write(.error, message, data)
    }

    /// Writes a line of some level.
    func write(
        _ level: Level, _ message: StaticString, _ data: KeyValuePairs<String, String>
    ) {
        guard level >= threshold else { return }
        let time = InstantText.format(SystemClock.wall())
        let pairs = data.map { " \($0.key)=\(quoted($0.value))" }.joined()
        FileHandle.standardError.write(Data("\(time) \(level) \(message)\(pairs)\n".utf8))
    }

    private func quoted(_ value: String) -> String {
        let plain = value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") }
        return plain && !value.isEmpty ? value : value.debugDescription
    }
}
