internal import Locking

extension SegmentLog {
    /// The sequence of the first record in the second file; nil if there is only one file.
    var secondFileStart: UInt64? {
        state.withLock { $0.segments.count > 1 ? $0.segments[1].firstSequence : nil }
    }

    /// Files that can be read, in part or whole.
    var readableFiles: Int { state.withLock { $0.segments.count } }

    /// Where the last file goes on with something that is no record; nil if it does not.
    ///
    /// Either a crash tore it, or a writer is in the middle of it, or it is damaged and nothing
    /// behind it had been synced.
    func tornEnd() throws(JournalError) -> SegmentDamage? {
        guard let last = state.withLock({ $0.segments.last }) else { return nil }
        let size = try last.file.size()
        guard size > last.end else { return nil }
        return SegmentDamage(
            file: last.file.path, offset: last.end,
            reason: "\(size - last.end) bytes at the end are no entry")
    }

    /// Removes the first of several files; returns how many records it held.
    func removeOldestFile() throws(JournalError) -> UInt64 {
        try checkWritable()
        let oldest: Segment? = state.withLock {
            $0.segments.count > 1 ? $0.segments.removeFirst() : nil
        }
        guard let oldest else { return 0 }
        try folder.remove(Segment.name(prefix, firstSequence: oldest.firstSequence))
        // One after another, so that a crash never leaves a gap between files.
        try folder.sync()
        return UInt64(oldest.offsets.count)
    }
}
