import CMatching

/// The memory in which the votes of one segment after the other are counted.
final class VoteTally {
    private let totals: UnsafeMutableBufferPointer<UInt32>
    private let sums: UnsafeMutableBufferPointer<UInt32>
    private let counts: UnsafeMutableBufferPointer<UInt16>
    private let touched: UnsafeMutableBufferPointer<UInt16>

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
