/// What is known of a log from what stands beside it, before its files are looked at.
struct SegmentExpectation: Sendable {
    /// There may be no file yet, so that the log begins now; otherwise a log without files is one
    /// that was lost.
    var mayBegin = true
    /// The log had at least so many records, all of them synced: an end before the last of them
    /// is damage and no torn write.
    var lastMin: UInt64 = 0

    /// Nothing is known.
    static let none = SegmentExpectation()
}
