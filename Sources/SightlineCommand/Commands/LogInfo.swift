import Foundation
import Journal
import Messages
import Service

/// `sightline log info`.
enum LogInfo {
    static func run(_ folder: String, _ arguments: Arguments) throws -> ExitStatus {
        let reader = try arguments.messageLog(folder)
        let summary = try MessageLogSummary(of: reader)
        let end = try reader.unreadableEnd()
        if arguments.isSet("json") {
            print(String(decoding: json(reader, summary, end).canonical(), as: UTF8.self))
        } else {
            for line in lines(reader, summary, end) { print(line) }
        }
        return end == nil ? .success : .negative
    }

    private static func lines(
        _ reader: MessageLogReader, _ summary: MessageLogSummary, _ end: UnreadableEnd?
    ) -> [String] {
        var rows: [(String, String)] = []
        if let first = summary.firstTime, let last = summary.lastTime {
            let seconds = Double(summary.spanNanoseconds) / 1_000_000_000
            rows.append(("from", InstantText.format(first)))
            rows.append(("until", InstantText.format(last)))
            rows.append(("span", String(format: "%.3f s", seconds)))
        }
        rows.append(("numbers", "\(reader.first) to \(reader.last)"))
        rows.append(("exchanges", "\(summary.exchanges)"))
        for (name, counts) in [("service", summary.byService), ("outcome", summary.byOutcome)] {
            for (key, count) in counts.sorted(by: { $0.key < $1.key }) {
                let key = key.isEmpty ? "(none)" : TerminalText.escaped(key)
                rows.append(("  \(name) \(key)", "\(count)"))
            }
        }
        rows.append(("erased", "\(summary.erased)"))
        rows.append(("without attachments", "\(summary.withoutAttachments)"))
        rows.append(("gaps", "\(summary.gaps.count), \(summary.leftOut) left out"))
        rows.append(("files", "\(reader.files), \(reader.byteCount) bytes"))
        switch end {
        case .damaged(let damage): rows.append(("damage", "\(damage)"))
        case .torn(let damage): rows.append(("torn end", "\(damage)"))
        case nil: rows.append(("damage", "none"))
        }
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { name, value in
            name + String(repeating: " ", count: width - name.count + 2) + value
        }
    }

    private static func json(
        _ reader: MessageLogReader, _ summary: MessageLogSummary, _ end: UnreadableEnd?
    ) -> JSONValue {
        func counts(_ counts: [String: Int]) -> JSONValue {
            .object(counts.mapValues { .integer($0) })
        }
        var members: [String: JSONValue] = [
            "first": .integer(reader.first), "last": .integer(reader.last),
            "exchanges": .integer(summary.exchanges), "services": counts(summary.byService),
            "outcomes": counts(summary.byOutcome), "erased": .integer(summary.erased),
            "withoutAttachments": .integer(summary.withoutAttachments),
            "gaps": .integer(summary.gaps.count), "leftOut": .integer(summary.leftOut),
            "files": .integer(reader.files), "bytes": .integer(reader.byteCount),
            "spanMilliseconds": .integer(summary.spanNanoseconds / 1_000_000),
        ]
        members["from"] = summary.firstTime.map { .string(InstantText.format($0)) }
        members["until"] = summary.lastTime.map { .string(InstantText.format($0)) }
        switch end {
        case .damaged(let damage): members["damage"] = .string("\(damage)")
        case .torn(let damage): members["tornEnd"] = .string("\(damage)")
        case nil: break
        }
        return .object(members)
    }
}

/// `sightline log verify`.
enum LogVerify {
    static func run(_ folder: String, _ arguments: Arguments) throws -> ExitStatus {
        let check = MessageLogCheck(try arguments.messageLog(folder))
        if arguments.isSet("json") {
            let json = JSONValue.object([
                "exchanges": .integer(check.exchanges), "erased": .integer(check.erased),
                "gaps": .integer(check.gaps), "leftOut": .integer(check.leftOut),
                "attachments": .integer(check.attachments),
                "faults": .array(check.faults.map { .string($0) }),
            ])
            print(String(decoding: json.canonical(), as: UTF8.self))
        } else {
            print(
                "checked \(check.exchanges) exchanges, \(check.attachments) attachments; "
                    + "\(check.erased) erased; \(check.gaps) gaps, \(check.leftOut) left out")
            for fault in check.faults { print("damaged: \(fault)") }
        }
        return check.faults.isEmpty ? .success : .negative
    }
}
