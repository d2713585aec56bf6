import Foundation
import Messages
import Service

/// A search's reply as people read it.
enum ReplyText {
    /// A ranked table, and under it what there is to say of the whole.
    static func table(_ reply: Reply) -> String {
        var lines: [String] = []
        if reply.items.isEmpty {
            lines.append("no match")
        } else {
            let rows = reply.items.enumerated().map { index, item in row(index + 1, item) }
            lines.append(
                Table(
                    header: ["#", "distance", "type", "title", "subtitle", "route"], rows: rows
                ).text)
        }
        lines.append("")
        if !reply.isComplete {
            lines.append("incomplete: missing " + reply.missing.joined(separator: ", "))
            if let checked = reply.checked {
                lines.append("stopped at the deadline: \(checked) candidates compared")
            }
        }
        lines.append("layout: \(reply.layout)")
        if let route = reply.continueRoute { lines.append("continue: \(route)") }
        if let position = reply.position { lines.append("position: \(position)") }
        return lines.joined(separator: "\n")
    }

    private static func row(_ number: Int, _ item: JSONValue) -> [String] {
        let display = item["display"]
        var subtitle = display?["subtitle"]?.text ?? ""
        if item["inCalendar"]?.bool == true { subtitle += " (in your calendar)" }
        return [
            "\(number)", distance(item), display?["type"]?.text ?? item["type"]?.text ?? "",
            display?["title"]?.text ?? "", subtitle, item["route"]?.text ?? "",
        ]
    }

    private static func distance(_ item: JSONValue) -> String {
        if let distance = item["distance"]?.integer {
            return String(format: "%.3f", Double(distance) / 1_000_000)
        }
        return item["kind"]?.text == "label" ? "label" : "└ related"
    }

    /// Everything, for programs: results, completeness, position, routes.
    static func json(_ reply: Reply) -> JSONValue {
        var members: [String: JSONValue] = [
            "results": .array(reply.items), "complete": .bool(reply.isComplete),
            "missing": .array(reply.missing.map { .string($0) }), "layout": .string(reply.layout),
        ]
        if let checked = reply.checked {
            members["checked"] = .object([
                "candidates": .integer(Int(checked.all)),
                "compared": .integer(Int(checked.checked)),
            ])
        }
        if let position = reply.position { members["position"] = .string("\(position)") }
        if let route = reply.continueRoute { members["continueRoute"] = .string(route) }
        if let diagnostics = reply.diagnostics { members["diagnostics"] = diagnostics }
        return .object(members)
    }
}
