internal import Messages

/// A request's part that waits for a worker.
struct WaitingPart: Sendable, Equatable {
    let key: RequestKey
    /// Tells apart two requests that used the same key one after another.
    let serial: UInt64
    /// The place in `Exchange.parts`.
    let part: Int
    let priority: UInt8
}

/// The parts that wait for one (service, part): by priority, then arrival.
///
/// The one place that decides who is next; fair turns between clients belong here.
struct WaitingQueue: Sendable {
    private var levels: [Level] = []
    /// Parts that wait, ended ones not counted.
    private(set) var count = 0

    private struct Level: Sendable {
        let priority: UInt8
        var entries: [WaitingPart] = []
        var head = 0
    }

    var isEmpty: Bool { count == 0 }

    mutating func append(_ part: WaitingPart) {
        count += 1
        let place = levels.firstIndex { $0.priority <= part.priority } ?? levels.count
        if place == levels.count || levels[place].priority != part.priority {
            levels.insert(Level(priority: part.priority), at: place)
        }
        levels[place].entries.append(part)
    }

    /// The next part that `isAlive` still accepts, without taking it.
    mutating func first(where isAlive: (WaitingPart) -> Bool) -> WaitingPart? {
        while let level = levels.first {
            for place in level.head..<level.entries.count where isAlive(level.entries[place]) {
                levels[0].head = place
                return level.entries[place]
            }
            levels.removeFirst()
        }
        return nil
    }

    /// Takes what `first` returned.
    mutating func removeFirst() {
        guard !levels.isEmpty, levels[0].head < levels[0].entries.count else { return }
        count -= 1
        levels[0].head += 1
        if levels[0].head == levels[0].entries.count {
            levels.removeFirst()
        } else if levels[0].head > 64, levels[0].head * 2 > levels[0].entries.count {
            levels[0].entries.removeFirst(levels[0].head)
            levels[0].head = 0
        }
    }

    /// A waiting part ended by itself; its entry is dropped when the room is needed.
    mutating func ended(isAlive: (WaitingPart) -> Bool) {
        count -= 1
        let stored = levels.reduce(0) { $0 + $1.entries.count - $1.head }
        guard stored > 2 * count + 64 else { return }
        for place in levels.indices {
            levels[place].entries = levels[place].entries[levels[place].head...].filter(isAlive)
            levels[place].head = 0
        }
        levels.removeAll { $0.entries.isEmpty }
    }
}
