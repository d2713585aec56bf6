public import Messages

extension SegmentJournal {
    /// The sequence of the first record that is kept; one more than the head's if none is.
    public var firstSequence: UInt64 { log.firstSequence }

    /// Snapshots that are kept, oldest first.
    public var snapshots: [Snapshot] { snapshotStore.snapshots }

    /// Snapshots that are not as they were written, and are therefore not listed.
    public var snapshotDamage: [SegmentDamage] { snapshotStore.damage }

    /// A chunk of a snapshot; nil if there is no such snapshot or chunk.
    ///
    /// - Throws: `JournalError` with `damaged` if it is cut off, or as the system says.
    public func chunk(_ index: Int, of id: ContentHash) throws(JournalError) -> [UInt8]? {
        try snapshotStore.chunk(index, of: id)
    }

    /// Begins a snapshot of the state at a position of this journal.
    ///
    /// - Throws: `JournalError` with `busy` while another one is being made, `outOfRange` if the
    ///   records behind the position are not all there, or as `append` does.
    public func beginSnapshot(at position: Position) throws(JournalError) -> any SnapshotWriter {
        try log.checkWritable()
        try position.checkIsKept(by: self)
        return try snapshotStore.begin(at: position)
    }
}

extension Position {
    /// Refuses a position whose journal is another, or whose following records are not all there.
    func checkIsKept(by journal: some JournalBackend) throws(JournalError) {
        let first = journal.firstSequence - 1
        let last = journal.head.sequence
        guard epoch == journal.epoch, sequence >= first, sequence <= last else {
            throw JournalError(
                .outOfRange, "a snapshot is of a position from \(first) to \(last) of this journal")
        }
    }
}
