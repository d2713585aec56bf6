/// A map in the order of its keys whose copies are cheap to change.
///
/// Entries stand in chunks of at most 256; changing a copy copies one chunk and the list of
/// chunks, not the entries. Finding is logarithmic, changing is so but for the list of chunks
/// (a hundredth of the entries). Keys are compared by `<` alone.
struct SortedMap<Key: Comparable & Sendable, Value: Sendable>: Sendable {
    private struct Chunk: Sendable {
        var keys: [Key]
        var values: [Value]
    }
    private static var chunkMax: Int { 256 }

    /// None is empty.
    private var chunks: [Chunk] = []
    private(set) var count = 0

    /// An entry's place; the end is the chunk behind the last.
    private struct Place {
        var chunk: Int
        var index: Int
    }

    subscript(key: Key) -> Value? {
        let place = lowerBound(key)
        guard let found = self.key(at: place), !(key < found) else { return nil }
        return chunks[place.chunk].values[place.index]
    }

    /// Sets a value and gives the one that stood there.
    @discardableResult
    mutating func set(_ key: Key, to value: Value) -> Value? {
        var place = lowerBound(key)
        if let found = self.key(at: place), !(key < found) {
            let old = chunks[place.chunk].values[place.index]
            chunks[place.chunk].values[place.index] = value
            return old
        }
        count += 1
        guard !chunks.isEmpty else {
            chunks.append(Chunk(keys: [key], values: [value]))
            return nil
        }
        // Between two chunks the entry goes to the end of the first.
        if place.index == 0, place.chunk > 0 {
            place.chunk -= 1
            place.index = chunks[place.chunk].keys.count
        }
        chunks[place.chunk].keys.insert(key, at: place.index)
        chunks[place.chunk].values.insert(value, at: place.index)
        splitIfFull(place.chunk)
        return nil
    }

    /// Removes an entry and gives its value.
    @discardableResult
    mutating func remove(_ key: Key) -> Value? {
        let place = lowerBound(key)
        guard let found = self.key(at: place), !(key < found) else { return nil }
        count -= 1
        chunks[place.chunk].keys.remove(at: place.index)
        let value = chunks[place.chunk].values.remove(at: place.index)
        if chunks[place.chunk].keys.isEmpty { chunks.remove(at: place.chunk) }
        return value
    }

    /// Removes the first entry.
    mutating func popFirst() -> (key: Key, value: Value)? {
        guard let key = chunks.first?.keys.first, let value = remove(key) else { return nil }
        return (key, value)
    }

    /// The entries from a key on, or from the first.
    func entries(from key: Key? = nil) -> some Sequence<(key: Key, value: Value)> {
        sequence(state: key.map(lowerBound) ?? Place(chunk: 0, index: 0)) { place in
            guard let key = self.key(at: place) else { return nil }
            let value = chunks[place.chunk].values[place.index]
            place.index += 1
            if place.index == chunks[place.chunk].keys.count {
                place = Place(chunk: place.chunk + 1, index: 0)
            }
            return (key, value)
        }
    }

    private func key(at place: Place) -> Key? {
        place.chunk < chunks.count ? chunks[place.chunk].keys[place.index] : nil
    }

    /// The first entry that does not stand before the key.
    private func lowerBound(_ key: Key) -> Place {
        let chunk = Self.partition(chunks.count) { index in
            chunks[index].keys[chunks[index].keys.count - 1] < key
        }
        guard chunk < chunks.count else { return Place(chunk: chunk, index: 0) }
        let keys = chunks[chunk].keys
        return Place(chunk: chunk, index: Self.partition(keys.count) { keys[$0] < key })
    }

    /// How many of the first indices a condition holds for, which it does up to some index.
    private static func partition(_ count: Int, _ holds: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func splitIfFull(_ index: Int) {
        let count = chunks[index].keys.count
        guard count > Self.chunkMax else { return }
        // Keys that arrive in order leave full chunks behind.
        let isLast = index == chunks.count - 1
        let half = isLast ? count - 1 : count / 2
        let upper = Chunk(
            keys: Array(chunks[index].keys[half...]), values: Array(chunks[index].values[half...]))
        chunks[index].keys.removeSubrange(half...)
        chunks[index].values.removeSubrange(half...)
        chunks.insert(upper, at: index + 1)
    }
}
