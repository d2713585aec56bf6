/// The offsets of a VTIMEZONE as a table of changes.
struct ZoneTable: Sendable, Equatable {
    private struct Change: Sendable, Equatable {
        let instant: Int64
        let offset: Int64
    }

    private let changes: [Change]
    /// Before the first change.
    private let firstOffset: Int64

    /// Expands the observances through the instant `through`; later the last offset stays.
    init(_ component: ZoneComponent, through: Int64) {
        var changes: [Change] = []
        var steps = Bounds.zoneStepsMax
        // Rules from 1601 on are common; nobody plans a concert before 1900.
        let from: Int64 = -2_208_988_800
        for observance in component.observances {
            var onsets = observance.dates + [observance.start]
            for rule in observance.rules {
                let expansion = RuleExpansion(rule, start: observance.start)
                _ = expansion.walk(from: from, through: through, steps: &steps) { wall in
                    guard observance.contains(wall, until: rule.until) else { return false }
                    onsets.append(wall)
                    return true
                }
            }
            changes += onsets.map {
                Change(instant: $0 - observance.offsetFrom, offset: observance.offsetTo)
            }
        }
        changes.sort { ($0.instant, $0.offset) < ($1.instant, $1.offset) }
        self.changes = changes
        let first = component.observances.min { $0.start < $1.start }
        firstOffset = first?.offsetFrom ?? 0
    }

    /// The offset of the last change at or before the instant.
    func offset(at instant: Int64) -> Int64 {
        var low = 0
        var high = changes.count
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].instant <= instant { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? firstOffset : changes[low - 1].offset
    }
}
