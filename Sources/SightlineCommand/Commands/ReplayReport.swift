import Foundation
import Messages
import Service

/// What a replay says to people, programs and continuous integration.
final class ReplayReport {
    private let isJSON: Bool
    private let stream: CanonicalStream?
    private let junit: JUnitReport?

    /// - Throws: `ConfigurationError` if a file cannot be written.
    init(_ arguments: Arguments) throws {
        isJSON = arguments.isSet("json")
        stream = try arguments["out"].map { try CanonicalStream(path: $0) }
        junit = try arguments["junit"].map { try JUnitReport(path: $0) }
    }

    /// Tells of an exchange.
    func add(_ exchange: ReplayedExchange) throws {
        try stream?.add(exchange)
        try junit?.add(exchange)
        if isJSON {
            guard exchange.outcome != .same else { return }
            print(String(decoding: Self.json(exchange).canonical(), as: UTF8.self))
        } else {
            Self.show(exchange)
        }
    }

    /// Tells of the whole, and why the recording cannot be read to its end if it cannot.
    func finish(_ summary: ReplaySummary, end: UnreadableEnd?) throws {
        let nothing = "nothing was compared"
        try stream?.finish()
        let faults = (end.map { ["\($0)"] } ?? []) + (summary.isEmpty ? [nothing] : [])
        try junit?.finish(seconds: summary.seconds, faults: faults)
        if summary.isEmpty { Sightline.complain(nothing) }
        if isJSON {
            print(String(decoding: Self.json(summary, end).canonical(), as: UTF8.self))
            return
        }
        for (field, count) in summary.noise.sorted(by: { $0.key < $1.key }) {
            print("noise: \(field) in \(count) exchanges")
        }
        if summary.leftOut > 0 { print("the recording lacks \(summary.leftOut) exchanges") }
        if let end { print("\(end)") }
        print(Self.line(summary))
    }

    /// Closes the files of a replay that could not be made or not be ended, with the reason.
    func fail(_ reason: String) throws {
        try junit?.finish(seconds: 0, faults: [reason])
        try stream?.finish()
    }

    private static func show(_ exchange: ReplayedExchange) {
        let title = TerminalText.escaped("#\(exchange.number) \(exchange.service)")
        switch exchange.outcome {
        case .same: break
        case .different(let lines):
            print("\(title): different")
            for line in lines { print("  " + TerminalText.escaped(line)) }
        case .notCompared(let reason): print("\(title): not compared, \(reason)")
        case .erased: print("#\(exchange.number): erased")
        case .failed(let reason): print("\(title): failed, \(reason)")
        }
    }

    private static func line(_ summary: ReplaySummary) -> String {
        var line =
            "replayed \(summary.count): \(summary.same) same, \(summary.different) different, "
            + "\(summary.failed) failed, \(summary.notCompared) not compared"
        if summary.erased > 0 { line += ", \(summary.erased) erased" }
        if summary.unlisted > 0 { line += ", \(summary.unlisted) erased of unknown services" }
        if summary.allowed > 0 { line += "; \(summary.allowed) allowed differences" }
        return line + String(format: "; %.1f s", summary.seconds)
    }

    private static func json(_ exchange: ReplayedExchange) -> JSONValue {
        var members: [String: JSONValue] = [
            "number": .integer(exchange.number), "service": .string(exchange.service),
        ]
        switch exchange.outcome {
        case .same: members["outcome"] = .string("same")
        case .different(let lines):
            members["outcome"] = .string("different")
            members["differences"] = .array(lines.map { .string($0) })
        case .notCompared(let reason):
            members["outcome"] = .string("notCompared")
            members["reason"] = .string(reason)
        case .erased: members["outcome"] = .string("erased")
        case .failed(let reason):
            members["outcome"] = .string("failed")
            members["reason"] = .string(reason)
        }
        return .object(members)
    }

    private static func json(_ summary: ReplaySummary, _ end: UnreadableEnd?) -> JSONValue {
        var members: [String: JSONValue] = [
            "same": .integer(summary.same), "different": .integer(summary.different),
            "failed": .integer(summary.failed), "notCompared": .integer(summary.notCompared),
            "erased": .integer(summary.erased), "allowed": .integer(summary.allowed),
            "unlisted": .integer(summary.unlisted), "leftOut": .integer(summary.leftOut),
            "noise": .object(summary.noise.mapValues { .integer($0) }),
            "milliseconds": .integer(Int(summary.seconds * 1_000)),
        ]
        switch end {
        case .damaged(let damage): members["damage"] = .string("\(damage)")
        case .torn(let damage): members["tornEnd"] = .string("\(damage)")
        case nil: break
        }
        return .object(members)
    }
}
