import Calendar
import Foundation
import TestSupport

/// Reads damaged contact cards; a finding is a text that takes long, or a card that is another one
/// once it is read again from what is kept of it.
enum FuzzCards {
    private static let bytesMax = 256 << 10

    static func run(
        _ folder: String, until end: Date, seed: UInt64, keep: String
    ) throws -> [String: Int] {
        let seeds = try FuzzLoop.texts(in: folder, ending: ".vcf", bytesMax: bytesMax / 4)
        let loop = FuzzLoop(seeds: seeds, ending: ".vcf", secondsMax: 2)
        return try loop.run(until: end, seed: seed, keep: keep) { first, second, random in
            FuzzLoop.damagedText(first, second, bytesMax: bytesMax, using: &random)
        } outcome: { bytes, _ in
            read(bytes)
        }
    }

    private static func read(_ bytes: [UInt8]) -> String {
        do throws(CalendarError) {
            let reading = try VCard.read(
                bytes, bytesMax: bytesMax, cardBytesMax: 64 << 10)
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
