internal import Locking
internal import Messages
internal import Synchronization

extension SegmentLog {
    /// The records behind a sequence, in order.
    ///
    /// - Parameters:
    ///   - sequence: The last record that the caller has; 0 for none. Records that were removed
    ///     are skipped: the first one that comes is then `firstSequence`.
    ///   - recordsMax: Records at most.
    ///   - bytesMax: Bytes at most, but always one record if there is one.
    /// - Throws: `JournalError` if the first of them cannot be read, with `damaged` if it is not
    ///   as it was written.
    public func read(
        after sequence: UInt64, recordsMax: Int, bytesMax: Int
    ) throws(JournalError) -> [[UInt8]] {
        var records: [[UInt8]] = []
        var bytes = 0
        var after = sequence
        while records.count < recordsMax {
            guard let run = run(after: after, recordsMax - records.count, bytesMax - bytes),
                records.isEmpty || run.bytes.count <= bytesMax - bytes
            else { break }
            do throws(JournalError) {
                let found = try read(run)
                records += found.records
                if let damage = found.damage { throw damage.error }
            } catch {
                // Those before the damage are served; the next read begins at it and says so.
                if records.isEmpty { throw error }
                return records
            }
            bytes += run.bytes.count
            after = run.firstSequence + UInt64(run.offsets.count) - 1
        }
        return records
    }

    /// Finds what the writer has appended since; nothing changes in a log opened for writing.
    ///
    /// What a writer is syncing at the moment may be seen before it is on the disk.
    ///
    /// - Throws: `JournalError` as the system says.
    public func refresh() throws(JournalError) {
        guard mode == .readOnly else { return }
        try appending.withLock { (_) throws(JournalError) in
            while damage == nil, try refreshLast(), try openNext() {}
        }
    }

    /// Records of one file that stand one behind another.
    private struct Run {
        let file: File
        let firstSequence: UInt64
        /// Where in the file they are, headers included.
        let bytes: Range<Int>
        /// Where each begins, within `bytes`.
        let offsets: [Int]
    }

    private func run(after sequence: UInt64, _ recordsMax: Int, _ bytesMax: Int) -> Run? {
        state.withLock { state in
            guard sequence < state.last,
                let segment = state.segments.last(where: { $0.firstSequence <= sequence + 1 })
                    ?? state.segments.first
            else { return nil }
            let first = Int(max(sequence + 1, segment.firstSequence) - segment.firstSequence)
            guard first < segment.offsets.count else { return nil }
            let start = Int(segment.offsets[first])
            var end = first + 1
            while end < segment.offsets.count, end - first < recordsMax,
                segment.span(of: end..<end + 1).upperBound - start <= bytesMax
            { end += 1 }
            return Run(
                file: segment.file, firstSequence: segment.firstSequence + UInt64(first),
                bytes: segment.span(of: first..<end),
                offsets: segment.offsets[first..<end].map { Int($0) - start })
        }
    }

    private func read(
        _ run: Run
    ) throws(JournalError) -> (records: [[UInt8]], damage: SegmentDamage?) {
        let bytes = try run.file.read(at: run.bytes.lowerBound, count: run.bytes.count)
        var records: [[UInt8]] = []
        for offset in run.offsets {
            guard let found = SegmentFormat.record(in: bytes, at: offset, epoch: epoch) else {
                let damage = SegmentDamage(
                    file: run.file.path, offset: run.bytes.lowerBound + offset,
                    reason: "record \(run.firstSequence + UInt64(records.count)) has changed")
                return (records, damage)
            }
            records.append(Array(bytes[found.range]))
        }
        return (records, nil)
    }

    /// Reads on in the last file; true if all of it could be read.
    private func refreshLast() throws(JournalError) -> Bool {
        guard let segment = state.withLock({ $0.segments.last }) else { return false }
        let bytes = try segment.file.read(
            at: segment.end, count: try segment.file.size() - segment.end)
        let found = SegmentFormat.scan(bytes, from: 0, epoch: epoch)
        state.withLock {
            $0.segments[$0.segments.count - 1].add(
                offsets: found.offsets, base: segment.end, end: segment.end + found.end)
        }
        return SegmentFormat.isRoom(bytes[found.end...])
    }

    /// Opens the file behind the last one; true if there is one.
    private func openNext() throws(JournalError) -> Bool {
        guard let expected = state.withLock({ $0.segments.last?.nextSequence }) else {
            return false
        }
        let name = Segment.name(prefix, firstSequence: expected)
        guard folder.size(of: name) != nil else { return false }
        let file = try folder.file(name, .read)
        let look = try SegmentLook(file, name: name, prefix, epoch: epoch, expected: expected)
        switch look.finding {
        case .whole, .torn:
            state.withLock { $0.segments.append(look.segment) }
            return true
        case .noFile:
            return false
        case .damaged(let place), .foreign(let place):
            state.withLock { $0.damage = place }
            return false
        }
    }
}
