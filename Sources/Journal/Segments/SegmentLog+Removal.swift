internal import Locking

extension SegmentLog {
    /// Removes the files that hold nothing behind a sequence, but never the last one.
    ///
    /// - Returns: Records and bytes of the files that are gone.
    /// - Throws: `JournalError` with `readOnly`, or as the system says.
    func remove(through sequence: UInt64) throws(JournalError) -> (records: UInt64, bytes: Int) {
        try checkWritable()
        var records: UInt64 = 0
        var bytes = 0
        while let segment = takeFirst(through: sequence) {
            try folder.remove(Segment.name(prefix, firstSequence: segment.firstSequence))
            // One after another, so that a crash never leaves a gap between files.
            try folder.sync()
            records += UInt64(segment.offsets.count)
            bytes += segment.end
        }
        return (records, bytes)
    }

    /// Whether `remove` would remove a file.
    func hasFile(through sequence: UInt64) -> Bool {
        state.withLock { $0.segments.count > 1 && $0.segments[0].nextSequence <= sequence + 1 }
    }

    private func takeFirst(through sequence: UInt64) -> Segment? {
        state.withLock { state in
            guard state.segments.count > 1, state.segments[0].nextSequence <= sequence + 1 else {
                return nil
            }
            return state.segments.removeFirst()
        }
    }

    /// Nothing is trusted behind the last record; for what another file proves to be missing.
    func markDamaged(_ reason: String) {
        state.withLock { state in
            guard state.damage == nil, let last = state.segments.last else { return }
            state.damage = SegmentDamage(file: last.file.path, offset: last.end, reason: reason)
        }
    }
}
