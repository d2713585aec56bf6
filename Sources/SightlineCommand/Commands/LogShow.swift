import Foundation
import Journal
import Messages
import Service

/// `sightline log show`: everything of one exchange but the bytes of its attachments.
enum LogShow {
    static func run(
        _ folder: String, _ numberText: String, _ arguments: Arguments
    ) throws -> ExitStatus {
        let reader = try arguments.messageLog(folder)
        let digits = numberText.hasPrefix("#") ? numberText.dropFirst() : numberText[...]
        guard let number = UInt64(digits), let entry = try reader.entry(number) else {
            throw UsageError(
                "there is no entry '\(numberText)'; the recording has \(reader.first) to \(reader.last)"
            )
        }
        switch entry.content {
        case .gap(let gap):
            print(
                "#\(number) gap: \(gap.count) exchanges left out between "
                    + "\(gap.firstOffset / 1_000_000) ms and \(gap.lastOffset / 1_000_000) ms")
            return .negative
        case .erased(let key, _):
            print("#\(number) erased: key \(key) is gone, or neither --data nor --keys has it")
            return .negative
        case .exchange(let recorded, let keyID):
            let exchange = try LoggedExchange(recorded, number: number, keyID: keyID)
            show(exchange, entry, isJSON: arguments.isSet("json"))
            return .success
        }
    }

    private static func show(
        _ exchange: LoggedExchange, _ entry: MessageLogEntry, isJSON: Bool
    ) {
        var members: [String: JSONValue] = [
            "number": .integer(exchange.number),
            "time": .string(InstantText.format(entry.recordedTime)),
            "offsetMilliseconds": .integer(entry.offsetNanoseconds / 1_000_000),
            "client": .string("\(exchange.recorded.client)"),
            "attachments": .string("\(exchange.recorded.summary.attachments)"),
            "request": message(exchange.request), "reply": message(exchange.reply),
        ]
        members["key"] = exchange.keyID.map { .string("\($0)") }
        let json = JSONValue.object(members)
        print(isJSON ? String(decoding: json.canonical(), as: UTF8.self) : PrettyJSON.text(json))
    }

    private static func message(_ message: Message) -> JSONValue {
        var members: [String: JSONValue] = [
            "command": .string("\(message.command)"),
            "requestID": .string("\(message.header.requestID)"),
            "fields": .object(fields(message)), "body": body(message.body),
        ]
        if message.command == .request {
            members["budgetMilliseconds"] = .integer(message.header.budgetMilliseconds)
        }
        if message.command == .final {
            members["complete"] = .bool(message.header.flags.contains(.complete))
        }
        let attachments = zip(message.fields.attachmentHashes, message.attachments)
        members["attachments"] = .array(
            attachments.map { hash, bytes in
                .object(["hash": .string("\(hash)"), "bytes": .integer(bytes.count)])
            })
        members["diagnostics"] = message.diagnostics.map(body)
        return .object(members)
    }

    private static func fields(_ message: Message) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        for entry in message.fields.entries {
            guard let type = FieldType(rawValue: entry.type) else {
                members["field \(entry.type)"] = .string(Hex.encode(entry.value))
                continue
            }
            guard type != .attachments else { continue }
            members["\(type)"] = value(type, message.fields)
        }
        return members
    }

    private static func value(_ type: FieldType, _ fields: Fields) -> JSONValue {
        switch type {
        case .position: return .string(fields.position.map { "\($0)" } ?? "")
        case .leastPosition: return .string(fields.leastPosition.map { "\($0)" } ?? "")
        case .asOf: return .string(fields.asOf.map(InstantText.format) ?? "")
        case .limit, .retryAfter, .partsTotal, .partsAnswered:
            return .integer(fields.integer(type, as: UInt32.self) ?? 0)
        case .missing: return .array(fields.missing.map { .string($0) })
        case .layout: return .string(fields[.layout] == [1] ? "single" : "grid")
        case .service, .catalog, .fairnessKey, .traceparent, .printVersion, .errorCode,
            .errorText, .name, .account, .continueRoute:
            return .string(fields.text(type) ?? "")
        default: return .string(Hex.encode(fields[type] ?? []))
        }
    }

    private static func body(_ bytes: [UInt8]) -> JSONValue {
        do {
            return try JSONValue(parsing: bytes)
        } catch {
            return .string(String(decoding: bytes, as: UTF8.self))
        }
    }
}

/// JSON as people read it: a member a line, indented by two spaces.
enum PrettyJSON {
    static func text(_ value: JSONValue, indent: String = "") -> String {
        let inner = indent + "  "
        switch value {
        case .object(let members) where !members.isEmpty:
            let lines = members.sorted { $0.key < $1.key }.map { name, value in
                let key = String(decoding: JSONValue.string(name).canonical(), as: UTF8.self)
                return "\(inner)\(key): \(text(value, indent: inner))"
            }
            return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
        case .array(let elements) where !elements.isEmpty:
            let lines = elements.map { inner + text($0, indent: inner) }
            return "[\n\(lines.joined(separator: ",\n"))\n\(indent)]"
        default: return String(decoding: value.canonical(), as: UTF8.self)
        }
    }
}
