import Calendar
import Foundation
import TestSupport
import Testing

/// A row of the tables of real calendars: a file, a window and how many occurrences it has.
struct KnownAnswer {
    let file: String
    let from: String
    let to: String
    /// `utc`, `offset`, `event-local` or `zone:` and a name.
    let kind: String
    let expected: Int
    let status: String

    var summary: String { "\(file) \(from) \(to) expects \(expected)" }

    /// The rows of `expected.tsv`.
    static func expected() throws -> [KnownAnswer] {
        try rows("expected.tsv").compactMap { row in
            guard row.count == 11, let count = Int(row[4]) else { return nil }
            return KnownAnswer(
                file: row[0], from: row[1], to: row[2], kind: row[3], expected: count,
                status: row[10])
        }
    }

    /// The rows of `agreed_utc.tsv`.
    static func agreed() throws -> [KnownAnswer] {
        try rows("agreed_utc.tsv").compactMap { row in
            guard row.count == 5, let count = Int(row[3]) else { return nil }
            return KnownAnswer(
                file: row[0], from: row[1], to: row[2], kind: "utc", expected: count,
                status: "agree")
        }
    }

    /// Counts as the tables do: in zone UTC, cancelled ones too, equal original starts once.
    func count() throws -> Int {
        let path = try SharedFolder.require("ics") + "/" + file
        let text = [UInt8](try Data(contentsOf: URL(filePath: path)))
        let resources = try ICalendar.resources(in: text, bytesMax: 8 << 20)
        let occurrences: [Occurrence]
        if kind == "event-local" {
            occurrences =
                ICalendar.occurrences(
                    of: resources, fromWall: try wall(from), toWall: try wall(to), zone: "UTC",
                    occurrencesMax: 10_000
                ).occurrences
        } else {
            occurrences =
                ICalendar.occurrences(
                    of: resources, from: try instant(from), to: try instant(to), zone: "UTC",
                    occurrencesMax: 10_000
                ).occurrences
        }
        return occurrences.count
    }

    private static func rows(_ name: String) throws -> [[String]] {
        let path = try SharedFolder.require("ics") + "/" + name
        let text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
        return text.split(separator: "\n").dropFirst().map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
    }

    /// Milliseconds of `2026-06-01` or `2026-06-01T18:00:00`, fractions cut off.
    private func wall(_ text: String) throws -> Int64 {
        let full = text.count == 10 ? text + "T00:00:00" : String(text.prefix(19))
        let style = Date.ISO8601FormatStyle()
        return Int64(try style.parse(full + "Z").timeIntervalSince1970) * 1_000
    }

    private func instant(_ text: String) throws -> Int64 {
        if kind.hasPrefix("zone:") {
            let named = Foundation.TimeZone(identifier: String(kind.dropFirst(5)))
            let zone = try #require(named)
            let wall = try wall(text)
            let date = Date(timeIntervalSince1970: Double(wall) / 1_000)
            return wall - Int64(zone.secondsFromGMT(for: date)) * 1_000
        }
        let rest = text.dropFirst(19).drop { $0 == "." || $0.isNumber }
        guard rest.count == 6 else { return try wall(text) }
        let numbers = rest.dropFirst().split(separator: ":").compactMap { Int64($0) }
        let offset = (numbers[0] * 60 + numbers[1]) * 60_000
        return try wall(text) - (rest.first == "-" ? -offset : offset)
    }
}
