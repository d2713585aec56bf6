/// The prints of a catalog, made ready to be searched.
///
/// A value: a copy is a snapshot, cheap to take, and shares its pictures with the original. New
/// pictures stand in a short list; full lists become segments, and segments of one size are merged,
/// so that nothing is ever rebuilt as a whole. What is taken out is marked, and left out of the
/// next merge.
public struct PrintCollection: Sendable {
    /// Pictures of the list of new ones, about.
    static let recentMax = 256

    /// Entries put of late, in no order.
    private(set) var recent: [Entry] = []
    /// All the others.
    var segments: [Segment] = []
    /// Number of entries.
    public private(set) var count = 0
    /// Where merged segments are kept; nil for memory.
    let keeper: (any SegmentKeeper)?
    private let mergesWhenPutting: Bool

    /// One entry of the catalog.
    struct Entry: Sendable {
        let number: Int
        let order: UInt64
        let pictures: [RecentPicture]
    }

    /// A segment, and which of its pictures are still there.
    struct Segment: Sendable {
        let prints: PrintSegment
        /// By slot.
        var isThere: [Bool]
        /// Number of pictures that are there.
        var pictures: Int

        init(_ prints: PrintSegment, isThere: [Bool]? = nil) {
            self.prints = prints
            self.isThere = isThere ?? [Bool](repeating: true, count: prints.slots.count)
            pictures = self.isThere.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }

    /// A collection without entries.
    ///
    /// - Parameters:
    ///   - keeper: Where large segments are kept; nil for memory.
    ///   - mergesWhenPutting: Segments are merged inside of `put`; otherwise the owner has to see to
    ///     `pendingMerge`, and no put takes long.
    public init(keeper: (any SegmentKeeper)? = nil, mergesWhenPutting: Bool = true) {
        self.keeper = keeper
        self.mergesWhenPutting = mergesWhenPutting
    }

    /// A collection of stored segments with so many entries in all.
    init(
        _ segments: [Segment], count: Int, keeper: (any SegmentKeeper)?, mergesWhenPutting: Bool
    ) {
        self.init(keeper: keeper, mergesWhenPutting: mergesWhenPutting)
        self.segments = segments
        self.count = count
    }

    /// Pictures of all entries.
    var pictures: Int {
        segments.reduce(recent.reduce(0) { $0 + $1.pictures.count }) { $0 + $1.pictures }
    }

    /// The names of the prints that no keeper keeps: those of new pictures and of segments in memory.
    public var unkeptNames: Set<PrintName> {
        var names = Set(recent.flatMap(\.pictures).map(\.name))
        for segment in segments where segment.prints.isInMemory {
            names.formUnion(segment.prints.names)
        }
        return names
    }

    /// What the pictures of all entries take, in files or in memory: bytes that every search scans, and
    /// bytes of pictures, which are read one by one.
    public var byteCounts: (scanned: Int, pictures: Int) {
        let new = recent.flatMap(\.pictures).map(\.words.count)
        return segments.map(\.prints.layout).reduce(
            (
                scanned: new.reduce(0) { $0 + SegmentLayout.bytes(ofPictureWith: $1) },
                pictures: new.reduce(0) { $0 + IndexedPicture.byteCount(features: $1) }
            )
        ) { ($0.scanned + $1.byteCount, $0.pictures + $1.pictureBytes) }
    }

    /// The bytes of all segments: what a keeper still has to keep.
    public var keptSegments: [any SegmentBytes] { segments.map(\.prints.bytes) }

    /// Gives an entry its pictures, in place of those it had; without prints, removes it.
    ///
    /// - Parameters:
    ///   - prints: In the order of the entry's pictures.
    ///   - names: What the prints are found by after a restart, one for each; none if the collection
    ///     is not restored.
    ///   - entry: A number that no other entry has; it says nothing else, since collections of the
    ///     same entries may number them otherwise.
    ///   - order: Where the entry stands among others that have as much in common with a query;
    ///     the same in every collection that holds it, and best different for each entry.
    /// - Complexity: Amortised O(log `count`) for each picture.
    public mutating func put(
        _ prints: [FeaturePrint], names: [PrintName] = [], for entry: Int, order: UInt64 = 0
    ) {
        precondition(names.isEmpty || names.count == prints.count, "a name for each print")
        remove(entry: entry)
        guard !prints.isEmpty else { return }
        let pictures = prints.enumerated().map { number, print in
            RecentPicture(print, names.isEmpty ? .none : names[number])
        }
        recent.append(Entry(number: entry, order: order, pictures: pictures))
        count += 1
        guard recent.reduce(0, { $0 + $1.pictures.count }) >= Self.recentMax else { return }
        seal()
        while mergesWhenPutting, let merge = pendingMerge, adopt(merge.run()) {}
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
            if segments[index].pictures == 0 { segments.remove(at: index) }
            return
        }
    }

    /// Makes a segment of the new pictures, in memory.
    private mutating func seal() {
        var builder = SegmentBuilder(MemorySegment.Writer())
        var owners: [PrintSegment.Owner] = []
        for entry in recent {
            for (number, picture) in entry.pictures.enumerated() {
                guard builder.add(picture, order: entry.order) else { return }
                owners.append(
                    .init(entry: entry.number, order: entry.order, number: UInt32(number)))
            }
        }
        let words = recent.flatMap(\.pictures).flatMap(\.words)
        let bytes = builder.finish(featuresOf: WordCounts(words)) { postings in
            for (slot, picture) in recent.flatMap(\.pictures).enumerated() {
                postings.append(picture, slot: UInt16(slot))
            }
        }
        guard let bytes, let segment = PrintSegment(bytes, owners: owners) else { return }
        segments.append(Segment(segment))
        recent = []
    }
}
