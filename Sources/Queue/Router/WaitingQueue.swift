internal import Messages

/// A request's part that waits for a worker.
struct WaitingPart: Sendable, Equatable {
    let key: RequestKey
    /// Tells apart two requests that used the same key one after another.
    let serial: UInt64
    /// The place in `Exchange.parts`.
    let part: Int
    let priority: UInt8
    /// Who it shares its turns with.
    let turns: TurnKey
    /// Turns that it has in the time in which a weight of 1 has one.
    let weight: UInt32
    /// When its reply leaves; of one key the earliest goes first.
    let deadline: MonotonicTime
    /// Since when it waits.
    let since: MonotonicTime
}

/// Requests of one key share their turns.
enum TurnKey: Hashable, Sendable {
    /// Stated in the request.
    case named(String)
    /// The client's own, if it states none.
    case client(Identity)
}

/// The parts that wait for one (service, part): by priority, then in weighted fair turns of their
/// keys, then by deadline.
///
/// The one place that decides who is next. Parts that ended by themselves stay until they are
/// found or the room is needed; whoever takes one says which are alive.
struct WaitingQueue: Sendable {
    private var levels: [WaitingLevel] = []
    private var nextOrdinal: UInt64 = 0
    /// Milliseconds for which the parts of a key wait too long before some have to go.
    let intervalMilliseconds: UInt32
    /// Parts that wait, ended ones not counted.
    private(set) var count = 0

    init(intervalMilliseconds: UInt32) { self.intervalMilliseconds = intervalMilliseconds }

    var isEmpty: Bool { count == 0 }

    mutating func append(_ part: WaitingPart) {
        count += 1
        nextOrdinal += 1
        let place = levels.firstIndex { $0.priority <= part.priority } ?? levels.count
        if place == levels.count || levels[place].priority != part.priority {
            levels.insert(WaitingLevel(priority: part.priority), at: place)
        }
        levels[place].append(part, ordinal: nextOrdinal, interval: intervalMilliseconds)
    }

    /// The next part that `isAlive` still accepts, without taking it.
    mutating func first(where isAlive: (WaitingPart) -> Bool) -> WaitingPart? {
        while !levels.isEmpty {
            if let part = levels[0].first(where: isAlive) { return part }
            levels.removeFirst()
        }
        return nil
    }

    /// Takes what `first` returned.
    mutating func removeFirst() {
        guard !levels.isEmpty else { return }
        count -= 1
        levels[0].removeFirst()
        if levels[0].isEmpty { levels.removeFirst() }
    }

    /// A waiting part ended by itself; its entry is dropped when the room is needed.
    mutating func ended(isAlive: (WaitingPart) -> Bool) {
        count -= 1
        let stored = levels.reduce(0) { $0 + $1.stored }
        guard stored > 2 * count + 64 else { return }
        for place in levels.indices { levels[place].compact(where: isAlive) }
        levels.removeAll { $0.isEmpty }
    }

    /// The part that has to go if one has to: of the lowest priority, of the key with the most
    /// parts, the one with the latest deadline. Not taken; nil if nothing is alive.
    func victim(
        ofFattest isFattest: Bool, where isAlive: (WaitingPart) -> Bool
    ) -> WaitingPart? {
        for level in levels.reversed() {
            if let part = level.victim(ofFattest: isFattest, where: isAlive) { return part }
        }
        return nil
    }

    /// A part was taken that had waited so long, where `target` is long enough, both in
    /// nanoseconds. A part that has to go, not taken; nil if none has to.
    mutating func standing(
        after part: WaitingPart, delay: UInt64, target: UInt64, at now: MonotonicTime,
        where isAlive: (WaitingPart) -> Bool
    ) -> WaitingPart? {
        guard let level = levels.firstIndex(where: { $0.priority == part.priority }) else {
            return nil
        }
        return levels[level].standing(
            after: part, delay: delay, target: target, at: now, where: isAlive)
    }

    /// Parts of one key and priority that are stored.
    func stored(of turns: TurnKey, priority: UInt8) -> Int {
        levels.first { $0.priority == priority }?.stored(of: turns) ?? 0
    }

    /// When the part that waits for longest began to; nil if nothing is alive.
    func oldest(where isAlive: (WaitingPart) -> Bool) -> MonotonicTime? {
        levels.compactMap { $0.oldest(where: isAlive) }.min()
    }
}
