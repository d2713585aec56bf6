import Calendar
import Foundation
import TestSupport

/// Reads and expands damaged calendars; a finding is one that takes long, or whose parts by UID do
/// not have the occurrences of the whole.
enum FuzzCalendars {
    static let bytesMax = 256 << 10
    /// Seconds of one calendar, all of its series together.
    private static let secondsMax = 5.0

    /// Every file of an ending; large ones would take the time of many.
    static func seeds(in folder: String, ending: String) throws -> [[UInt8]] {
        let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }
        return try (paths ?? []).filter { $0.hasSuffix(ending) }.sorted().compactMap { path in
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: folder + "/" + path)))
            return bytes.count <= bytesMax / 4 ? bytes : nil
        }
    }

    static func run(
        seeds: [[UInt8]], until end: Date, seed: UInt64, keep: String
    ) throws -> [String: Int] {
        var random = SeededRandom(seed: seed)
        var counts = ["seeds": seeds.count]
        try FileManager.default.createDirectory(atPath: keep, withIntermediateDirectories: true)
        while Date() < end, !seeds.isEmpty {
            let first = seeds[Int.random(in: 0..<seeds.count, using: &random)]
            let second = seeds[Int.random(in: 0..<seeds.count, using: &random)]
            let bytes = damaged(first, second, using: &random)
            try Data(bytes).write(to: URL(filePath: keep + "/current"))
            let start = Date()
            var outcome = expand(bytes, using: &random)
            if Date().timeIntervalSince(start) > secondsMax { outcome = "slow" }
            counts[outcome, default: 0] += 1
            guard outcome == "slow" || outcome == "unlike" else { continue }
            let kept = keep + "/\(outcome)-\(counts[outcome] ?? 0).ics"
            try Data(bytes).write(to: URL(filePath: kept))
            print("\(outcome): \(kept)")
        }
        try? FileManager.default.removeItem(atPath: keep + "/current")
        return counts
    }

    /// Bytes changed, or lines mixed: damaged bytes alone seldom make another rule.
    static func damaged(
        _ first: [UInt8], _ second: [UInt8], using random: inout SeededRandom
    ) -> [UInt8] {
        guard Bool.random(using: &random) else {
            return Array(Mutation.of(first, with: second, using: &random).prefix(bytesMax))
        }
        var lines = first.split(separator: 10)
        let others = second.split(separator: 10)
        for _ in 0..<Int.random(in: 1...4, using: &random) where !lines.isEmpty && !others.isEmpty {
            let line = others[Int.random(in: 0..<others.count, using: &random)]
            lines.insert(line, at: Int.random(in: 0..<lines.count, using: &random))
        }
        return Array(lines.joined(separator: [10]).prefix(bytesMax))
    }

    private static func expand(_ bytes: [UInt8], using random: inout SeededRandom) -> String {
        let from = Int64.random(in: -2_000_000_000...4_000_000_000, using: &random) * 1_000
        let window = OccurrenceWindow(from: from, to: from + 90 * 86_400_000)
        do throws(CalendarError) {
            let series = try ICalendar.series(in: bytes, bytesMax: bytesMax)
            let whole = ICalendar.occurrences(
                of: series, in: window, zone: "Europe/Berlin", occurrencesMax: 20_000)
            for occurrence in whole.occurrences.prefix(50) {
                _ = NameIndex(names: ["Radiohead"]).explained(in: occurrence.title)
            }
            let resources = try ICalendar.resources(in: bytes, bytesMax: bytesMax)
            let parts = ICalendar.occurrences(
                of: resources, from: window.from, to: window.to, zone: "Europe/Berlin",
                occurrencesMax: 20_000)
            let isAlike = parts.occurrences.count == whole.occurrences.count
            return isAlike || series.count != resources.count ? "read" : "unlike"
        } catch {
            return error.code.rawValue
        }
    }
}
