internal import Messages

extension RetentionPolicy {
    /// The instant from which on records are kept.
    func cutoff(at now: Timestamp) -> Timestamp {
        let (milliseconds, overflows) = now.milliseconds.subtractingReportingOverflow(
            historyMilliseconds)
        return Timestamp(milliseconds: overflows ? .min : milliseconds)
    }

    /// The oldest snapshot that is kept; records up to it may go. Nil if everything is needed.
    ///
    /// - Parameters:
    ///   - snapshots: Oldest first.
    ///   - firstYoung: The first record that the history holds; one behind the head if none.
    ///   - pending: Where a snapshot that is being made stands, which needs what it refers to.
    func oldestKept(
        of snapshots: [Snapshot], firstYoung: UInt64, pending: Position?
    ) -> Int? {
        let last = min(firstYoung - 1, pending?.sequence ?? .max)
        let base = snapshots.lastIndex { $0.position.sequence <= last }
        guard let base else { return nil }
        return max(0, min(base, snapshots.count - max(snapshotsMin, 1)))
    }
}

extension Record {
    /// Whether the journal received the record at an instant or later.
    func isRecorded(since instant: Timestamp) -> Bool {
        // A record without its time, which the journal never writes, is kept.
        fields.timestamp(.recordedTime).map { $0 >= instant } ?? true
    }
}
