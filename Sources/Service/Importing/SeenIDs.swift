import Foundation
import Journal
import Messages

/// The ids that an import has read, in 24 bytes each.
struct SeenIDs {
    /// The first 128 bits of an id's hash.
    private struct Key: Hashable {
        let high: UInt64
        let low: UInt64

        init(_ id: String) {
            let bytes = ContentHash.of(Array(id.utf8)).bytes
            high = bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
            low = bytes[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    private var keys: Set<Key> = []

    var count: Int { keys.count }

    func contains(_ id: String) -> Bool { keys.contains(Key(id)) }

    /// Adds a row's id; the fault if it can name nothing, an earlier row has it, or there are too
    /// many.
    mutating func add(_ row: ImportRow) -> BadRow? {
        do throws(JSONError) {
            // The type is no matter here.
            _ = try EntityName(parsing: EntityName(type: "type", id: row.id).json)
        } catch {
            return BadRow(place: row.place, reason: "\(error)")
        }
        guard keys.count < Limits.entitiesMax else {
            return BadRow(
                place: row.place, reason: "a catalog has at most \(Limits.entitiesMax) entities")
        }
        guard keys.insert(Key(row.id)).inserted else {
            return BadRow(
                place: row.place, reason: "the id '\(row.id)' stands in an earlier row already")
        }
        return nil
    }
}
