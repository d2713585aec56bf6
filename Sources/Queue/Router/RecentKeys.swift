/// The last so many keys, oldest forgotten first.
struct RecentKeys<Key: Hashable & Sendable>: Sendable {
    private var keys: Set<Key> = []
    private var order: [Key] = []
    private var next = 0
    private let countMax: Int

    init(countMax: Int) { self.countMax = max(countMax, 1) }

    func contains(_ key: Key) -> Bool { keys.contains(key) }

    mutating func insert(_ key: Key) {
        guard keys.insert(key).inserted else { return }
        if order.count < countMax {
            order.append(key)
        } else {
            keys.remove(order[next])
            order[next] = key
            next = (next + 1) % countMax
        }
    }
}
