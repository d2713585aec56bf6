import Foundation
import Messages
import Service

/// Readings as people read them.
enum HealthText {
    static func table(_ items: [JSONValue]) -> String {
        var lines: [String] = []
        let readings = items.filter { $0["kind"]?.text == "reading" }
        if readings.isEmpty {
            lines.append("no readings")
        } else {
            lines.append(
                Table(
                    header: ["begin", "kind", "value", "given as", "flags", "device", "id"],
                    rows: readings.map(row)
                ).text)
        }
        if items.contains(where: { $0["status"]?.text == AccessStatus.unknown.rawValue }) {
            lines.append("the owner may have refused some of it: the health store does not say so")
        }
        return lines.joined(separator: "\n")
    }

    private static func row(_ item: JSONValue) -> [String] {
        let given = item["reading"]
        let kind = given?["kind"]?.text.flatMap(HealthReading.Kind.init(rawValue:))
        let start = Timestamp(milliseconds: Int64(given?["start"]?.integer ?? 0))
        let value = text(item["values"], kind)
        let asGiven = text(given, kind)
        let flags = (item["flags"]?.array ?? []).compactMap(\.text)
        return [
            InstantText.format(start), kind?.rawValue ?? "", value,
            value == asGiven ? "" : asGiven, flags.joined(separator: ", "),
            given?["device"]?.text ?? "", given?["id"]?.text ?? "",
        ]
    }

    /// `128/84 mmHg`, or both units if they differ.
    private static func text(_ values: JSONValue?, _ kind: HealthReading.Kind?) -> String {
        let parts = (kind?.measures ?? []).map { measure in
            (number(values?[measure]?["value"]), values?[measure]?["unit"]?.text ?? "")
        }
        guard let unit = parts.first?.1, parts.allSatisfy({ $0.1 == unit }) else {
            return parts.map { "\($0.0) \($0.1)" }.joined(separator: " / ")
        }
        return parts.map(\.0).joined(separator: "/") + " " + unit
    }

    private static func number(_ value: JSONValue?) -> String {
        value.map { String(decoding: $0.canonical(), as: UTF8.self) } ?? ""
    }
}
