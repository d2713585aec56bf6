import Foundation
import Journal
import Messages
import Service

/// `sightline log list`.
enum LogList {
    static func run(_ folder: String, _ arguments: Arguments) throws -> ExitStatus {
        let reader = try arguments.messageLog(folder)
        var selection = ReplaySelection()
        selection.from = try ReplayArguments.bound("from", arguments)
        selection.until = try ReplayArguments.bound("until", arguments)
        let services = Set(arguments.values("service"))
        let firstOffset = try reader.entry(reader.first)?.offsetNanoseconds ?? 0
        let limit = try arguments.integer("limit", in: 1...1_000_000) ?? 1_000
        var rows: [Row] = []
        var isCut = false
        try reader.forEach { entry in
            guard selection.contains(entry, firstOffset: firstOffset), !isCut else { return }
            let row = try Row(entry)
            guard services.isEmpty || services.contains(row.service) else { return }
            isCut = rows.count == limit
            if !isCut { rows.append(row) }
        }
        if arguments.isSet("json") {
            let json = JSONValue.array(rows.map(\.json))
            print(String(decoding: json.canonical(), as: UTF8.self))
        } else {
            let header = ["#", "time", "service", "outcome", "position", "bytes"]
            print(Table(header: header, rows: rows.map(\.cells)).text)
            if isCut { print("… more; --limit or --from shows them") }
        }
        return .success
    }

    /// One line; nothing personal.
    private struct Row {
        let number: UInt64
        let time: Timestamp
        var service = ""
        var outcome = ""
        var position: Position?
        var bytes: Int?

        init(_ entry: MessageLogEntry) throws {
            number = entry.number
            time = entry.recordedTime
            switch entry.content {
            case .gap(let gap): outcome = "gap: \(gap.count) left out"
            case .erased(_, let summary):
                outcome = "erased"
                position = summary.position
            case .exchange(let recorded, let keyID):
                let exchange = try LoggedExchange(recorded, number: number, keyID: keyID)
                service = exchange.service
                outcome = exchange.outcome
                position = exchange.position
                bytes = exchange.byteCount
            }
        }

        var cells: [String] {
            [
                "\(number)", InstantText.format(time), service, outcome,
                position.map { "\($0)" } ?? "", bytes.map { "\($0)" } ?? "",
            ]
        }
        var json: JSONValue {
            var members: [String: JSONValue] = [
                "number": .integer(number), "time": .string(InstantText.format(time)),
                "outcome": .string(outcome),
            ]
            if !service.isEmpty { members["service"] = .string(service) }
            members["position"] = position.map { .string("\($0)") }
            members["bytes"] = bytes.map { .integer($0) }
            return .object(members)
        }
    }
}
