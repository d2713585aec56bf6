import CMatching

/// The memory in which the votes of one segment after the other are counted, and all hits kept.
final class VoteTally {
    private let totals: UnsafeMutableBufferPointer<UInt32>
    private let sums: UnsafeMutableBufferPointer<UInt32>
    private let counts: UnsafeMutableBufferPointer<UInt16>
    private let touched: UnsafeMutableBufferPointer<UInt16>

    /// All hits until now, one segment's behind the other's.
    var hits = cm_hits(hits: nil, count: 0)
    private var capacity = 0

    /// Number of hits until now.
    var hitCount: Int { Int(hits.count) }

    /// Some of them; valid until more are made room for.
    func hits(_ range: Range<Int>) -> UnsafeBufferPointer<cm_hit> {
        UnsafeBufferPointer(
            rebasing: UnsafeBufferPointer(start: hits.hits, count: hitCount)[range])
    }

    /// Makes sure that so many more hits can be appended.
    func makeRoom(forHits more: Int) {
        let count = Int(hits.count)
        guard count + more > capacity else { return }
        capacity = max(count + more, 2 * capacity)
        let larger = UnsafeMutablePointer<cm_hit>.allocate(capacity: capacity)
        if let former = hits.hits {
            larger.moveInitialize(from: former, count: count)
            former.deallocate()
        }
        hits.hits = larger
    }

    /// Memory for a segment of so many pictures, without a vote.
    init(pictures: Int) {
        totals = .allocate(capacity: pictures)
        sums = .allocate(capacity: pictures)
        counts = .allocate(capacity: pictures)
        touched = .allocate(capacity: pictures)
        totals.initialize(repeating: 0)
        sums.initialize(repeating: 0)
        counts.initialize(repeating: 0)
        touched.initialize(repeating: 0)
    }

    deinit {
        totals.deallocate()
        sums.deallocate()
        counts.deallocate()
        touched.deallocate()
        hits.hits?.deallocate()
    }

    /// For the kernel; valid as long as this object.
    var pointers: cm_tally {
        cm_tally(
            totals: totals.baseAddress, sums: sums.baseAddress, counts: counts.baseAddress,
            touched: touched.baseAddress)
    }

    /// The votes for the picture of a slot.
    subscript(slot: Int) -> UInt32 { totals[slot] }

    /// Forgets all votes.
    func clear() { totals.update(repeating: 0) }
}
