import Foundation

/// When each record was written, synced, and its position first told to anybody.
struct TraceOrder {
    /// By sequence: the event in which the sync of the record's file returned.
    private(set) var synced: [UInt64: Int] = [:]
    /// By sequence: the first message that holds the record's position.
    private(set) var told: [UInt64: Int] = [:]

    init(_ events: [TraceEvent], epoch: UInt64) {
        let pattern = (0..<8).map { UInt8(truncatingIfNeeded: epoch >> (56 - 8 * $0)) }
        var written: [UInt64: [(sequence: UInt64, index: Int)]] = [:]
        var begun: [UInt64: [Int]] = [:]
        for (index, event) in events.enumerated() {
            switch event.kind {
            case .send:
                for sequence in Self.sequences(behind: pattern, in: event.data)
                where told[sequence] == nil { told[sequence] = index }
            // The header of a segment holds a position too.
            case .write where event.offset > 0:
                for sequence in Self.sequences(behind: pattern, in: event.data) {
                    written[event.file, default: []].append((sequence, index))
                }
            case .start: begun = [:]
            case .syncBegin: begun[event.file, default: []].append(index)
            case .syncEnd:
                guard let start = begun[event.file]?.first, event.result == 0 else { continue }
                begun[event.file]?.removeFirst()
                for (sequence, write) in written[event.file] ?? []
                where write < start && synced[sequence] == nil { synced[sequence] = index }
                written[event.file]?.removeAll { $0.index < start }
            default: continue
            }
        }
    }

    /// Records whose position was told before their sync had returned.
    var toldTooEarly: [UInt64] {
        told.keys.sorted().filter { sequence in
            guard sequence > 0, let moment = told[sequence] else { return false }
            return synced[sequence].map { $0 > moment } ?? true
        }
    }

    private static func sequences(
        behind pattern: [UInt8], in data: ArraySlice<UInt8>
    ) -> [UInt64] {
        var found: [UInt64] = []
        let bytes = Data(data)
        let wanted = Data(pattern)
        var start = 0
        while let place = bytes.range(of: wanted, in: start..<bytes.count) {
            start = place.upperBound
            guard start + 8 <= bytes.count else { break }
            found.append(bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) })
        }
        return found
    }
}
