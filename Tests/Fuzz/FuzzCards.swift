import Calendar
import Foundation
import TestSupport

/// Reads damaged contact cards; a finding is a text that takes long, or a card that is another one
/// once it is read again from what is kept of it.
enum FuzzCards {
    /// Seconds of one text, all of its cards together.
    private static let secondsMax = 2.0

    static func run(
        seeds: [[UInt8]], until end: Date, seed: UInt64, keep: String
    ) throws -> [String: Int] {
        var random = SeededRandom(seed: seed)
        var counts = ["seeds": seeds.count]
        try FileManager.default.createDirectory(atPath: keep, withIntermediateDirectories: true)
        while Date() < end, !seeds.isEmpty {
            let first = seeds[Int.random(in: 0..<seeds.count, using: &random)]
            let second = seeds[Int.random(in: 0..<seeds.count, using: &random)]
            let bytes = FuzzCalendars.damaged(first, second, using: &random)
            try Data(bytes).write(to: URL(filePath: keep + "/current"))
            let start = Date()
            var outcome = read(bytes)
            if Date().timeIntervalSince(start) > secondsMax { outcome = "slow" }
            counts[outcome, default: 0] += 1
            guard outcome == "slow" || outcome == "unlike" else { continue }
            let kept = keep + "/\(outcome)-\(counts[outcome] ?? 0).vcf"
            try Data(bytes).write(to: URL(filePath: kept))
            print("\(outcome): \(kept)")
        }
        try? FileManager.default.removeItem(atPath: keep + "/current")
        return counts
    }

    private static func read(_ bytes: [UInt8]) -> String {
        do throws(CalendarError) {
            let reading = try VCard.read(
                bytes, bytesMax: FuzzCalendars.bytesMax, cardBytesMax: 64 << 10)
            for card in reading.cards {
                let again = try VCard.read(
                    card.text, bytesMax: card.text.count, cardBytesMax: card.text.count)
                guard again.cards == [card], again.refused.isEmpty else { return "unlike" }
            }
            return reading.cards.isEmpty ? "refused" : "read"
        } catch {
            return error.code.rawValue
        }
    }
}
