import CMatching

/// A segment's hits of some of its slots, slot by slot, each in the order of the query's features.
struct SortedHits {
    private let hits: [cm_hit]
    /// Where each slot's hits begin, and where the last one's end.
    private let starts: [Int]

    /// The hits of these slots, all different, of a segment of `slotCount` slots.
    init(_ all: UnsafeBufferPointer<cm_hit>, slots: [Int], slotCount: Int) {
        var places = [Int32](repeating: -1, count: slotCount)
        for (place, slot) in slots.enumerated() { places[slot] = Int32(place) }
        var starts = [Int](repeating: 0, count: slots.count + 1)
        for hit in all where places[Int(hit.slot)] >= 0 {
            starts[Int(places[Int(hit.slot)]) + 1] += 1
        }
        for place in slots.indices { starts[place + 1] += starts[place] }
        var next = starts
        self.starts = starts
        let count = starts[slots.count]
        // Filling an array of nothing writes to the one empty array that all threads share.
        guard count > 0 else {
            hits = []
            return
        }
        hits = [cm_hit](unsafeUninitializedCapacity: count) { buffer, filled in
            for hit in all where places[Int(hit.slot)] >= 0 {
                let place = Int(places[Int(hit.slot)])
                buffer.initializeElement(at: next[place], to: hit)
                next[place] += 1
            }
            filled = count
        }
    }

    /// The hits of the slot at a place of `slots`.
    func of<Answer>(_ place: Int, _ body: (UnsafeBufferPointer<cm_hit>) -> Answer) -> Answer {
        hits.withUnsafeBufferPointer {
            body(UnsafeBufferPointer(rebasing: $0[starts[place]..<starts[place + 1]]))
        }
    }
}
