/// Brings a collection back from stored segments, without the prints.
///
/// Who owns a stored picture is not stored with it: each entry claims its pictures by the names of
/// their prints. What nobody claims is not there any more.
public struct PrintRestoration {
    private struct Stored {
        let bytes: any SegmentBytes
        let layout: SegmentLayout
        var owners: [PrintSegment.Owner]
        var isThere: [Bool]
    }

    private static let nobody = PrintSegment.Owner(entry: -1, order: 0, number: 0)
    private var stored: [Stored] = []
    /// The places of each name that were not claimed by it.
    private var places: [PrintName: [(segment: Int32, slot: Int32)]] = [:]
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
                    places[name, default: []].append((number, Int32(slot)))
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
        // By the name that fewest pictures have.
        guard
            let rarest = names.indices.min(by: {
                (places[names[$0]]?.count ?? 0, $0) < (places[names[$1]]?.count ?? 0, $1)
            }),
            let candidates = places[names[rarest]],
            let place = candidates.lastIndex(where: { candidate in
                isFree(names, from: (candidate.segment, candidate.slot - Int32(rarest)))
            })
        else { return false }
        let start = candidates[place]
        places[names[rarest]]?.remove(at: place)
        for number in names.indices {
            let slot = Int(start.slot) - rarest + number
            stored[Int(start.segment)].owners[slot] = .init(
                entry: entry, order: order, number: UInt32(number))
            stored[Int(start.segment)].isThere[slot] = true
        }
        count += 1
        return true
    }

    private func isFree(_ names: [PrintName], from start: (segment: Int32, slot: Int32)) -> Bool {
        let segment = stored[Int(start.segment)]
        guard start.slot >= 0, Int(start.slot) + names.count <= segment.layout.pictures else {
            return false
        }
        return segment.bytes.withIndex { index in
            names.indices.allSatisfy { number in
                let slot = Int(start.slot) + number
                return !segment.isThere[slot]
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
