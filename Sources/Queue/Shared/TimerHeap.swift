internal import Messages

/// Instants in order, each with what is due then; equal instants keep the order of insertion.
///
/// Nothing is taken out early: whoever pops a value checks that it still means something.
struct TimerHeap<Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        let time: MonotonicTime
        let ordinal: UInt64
        let value: Value
        func precedes(_ other: Entry) -> Bool {
            (time, ordinal) < (other.time, other.ordinal)
        }
    }
    private var entries: [Entry] = []
    private var nextOrdinal: UInt64 = 0

    /// The earliest instant.
    var first: MonotonicTime? { entries.first?.time }
    /// What is due then.
    var firstValue: Value? { entries.first?.value }
    var count: Int { entries.count }

    mutating func insert(_ value: Value, at time: MonotonicTime) {
        entries.append(Entry(time: time, ordinal: nextOrdinal, value: value))
        nextOrdinal += 1
        var child = entries.count - 1
        while child > 0, entries[child].precedes(entries[(child - 1) / 2]) {
            entries.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Puts the earliest value off.
    mutating func putOffFirst(to time: MonotonicTime) {
        guard let first = entries.first else { return }
        entries[0] = Entry(time: time, ordinal: nextOrdinal, value: first.value)
        nextOrdinal += 1
        sink()
    }

    /// The earliest value that is due; nil if none is.
    mutating func pop(dueAt now: MonotonicTime) -> Value? {
        guard let first = entries.first, first.time <= now else { return nil }
        let last = entries.removeLast()
        if !entries.isEmpty {
            entries[0] = last
            sink()
        }
        return first.value
    }

    /// Drops what no longer means anything, once that may be most of it: a long deadline stays
    /// here after its request is answered.
    mutating func compact(live: Int, where isAlive: (Value) -> Bool) {
        guard entries.count > 4 * live + 4_096 else { return }
        entries = entries.filter { isAlive($0.value) }
        // A sorted array is a heap.
        entries.sort { $0.precedes($1) }
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < entries.count && entries[child].precedes(entries[least]) {
                least = child
            }
            guard least != parent else { return }
            entries.swapAt(parent, least)
            parent = least
        }
    }
}
