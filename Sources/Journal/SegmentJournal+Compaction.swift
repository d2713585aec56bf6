internal import Locking
public import Messages

extension SegmentJournal {
    /// Records that are read at once.
    private static let recordsMax = 1_024
    /// Blobs that are removed while no group is stored, so that none waits long.
    private static let removalsMax = 256

    /// Removes what a policy does not keep: whole segment files, snapshots, and blobs that
    /// nothing kept refers to. Any thread, beside `append`.
    ///
    /// - Throws: `JournalError` as `append` does; then only a part may have been removed.
    public func compact(
        _ policy: RetentionPolicy, now: Timestamp
    ) throws(JournalError) -> CompactionResult {
        try compacting.withLock { (_) throws(JournalError) in
            try log.checkWritable()
            var result = CompactionResult()
            try removePast(policy, now, &result)
            try removeBlobs(&result)
            return result
        }
    }

    private func removePast(
        _ policy: RetentionPolicy, _ now: Timestamp, _ result: inout CompactionResult
    ) throws(JournalError) {
        let young = try firstYoung(since: policy.cutoff(at: now))
        let snapshots = snapshots
        let oldest = policy.oldestKept(
            of: snapshots, firstYoung: young, pending: snapshotStore.pending)
        guard let oldest else { return }
        let position = snapshots[oldest].position.sequence
        if log.hasFile(through: position) {
            let changes = window.withLock { $0 }
            try ChangeFile.write(changes, epoch: epoch, in: folder)
            let removed = try log.remove(through: position)
            result.records = removed.records
            result.bytes += removed.bytes
        }
        for snapshot in snapshots[..<oldest] {
            try snapshotStore.remove(snapshot)
            result.snapshots += 1
            result.bytes += snapshot.byteCount
        }
    }

    /// The first record received at an instant or later; one behind the head if there is none.
    private func firstYoung(since instant: Timestamp) throws(JournalError) -> UInt64 {
        var after = firstSequence - 1
        let last = head.sequence
        while after < last {
            let records = try read(
                after: after, recordsMax: Self.recordsMax, bytesMax: Limits.segmentBytesMax)
            if let index = records.firstIndex(where: { $0.isRecorded(since: instant) }) {
                return after + UInt64(index) + 1
            }
            guard !records.isEmpty else { break }
            after += UInt64(records.count)
        }
        return after + 1
    }

    private func removeBlobs(_ result: inout CompactionResult) throws(JournalError) {
        // Listed first: what is stored from here on is not touched.
        var unused: Set<ContentHash> = []
        try blobs.forEachFolder { unused.formUnion($0) }
        for snapshot in snapshots { unused.subtract(snapshot.blobs) }
        var after = firstSequence - 1
        try subtractBlobs(after: &after, from: &unused)
        while !unused.isEmpty {
            // While this is held no group is being stored that may rely on a blob.
            let removed = try window.withLock { (_) throws(JournalError) -> CompactionResult in
                var removed = CompactionResult()
                try subtractBlobs(after: &after, from: &unused)
                for hash in unused.prefix(Self.removalsMax) {
                    unused.remove(hash)
                    guard let bytes = try blobs.remove(hash) else { continue }
                    removed.blobs += 1
                    removed.bytes += bytes
                }
                return removed
            }
            result.blobs += removed.blobs
            result.bytes += removed.bytes
        }
    }

    /// Takes the blobs that records up to the head name out of a set.
    private func subtractBlobs(
        after: inout UInt64, from unused: inout Set<ContentHash>
    ) throws(JournalError) {
        while after < head.sequence {
            let records = try read(
                after: after, recordsMax: Self.recordsMax, bytesMax: Limits.segmentBytesMax)
            for record in records {
                for blob in record.fields.blobs { unused.remove(blob.hash) }
            }
            after += UInt64(records.count)
        }
    }
}
