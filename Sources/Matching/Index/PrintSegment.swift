import CMatching

/// Catalog pictures that do not change any more, with their features by word.
final class PrintSegment: Sendable {
    /// Pictures of one segment, at most: a feature names its picture in 16 bits.
    static let picturesMax = 65_536

    /// Whose picture stands in a slot.
    struct Owner: Sendable {
        let entry: Int
        /// Where the picture stands among others with the same score.
        let order: UInt64
        /// Which of the entry's pictures.
        let number: UInt32
    }

    /// A slot: one picture.
    struct Slot: Sendable {
        let owner: Owner
        let features: UInt16
        /// Where its bytes begin in the pictures' part.
        fileprivate let offset: UInt32
    }

    let bytes: any SegmentBytes
    let layout: SegmentLayout
    let slots: [Slot]
    /// Slots by the first bytes of their digests.
    private let byDigest: [UInt16]
    /// Slots by their entries.
    private let byEntry: [UInt16]
    /// The slots of pictures with few features, ascending.
    private let withWhole: [UInt16]

    /// A segment whose slots belong to these owners, an entry's pictures in their order; nil if the
    /// bytes are not a segment's.
    convenience init?(_ bytes: any SegmentBytes, owners: [Owner]) {
        guard let layout = bytes.withIndex({ SegmentLayout(reading: $0) }),
            layout.pictures == owners.count
        else { return nil }
        self.init(bytes, layout, owners)
    }

    /// A segment of a layout that was read already.
    init(_ bytes: any SegmentBytes, _ layout: SegmentLayout, _ owners: [Owner]) {
        self.bytes = bytes
        self.layout = layout
        var offset = 0
        let (slots, keys) = bytes.withIndex { index in
            let slots = owners.enumerated().map { number, owner in
                let count = layout.featureCount(of: number, in: index)
                defer { offset += IndexedPicture.byteCount(features: count) }
                return Slot(owner: owner, features: UInt16(count), offset: UInt32(offset))
            }
            return (slots, owners.indices.map { layout.digestKey(of: $0, in: index) })
        }
        self.slots = slots
        byDigest = slots.indices.map(UInt16.init).sorted { left, right in
            (keys[Int(left)], left) < (keys[Int(right)], right)
        }
        withWhole = slots.indices.filter { slots[$0].features < WholePicture.featuresMax }
            .map(UInt16.init)
        byEntry = slots.indices.map(UInt16.init).sorted { left, right in
            (slots[Int(left)].owner.entry, left) < (slots[Int(right)].owner.entry, right)
        }
    }

    /// The picture of a slot; nil if it cannot be read.
    func picture(_ slot: Int) -> IndexedPicture? {
        read(slot) { IndexedPicture(decoding: $0) }
    }

    /// The encoded picture of a slot; nil if it cannot be read.
    func encodedPicture(_ slot: Int) -> [UInt8]? { read(slot) { Array($0) } }

    /// The bytes that the layout has of a slot.
    func row(_ slot: Int) -> [UInt8] { bytes.withIndex { Array(layout.row(of: slot, in: $0)) } }

    /// Whether no keeper keeps its bytes.
    var isInMemory: Bool { bytes is MemorySegment }

    /// Runs `body` on the features by word.
    func withPostings<Answer>(_ body: (cm_postings) -> Answer) -> Answer? {
        bytes.withIndex { index in layout.postings(in: index).map(body) }
    }

    /// Counts the words of the pictures that are there, by slot.
    func count(_ isThere: [Bool], in counts: inout WordCounts) {
        withPostings { postings in
            for word in 0..<Vocabulary.count {
                let list = Int(postings.starts[word])..<Int(postings.starts[word + 1])
                counts.add(list.count { isThere[Int(postings.slots[$0])] }, of: word)
            }
        }
    }

    private func read<Answer>(
        _ slot: Int, _ body: (UnsafeRawBufferPointer) -> Answer
    ) -> Answer? {
        let count = IndexedPicture.byteCount(features: Int(slots[slot].features))
        return withUnsafeTemporaryAllocation(byteCount: count, alignment: 8) { buffer in
            bytes.readPictures(at: Int(slots[slot].offset), into: buffer)
                ? body(UnsafeRawBufferPointer(buffer)) : nil
        }
    }

    /// The names of the slots' prints.
    var names: [PrintName] {
        bytes.withIndex { index in slots.indices.map { layout.name(of: $0, in: index) } }
    }

    /// The slots of pictures whose digest begins like this one.
    func slots(withDigest digest: [UInt8]) -> [Int] {
        let key = digest.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
        return bytes.withIndex { index in
            let keyAt = { (place: Int) in
                self.layout.digestKey(of: Int(self.byDigest[place]), in: index)
            }
            let first = Self.firstIndex(of: byDigest.count) { keyAt($0) >= key }
            return (first..<byDigest.count).prefix { keyAt($0) == key }.map { Int(byDigest[$0]) }
        }
    }

    /// The slots of pictures that look as much alike as that they may be accepted, ascending.
    func slots(alike whole: WholePicture) -> [(slot: Int, likeness: Double)] {
        bytes.withIndex { index in
            let parts = UnsafeRawBufferPointer(rebasing: index[layout.wholesAt...])
                .bindMemory(to: Int8.self)
            return withWhole.enumerated().compactMap { number, slot in
                let start = number * WholePicture.byteCount
                let likeness = whole.likeness(
                    to: .init(rebasing: parts[start..<start + WholePicture.byteCount]))
                return likeness >= WholePicture.likenessMin ? (Int(slot), likeness) : nil
            }
        }
    }

    /// The slots of an entry, ascending.
    func slots(of entry: Int) -> [Int] {
        let entryAt = { (place: Int) in self.slots[Int(self.byEntry[place])].owner.entry }
        let first = Self.firstIndex(of: byEntry.count) { entryAt($0) >= entry }
        return (first..<byEntry.count).prefix { entryAt($0) == entry }.map { Int(byEntry[$0]) }
    }

    /// The first index that a condition, false and then true, holds for; `count` if for none.
    private static func firstIndex(of count: Int, where isReached: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isReached(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
