/// The prints of a catalog, made ready to be searched.
///
/// A value: a copy is a snapshot, cheap to take, and shares its pictures with the original. New
/// pictures stand in a short list; full lists become segments, and segments of one size are merged,
/// so that nothing is ever rebuilt as a whole. What is taken out is marked, and left out of the
/// next merge.
public struct PrintCollection: Sendable {
    /// Pictures of the list of new ones, about.
    private static let recentMax = 256
    /// Segments of one size that are merged to one of the next.
    private static let mergedCount = 8
    /// Pictures from which a segment is not merged any more.
    private static let mergedMax = 16_384

    /// Entries put of late, in no order.
    private(set) var recent: [Entry] = []
    /// All the others.
    private(set) var segments: [Segment] = []
    /// Number of entries.
    public private(set) var count = 0

    /// One entry of the catalog.
    struct Entry: Sendable {
        let number: Int
        let pictures: [IndexedPicture]
    }

    /// A segment, and which of its pictures are still there.
    struct Segment: Sendable {
        let prints: PrintSegment
        /// By slot.
        var isThere: [Bool]
        /// Number of pictures that are there.
        var pictures: Int

        init(_ slots: [PrintSegment.Slot]) {
            prints = PrintSegment(slots)
            isThere = [Bool](repeating: true, count: slots.count)
            pictures = slots.count
        }

        /// The pictures that are there.
        var slots: [PrintSegment.Slot] {
            prints.slots.indices.filter { isThere[$0] }.map { prints.slots[$0] }
        }
    }

    /// A collection without entries.
    public init() {}

    /// Pictures of all entries.
    var pictures: Int {
        segments.reduce(recent.reduce(0) { $0 + $1.pictures.count }) { $0 + $1.pictures }
    }

    /// All entries, ascending.
    var entries: [Entry] {
        var byNumber: [Int: [IndexedPicture]] = [:]
        for entry in recent { byNumber[entry.number] = entry.pictures }
        for segment in segments {
            for slot in segment.slots { byNumber[slot.entry, default: []].append(slot.picture) }
        }
        return byNumber.map { Entry(number: $0.key, pictures: $0.value) }
            .sorted { $0.number < $1.number }
    }

    /// Gives an entry its pictures, in place of those it had; without prints, removes it.
    ///
    /// - Parameters:
    ///   - prints: In the order of the entry's pictures.
    ///   - entry: A number that no other entry has; it says nothing else, since collections of the
    ///     same entries may number them otherwise.
    ///   - order: Where the entry stands among others that have as much in common with a query;
    ///     the same in every collection that holds it, and best different for each entry.
    /// - Complexity: Amortised O(log `count`) for each picture.
    public mutating func put(_ prints: [FeaturePrint], for entry: Int, order: UInt64 = 0) {
        remove(entry: entry)
        guard !prints.isEmpty else { return }
        recent.append(
            Entry(number: entry, pictures: prints.map { IndexedPicture($0, order: order) }))
        count += 1
        if recent.reduce(0, { $0 + $1.pictures.count }) >= Self.recentMax { seal() }
    }

    /// Takes an entry out; without effect if there is none of that number.
    public mutating func remove(entry: Int) {
        if let place = recent.firstIndex(where: { $0.number == entry }) {
            recent.remove(at: place)
            count -= 1
            return
        }
        for index in segments.indices {
            let slots = segments[index].prints.slots(of: entry).filter {
                segments[index].isThere[$0]
            }
            guard !slots.isEmpty else { continue }
            for slot in slots { segments[index].isThere[slot] = false }
            segments[index].pictures -= slots.count
            count -= 1
            tidy(index)
            return
        }
    }

    /// Drops a segment that is empty, and rebuilds one that is mostly empty.
    private mutating func tidy(_ index: Int) {
        let segment = segments[index]
        if segment.pictures == 0 {
            segments.remove(at: index)
        } else if segment.pictures * 2 < segment.isThere.count {
            segments[index] = Segment(segment.slots)
        }
    }

    /// Makes a segment of the new pictures, and one of segments that are as large.
    private mutating func seal() {
        add(
            recent.flatMap { entry in
                entry.pictures.map { PrintSegment.Slot(entry: entry.number, picture: $0) }
            })
        recent = []
        merge(below: Self.recentMax * Self.mergedCount, from: 0)
        merge(below: Self.mergedMax, from: Self.recentMax * Self.mergedCount)
    }

    /// Makes one segment of those with at least `least` and fewer than `most` pictures, if there are
    /// enough of them.
    private mutating func merge(below most: Int, from least: Int) {
        let isAlike = { (segment: Segment) in least..<most ~= segment.isThere.count }
        let alike = segments.filter(isAlike)
        guard alike.count >= Self.mergedCount,
            alike.reduce(0, { $0 + $1.pictures }) <= PrintSegment.picturesMax
        else { return }
        segments.removeAll(where: isAlike)
        add(alike.flatMap(\.slots))
    }

    private mutating func add(_ slots: [PrintSegment.Slot]) {
        // Stable in effect: the pictures of one entry stand together, in their order.
        let order = slots.indices.sorted { (slots[$0].entry, $0) < (slots[$1].entry, $1) }
        segments.append(Segment(order.map { slots[$0] }))
    }
}
