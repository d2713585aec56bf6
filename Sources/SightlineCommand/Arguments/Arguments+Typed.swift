import Foundation
import Messages
import Service

extension Arguments {
    /// The router to connect to.
    func endpoint() throws -> Endpoint {
        try Endpoint(self["connect"] ?? "127.0.0.1", defaultPort: Endpoint.clientPort)
    }

    /// A whole number within a range.
    func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = self[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw UsageError(
                "--\(name) takes a whole number from \(range.lowerBound) to \(range.upperBound), not '\(text)'"
            )
        }
        return number
    }

    /// The slots that a worker covers; nil for all.
    func slots() throws -> SlotRange? {
        guard let text = self["slots"] else { return nil }
        guard let slots = SlotRange(text) else {
            throw UsageError(
                "--slots takes FIRST-LAST within 0-\(Limits.catalogSlots - 1), such as 0-31, not '\(text)'"
            )
        }
        return slots
    }

    /// The time until the answer is wanted, in milliseconds.
    func deadline() throws -> UInt32 {
        try Self.milliseconds(self["deadline"] ?? "2s", option: "deadline")
    }

    /// A duration such as `300ms`, `2s` or `1m`.
    static func milliseconds(_ text: String, option: String) throws -> UInt32 {
        let digits = text.prefix { $0.isNumber || $0 == "." }
        let factors = ["ms": 1.0, "s": 1_000, "m": 60_000]
        let range = Limits.budgetMillisecondsMin...Limits.budgetMillisecondsMax
        guard let number = Double(digits),
            let factor = factors[String(text.dropFirst(digits.count))],
            let value = UInt32(exactly: (number * factor).rounded()), range.contains(value)
        else {
            throw UsageError(
                "--\(option) takes a duration such as 300ms, 2s or 1m, at most \(range.upperBound) ms, not '\(text)'"
            )
        }
        return value
    }

    /// The instant to answer for.
    func asOf() throws -> Timestamp? {
        guard let text = self["as-of"] else { return nil }
        guard let instant = InstantText.parse(text) else {
            throw UsageError("--as-of takes an instant such as 2026-12-05T19:00:00Z, not '\(text)'")
        }
        return instant
    }

    /// The catalog to use.
    var catalog: String { self["catalog"] ?? CatalogName.main }

    /// The entity types wanted; nil for all.
    var types: [String]? {
        let types = values("type")
        return types.isEmpty ? nil : types
    }

    /// Where everything is kept.
    func dataFolder(_ environment: [String: String]) -> String {
        let home = environment["XDG_DATA_HOME"] ?? (environment["HOME"] ?? "") + "/.local/share"
        return self["data"] ?? home + "/sightline"
    }

    /// The log of a command, by default quiet, or of a server.
    func log(default level: Log.Level) throws -> Log {
        guard let text = self["log-level"] else { return Log(threshold: level) }
        guard let chosen = Log.Level(name: text) else {
            throw UsageError("--log-level takes debug, info, warning or error, not '\(text)'")
        }
        return Log(threshold: chosen)
    }
}
