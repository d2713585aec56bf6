internal import Messages

/// The waiting parts of one priority: start-time fair queuing over their keys.
///
/// Each key stands in `turns` once, with the virtual time at which its next part starts. Taking a
/// part moves the key on by one turn over its weight. A key that comes anew starts now, so that who
/// asked for nothing has no turns saved, or when its last turn ends, so that who asks for one at a
/// time has no more turns than others.
struct WaitingLevel: Sendable {
    let priority: UInt8
    private var flows: [TurnKey: Flow] = [:]
    private var turns = Heap<Turn>()
    private var virtualTime: UInt64 = 0
    /// When the last turns end of keys that have nothing waiting, as far as that is to come.
    private var owed: [TurnKey: UInt64] = [:]
    private(set) var stored = 0

    /// Virtual time of one turn of weight 1, which every weight up to 16 divides.
    private static let turn: UInt64 = 720_720 << 8

    private struct Entry: Sendable, Comparable {
        let part: WaitingPart
        let ordinal: UInt64
        static func < (left: Entry, right: Entry) -> Bool {
            (left.part.deadline, left.ordinal) < (right.part.deadline, right.ordinal)
        }
        static func == (left: Entry, right: Entry) -> Bool { left.ordinal == right.ordinal }
    }
    /// The waiting parts of one key.
    private struct Flow: Sendable {
        var entries = Heap<Entry>()
        var delay: QueueDelay
    }
    private struct Turn: Sendable, Comparable {
        let start: UInt64
        let ordinal: UInt64
        let key: TurnKey
        static func < (left: Turn, right: Turn) -> Bool {
            (left.start, left.ordinal) < (right.start, right.ordinal)
        }
    }

    init(priority: UInt8) { self.priority = priority }

    var isEmpty: Bool { stored == 0 }

    mutating func append(_ part: WaitingPart, ordinal: UInt64, interval: UInt32) {
        stored += 1
        if flows[part.turns] == nil {
            let start = max(virtualTime, owed.removeValue(forKey: part.turns) ?? 0)
            turns.insert(Turn(start: start, ordinal: ordinal, key: part.turns))
            flows[part.turns] = Flow(delay: QueueDelay(intervalMilliseconds: interval))
        }
        flows[part.turns]?.entries.insert(Entry(part: part, ordinal: ordinal))
    }

    mutating func first(where isAlive: (WaitingPart) -> Bool) -> WaitingPart? {
        while let turn = turns.first {
            while let entry = flows[turn.key]?.entries.first {
                if isAlive(entry.part) { return entry.part }
                flows[turn.key]?.entries.removeFirst()
                stored -= 1
            }
            flows[turn.key] = nil
            turns.removeFirst()
        }
        return nil
    }

    mutating func removeFirst() {
        guard let turn = turns.first, let entry = flows[turn.key]?.entries.first else { return }
        flows[turn.key]?.entries.removeFirst()
        stored -= 1
        turns.removeFirst()
        virtualTime = max(virtualTime, turn.start)
        let next = turn.start + Self.turn / UInt64(max(entry.part.weight, 1))
        guard flows[turn.key]?.entries.isEmpty == false else {
            flows[turn.key] = nil
            owe(next, turn.key)
            return
        }
        turns.insert(Turn(start: next, ordinal: entry.ordinal, key: turn.key))
    }

    private mutating func owe(_ end: UInt64, _ key: TurnKey) {
        owed[key] = end
        guard owed.count > 2 * flows.count + 64 else { return }
        let now = virtualTime
        owed = owed.filter { $0.value > now }
    }

    mutating func compact(where isAlive: (WaitingPart) -> Bool) {
        stored = 0
        for key in Array(flows.keys) {
            flows[key]?.entries.filter { isAlive($0.part) }
            let count = flows[key]?.entries.count ?? 0
            if count == 0 { flows[key] = nil }
            stored += count
        }
        turns.filter { flows[$0.key] != nil }
    }

    func victim(
        ofFattest isFattest: Bool, where isAlive: (WaitingPart) -> Bool
    ) -> WaitingPart? {
        let alive = flows.values.map { $0.entries.elements.filter { isAlive($0.part) } }
            .filter { !$0.isEmpty }
        // Equal keys are told apart by age, not by the order of a hash table.
        func isThinner(_ left: [Entry], _ right: [Entry]) -> Bool {
            (left.count, Self.age(left)) < (right.count, Self.age(right))
        }
        let flow = isFattest ? alive.max(by: isThinner) : alive.min(by: isThinner)
        return flow?.max()?.part
    }
    private static func age(_ entries: [Entry]) -> UInt64 { entries.map(\.ordinal).max() ?? 0 }

    func stored(of key: TurnKey) -> Int { flows[key]?.entries.count ?? 0 }

    /// A part was taken that had waited so long. One of the same key that has to go, if the key's
    /// queue stands: the one with the latest deadline.
    mutating func standing(
        after part: WaitingPart, delay: UInt64, target: UInt64, at now: MonotonicTime,
        where isAlive: (WaitingPart) -> Bool
    ) -> WaitingPart? {
        guard flows[part.turns]?.delay.note(delay: delay, target: target, at: now) == true
        else { return nil }
        return flows[part.turns]?.entries.elements.filter { isAlive($0.part) }.max()?.part
    }

    func oldest(where isAlive: (WaitingPart) -> Bool) -> MonotonicTime? {
        var oldest: MonotonicTime?
        for flow in flows.values {
            for entry in flow.entries.elements where isAlive(entry.part) {
                oldest = min(oldest ?? entry.part.since, entry.part.since)
            }
        }
        return oldest
    }
}
