import Calendar
import Foundation
import TestSupport

/// Reads and expands damaged calendars; a finding is one that takes long, or whose parts by UID do
/// not have the occurrences of the whole.
enum FuzzCalendars {
    private static let bytesMax = 256 << 10

    static func run(
        _ folder: String, until end: Date, seed: UInt64, keep: String
    ) throws -> [String: Int] {
        let seeds = try FuzzLoop.texts(in: folder, ending: ".ics", bytesMax: bytesMax / 4)
        // All series of a calendar together.
        let loop = FuzzLoop(seeds: seeds, ending: ".ics", secondsMax: 5)
        return try loop.run(until: end, seed: seed, keep: keep) { first, second, random in
            FuzzLoop.damagedText(first, second, bytesMax: bytesMax, using: &random)
        } outcome: { bytes, random in
            expand(bytes, using: &random)
        }
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
            for resource in resources {
                _ = ICalendar.faults(of: resource, zone: "Europe/Berlin")
                let again = ICalendar.occurrences(
                    of: [
                        CalendarResource(uid: resource.uid, text: Array(resource.unicodeText.utf8))
                    ],
                    from: window.from, to: window.to, zone: "Europe/Berlin", occurrencesMax: 20_000)
                let kept = ICalendar.occurrences(
                    of: [resource], from: window.from, to: window.to, zone: "Europe/Berlin",
                    occurrencesMax: 20_000)
                guard again.occurrences.count == kept.occurrences.count else { return "unlike" }
            }
            let isAlike = parts.occurrences.count == whole.occurrences.count
            return isAlike || series.count != resources.count ? "read" : "unlike"
        } catch {
            return error.code.rawValue
        }
    }
}
