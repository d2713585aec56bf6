import Foundation
import Messages
import TestSupport
import Testing

/// One file of `schemas/vectors` and what `index.json` says of it.
struct Vector: Sendable, CustomTestStringConvertible {
    let file: String
    let expected: JSONValue
    let frames: [[UInt8]]

    var testDescription: String { file }

    static let valid = load("valid")
    static let invalid = load("invalid")
    static let index: JSONValue = {
        // A missing or broken index shows as tests without arguments, which the count test fails.
        (try? JSONValue(parsing: PackageRoot.bytes("schemas/vectors/index.json"))) ?? .null
    }()

    private static func load(_ kind: String) -> [Vector] {
        (index[kind]?.array ?? []).compactMap { entry in
            guard let file = entry["file"]?.text,
                // As above: the count test finds a file that is missing.
                let bytes = try? PackageRoot.bytes("schemas/vectors/" + file)
            else { return nil }
            return Vector(file: file, expected: entry, frames: frames(of: bytes))
        }
    }

    private static func frames(of bytes: [UInt8]) -> [[UInt8]] {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        return lines.filter { !$0.hasPrefix("#") }.map { line in
            line.split(separator: " ").reduce(into: []) { frame, token in
                guard token != "-" else { return }
                let parts = token.split(separator: "*")
                guard let digits = Hex.decode(parts[0]) else { return }
                let count = parts.count > 1 ? Int(parts[1]) ?? 0 : 1
                if digits.count == 1 {
                    frame += [UInt8](repeating: digits[0], count: count)
                } else {
                    for _ in 0..<count { frame += digits }
                }
            }
        }
    }

    /// The names of the files of a kind, sorted.
    static func files(_ kind: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(
            atPath: PackageRoot.path("schemas/vectors/" + kind)
        ).map { kind + "/" + $0 }.sorted()
    }

    /// Decodes the message and, as its command says, the items or records that it carries.
    static func decodeWhole(
        _ frames: [[UInt8]]
    ) throws(WireError) -> (message: Message, items: [MergeItem]?, records: [Record]?) {
        let message = try Message(frames: frames)
        switch message.command {
        case .partial, .final:
            guard let list = message.fields[.items] else { return (message, nil, nil) }
            return (message, try MergeItem.decode(list: list[...], body: message.sharedBody), nil)
        case .tail: return (message, nil, try Record.decodeList(message.body))
        case .hello, .welcome, .ready, .request, .error, .cancel, .ping, .pong, .draining, .bye,
            .record, .ack, .subscribe, .fetch, .chunk, .keys, .keyring, .notify:
            return (message, nil, nil)
        }
    }
}
