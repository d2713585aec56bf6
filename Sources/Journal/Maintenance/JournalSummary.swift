internal import Messages

/// What is in a journal, as `SegmentJournal.summary` found it; nothing that a record holds.
public struct JournalSummary: Sendable {
    /// The journal that the positions belong to.
    public let epoch: UInt64
    /// The sequence of the first record that is kept.
    public let firstSequence: UInt64
    /// The sequence of the last record; 0 if there was never one.
    public let lastSequence: UInt64
    /// Segment files, and their bytes as far as they can be read.
    public let segmentFiles: Int
    /// See `segmentFiles`.
    public let segmentBytes: Int
    /// Snapshots, oldest first.
    public let snapshots: [Snapshot]
    /// Blobs that are stored, and their bytes.
    public let blobs: Int
    /// See `blobs`.
    public let blobBytes: Int
    /// Accounts that have a key.
    public let accounts: Int
    /// What stands behind the last record and is no whole record.
    public let unfinished: SegmentDamage?
    /// Places that are not as they were written, as far as opening a journal shows them.
    public let damage: [SegmentDamage]

    /// Records that are kept.
    public var records: UInt64 { lastSequence + 1 - firstSequence }
}

extension SegmentJournal {
    /// What is in the journal; lists every blob, so it takes a moment.
    ///
    /// - Throws: `JournalError` as the system says.
    public func summary() throws(JournalError) -> JournalSummary {
        var count = 0
        var bytes = 0
        try blobs.forEachFolder { hashes in
            for hash in hashes {
                guard let size = blobs.size(of: hash) else { continue }
                count += 1
                bytes += size
            }
        }
        return JournalSummary(
            epoch: epoch, firstSequence: firstSequence, lastSequence: head.sequence,
            segmentFiles: log.fileCount, segmentBytes: log.byteCount, snapshots: snapshots,
            blobs: count, blobBytes: bytes, accounts: keyring.accounts.count,
            unfinished: log.unfinished ?? log.cut,
            damage: [damage].compactMap { $0 } + snapshotDamage)
    }
}
