/// Brings a collection back from stored segments, without the prints.
///
/// Numbers of entries are not stored: each entry claims its pictures by its order and the names of
/// their prints. What nobody claims is not there any more.
public struct PrintRestoration {
    private struct Stored {
        let bytes: any SegmentBytes
        let layout: SegmentLayout
        var owners: [PrintSegment.Owner]
        var isThere: [Bool]
    }

    private struct Key: Hashable {
        let order: UInt64
        let name: PrintName
    }

    private static let nobody = PrintSegment.Owner(entry: -1, order: 0, number: 0)
    private var stored: [Stored] = []
    /// Where an entry's first picture may stand.
    private var places: [Key: [(segment: Int32, slot: Int32)]] = [:]
    private var count = 0

    /// A restoration from these segments; those that are no segments of this version are left out.
    public init(_ segments: [any SegmentBytes]) {
        for bytes in segments {
            guard let layout = bytes.withIndex({ SegmentLayout(reading: $0) }) else { continue }
            let number = Int32(stored.count)
            bytes.withIndex { index in
                for slot in 0..<layout.pictures {
                    let name = layout.name(of: slot, in: index)
                    guard name != .none else { continue }
                    let key = Key(order: layout.order(of: slot, in: index), name: name)
                    places[key, default: []].append((number, Int32(slot)))
                }
            }
            stored.append(
                Stored(
                    bytes: bytes, layout: layout,
                    owners: [PrintSegment.Owner](repeating: Self.nobody, count: layout.pictures),
                    isThere: [Bool](repeating: false, count: layout.pictures)))
        }
    }

    /// Gives an entry the stored pictures of these names, in the order of its pictures; false, and
    /// nothing is given, if they do not stand together in one segment.
    public mutating func claim(_ names: [PrintName], for entry: Int, order: UInt64) -> Bool {
        guard let first = names.first else { return false }
        let key = Key(order: order, name: first)
        guard let place = places[key]?.lastIndex(where: { isFree(names, from: $0, order) }),
            let start = places[key]?.remove(at: place)
        else { return false }
        for number in names.indices {
            let slot = Int(start.slot) + number
            stored[Int(start.segment)].owners[slot] = .init(
                entry: entry, order: order, number: UInt32(number))
            stored[Int(start.segment)].isThere[slot] = true
        }
        count += 1
        return true
    }

    private func isFree(
        _ names: [PrintName], from start: (segment: Int32, slot: Int32), _ order: UInt64
    ) -> Bool {
        let segment = stored[Int(start.segment)]
        guard Int(start.slot) + names.count <= segment.layout.pictures else { return false }
        return segment.bytes.withIndex { index in
            names.indices.allSatisfy { number in
                let slot = Int(start.slot) + number
                return !segment.isThere[slot] && segment.layout.order(of: slot, in: index) == order
                    && segment.layout.name(of: slot, in: index) == names[number]
            }
        }
    }

    /// The collection of what was claimed; segments without a claim are left out.
    public consuming func collection(
        keeper: (any SegmentKeeper)?, mergesWhenPutting: Bool
    ) -> PrintCollection {
        let segments = stored.filter { $0.isThere.contains(true) }.map {
            PrintCollection.Segment(
                PrintSegment($0.bytes, $0.layout, $0.owners), isThere: $0.isThere)
        }
        return PrintCollection(
            segments, count: count, keeper: keeper, mergesWhenPutting: mergesWhenPutting)
    }
}
