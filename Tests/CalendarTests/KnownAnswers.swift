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
        let series = try ICalendar.series(in: text, bytesMax: 8 << 20)
        return ICalendar.occurrences(
            of: series, in: try window(), zone: "UTC", occurrencesMax: 1_000_000
        ).occurrences.count
    }

    private func window() throws -> OccurrenceWindow {
        guard kind.hasPrefix("zone:") else { return try OccurrenceWindow(from: from, to: to) }
        let named = Foundation.TimeZone(identifier: String(kind.dropFirst(5)))
        let zone = try #require(named)
        let bounds = try [from, to].map { text in
            let full = text.count == 10 ? text + "T00:00:00" : String(text.prefix(19))
            let wall = try Date.ISO8601FormatStyle().parse(full + "Z")
            return Int64(wall.timeIntervalSince1970 - Double(zone.secondsFromGMT(for: wall)))
                * 1_000
        }
        return OccurrenceWindow(from: bounds[0], to: bounds[1])
    }

    private static func rows(_ name: String) throws -> [[String]] {
        let path = try SharedFolder.require("ics") + "/" + name
        let text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
        return text.split(separator: "\n").dropFirst().map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
    }
}
