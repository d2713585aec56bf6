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

    /// Whether the file that a record was found in is still there.
    func hasFileNow(of sequence: UInt64) -> Bool {
        let segment = state.withLock { state in
            state.segments.last { $0.firstSequence <= sequence }
        }
        guard let segment else { return false }
        return folder.size(of: Segment.name(prefix, firstSequence: segment.firstSequence)) != nil
    }

    /// Where a record is.
    func place(of sequence: UInt64) -> (file: String, offset: Int)? {
        state.withLock { state in
            guard let segment = state.segments.last(where: { $0.firstSequence <= sequence }),
                sequence < segment.nextSequence
            else { return nil }
            let index = Int(sequence - segment.firstSequence)
            return (segment.file.path, Int(segment.offsets[index]))
        }
    }

    /// The files with their names and the bytes of them that can be read.
    var contents: [(name: String, file: File, end: Int)] {
        state.withLock { state in
            state.segments.map {
                (Segment.name(prefix, firstSequence: $0.firstSequence), $0.file, $0.end)
            }
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
