/// The prints of a catalog, made ready for an exhaustive search.
///
/// A value: a copy is a snapshot, cheap to take, and shares its pictures with the original.
public struct PrintCollection: Sendable {
    /// Ascending by number, each number once.
    private(set) var entries: [Entry] = []

    /// One entry of the catalog.
    struct Entry: Sendable {
        let number: Int
        let pictures: [IndexedPicture]
    }

    /// A collection without entries.
    public init() {}

    /// Number of entries.
    public var count: Int { entries.count }

    /// Gives an entry its pictures, in place of those it had; without prints, removes it.
    ///
    /// - Complexity: O(log `count`) at the end and for an entry that exists, otherwise O(`count`).
    public mutating func put(_ prints: [FeaturePrint], for entry: Int) {
        guard !prints.isEmpty else { return remove(entry: entry) }
        let new = Entry(number: entry, pictures: prints.map(IndexedPicture.init))
        let place = place(of: entry)
        if place < entries.count, entries[place].number == entry {
            entries[place] = new
        } else {
            entries.insert(new, at: place)
        }
    }

    /// Takes an entry out; without effect if there is none of that number.
    public mutating func remove(entry: Int) {
        let place = place(of: entry)
        guard place < entries.count, entries[place].number == entry else { return }
        entries.remove(at: place)
    }

    /// The first place whose number is not below `number`.
    private func place(of number: Int) -> Int {
        guard let last = entries.last, last.number >= number else { return entries.count }
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
