/// Catalog pictures that do not change any more, with the places of their features by word.
final class PrintSegment: Sendable {
    /// Pictures of one segment, at most: a place holds a picture's number in 16 bits.
    static let picturesMax = 65_536

    /// One picture and the entry it belongs to.
    struct Slot: Sendable {
        let entry: Int
        let picture: IndexedPicture
    }

    /// Ascending by entry.
    let slots: [Slot]
    /// Where the places of each word begin; one more behind the last word.
    let starts: [UInt32]
    /// The slot of each place.
    let places: [UInt16]
    /// The code of each place.
    let codes: [UInt8]
    /// The first bytes of each digest with its slot, ascending.
    private let digests: [(key: UInt64, slot: Int)]

    /// A segment of at most `picturesMax` pictures, in ascending order of their entries.
    init(_ slots: [Slot]) {
        precondition(slots.count <= Self.picturesMax)
        self.slots = slots
        var starts = [UInt32](repeating: 0, count: Vocabulary.count + 1)
        for slot in slots {
            for word in slot.picture.words { starts[Int(word) + 1] += 1 }
        }
        for word in 0..<Vocabulary.count { starts[word + 1] += starts[word] }
        var next = starts
        let total = Int(starts[Vocabulary.count])
        var places = [UInt16](repeating: 0, count: total)
        var codes = [UInt8](repeating: 0, count: total * DescriptorCode.length)
        for (number, slot) in slots.enumerated() {
            for (feature, word) in slot.picture.words.enumerated() {
                let place = Int(next[Int(word)])
                next[Int(word)] += 1
                places[place] = UInt16(number)
                for at in 0..<DescriptorCode.length {
                    codes[place * DescriptorCode.length + at] =
                        slot.picture.codes[feature * DescriptorCode.length + at]
                }
            }
        }
        self.starts = starts
        self.places = places
        self.codes = codes
        digests = slots.enumerated().map { (Self.key($0.element.picture.digest), $0.offset) }
            .sorted { $0 < $1 }
    }

    /// The slots of pictures with exactly this digest.
    func slots(withDigest digest: [UInt8]) -> [Int] {
        let key = Self.key(digest)
        return digests[firstIndex(of: digests.count) { self.digests[$0].key >= key }...]
            .prefix { $0.key == key }.map(\.slot).filter { slots[$0].picture.digest == digest }
    }

    /// The slots of an entry.
    func slots(of entry: Int) -> Range<Int> {
        let first = firstIndex(of: slots.count) { self.slots[$0].entry >= entry }
        var last = first
        while last < slots.count, slots[last].entry == entry { last += 1 }
        return first..<last
    }

    private static func key(_ digest: [UInt8]) -> UInt64 {
        digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The first index that a condition, false and then true, holds for; `count` if for none.
    private func firstIndex(of count: Int, where isReached: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isReached(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
