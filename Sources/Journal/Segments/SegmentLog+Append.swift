internal import Locking
internal import Messages
internal import Synchronization

extension SegmentLog {
    /// Appends a group of records.
    ///
    /// - Parameters:
    ///   - records: None of them empty; they are numbered in order.
    ///   - synced: Return only once they are on the disk. Otherwise a crash of the machine may
    ///     lose them, up to the next call that syncs.
    /// - Returns: The sequence of the first one.
    /// - Throws: `JournalError` with `readOnly`, `damaged`, `tooLarge`, as the system says, or
    ///   `stopped` after an earlier failure: what then is on the disk is known only once the log
    ///   is opened again. Nothing of the group can be read after a failure.
    @discardableResult
    public func append(
        _ records: [[UInt8]], synced: Bool = true
    ) throws(JournalError) -> UInt64 {
        try append(records, synced: synced, isCopy: false)
    }

    /// The same for a copy of records that were on the disk elsewhere, in a log that nobody uses
    /// before all of it is synced: whatever is missing of it later is damage.
    @discardableResult
    func append(
        _ records: [[UInt8]], synced: Bool, isCopy: Bool
    ) throws(JournalError) -> UInt64 {
        try check(records)
        return try appending.withLock { (_) throws(JournalError) in
            let first = lastSequence + 1
            guard !records.isEmpty else { return first }
            try stoppingAtFailure { () throws(JournalError) in
                try write(records, synced: synced, isCopy: isCopy)
            }
            return first
        }
    }

    /// Returns once everything appended is on the disk.
    ///
    /// - Throws: As `append` does.
    public func sync() throws(JournalError) {
        try check([])
        try appending.withLock { (_) throws(JournalError) in
            let (file, isSynced) = state.withLock { ($0.segments.last?.file, $0.isSynced) }
            guard let file, !isSynced else { return }
            try stoppingAtFailure { () throws(JournalError) in try file.sync() }
            state.withLock { $0.isSynced = true }
        }
    }

    /// Refuses if nothing can be appended, whatever it is.
    func checkWritable() throws(JournalError) {
        guard mode == .readWrite else {
            throw JournalError(.readOnly, "\(folder.path) was opened for reading")
        }
        let (damage, failure) = state.withLock { ($0.damage, $0.failure) }
        if let damage { throw damage.error }
        if let failure {
            throw JournalError(.stopped, "nothing is written since: \(failure.context)")
        }
    }

    /// Appends nothing any more, for a failure beside the log.
    func stop(_ error: JournalError) {
        state.withLock { $0.failure = $0.failure ?? error }
    }

    private func check(_ records: [[UInt8]]) throws(JournalError) {
        try checkWritable()
        for record in records { try check(bytesOfRecord: record.count) }
    }

    private func check(bytesOfRecord count: Int) throws(JournalError) {
        precondition(count > 0, "a record has at least one byte")
        guard count <= recordBytesMax else {
            throw JournalError(
                .tooLarge, "a record of \(count) bytes; at most \(recordBytesMax)")
        }
    }

    /// After a failed write or sync the kernel may have dropped what was not written, so a later
    /// success would prove nothing.
    private func stoppingAtFailure(
        _ body: () throws(JournalError) -> Void
    ) throws(JournalError) {
        do throws(JournalError) {
            try body()
        } catch {
            state.withLock { $0.failure = error }
            throw error
        }
    }

    /// Appends records that stand in a buffer, each behind room for its header, without syncing.
    ///
    /// - Parameters:
    ///   - bytes: The records; headers are filled in.
    ///   - starts: Where each one's room begins; not empty.
    ///   - number: Writes a sequence into the record whose room begins at an index.
    /// - Throws: As `append` does.
    func append(
        prepared bytes: inout [UInt8], starts: [Int],
        number: (UInt64, Int, inout [UInt8]) -> Void
    ) throws(JournalError) {
        try checkWritable()
        let ends = starts.dropFirst() + [bytes.count]
        for (start, end) in zip(starts, ends) {
            try check(bytesOfRecord: end - start - SegmentFormat.recordHeaderBytes)
        }
        try appending.withLock { (_) throws(JournalError) in
            let first = lastSequence + 1
            try stoppingAtFailure { () throws(JournalError) in
                try beginFile(for: bytes.count)
                let isSynced = state.withLock { $0.isSynced }
                for (index, (start, end)) in zip(starts, ends).enumerated() {
                    number(first + UInt64(index), start, &bytes)
                    SegmentFormat.finishRecord(
                        from: start, to: end, epoch: epoch, afterSync: isSynced && index == 0,
                        in: &bytes)
                }
                try write(group: bytes, offsets: starts, synced: false)
            }
        }
    }

    private func write(
        _ records: [[UInt8]], synced: Bool, isCopy: Bool
    ) throws(JournalError) {
        let bytes = records.reduce(0) { $0 + $1.count + SegmentFormat.recordHeaderBytes }
        try beginFile(for: bytes)
        let isSynced = state.withLock { $0.isSynced }
        var buffer: [UInt8] = []
        buffer.reserveCapacity(bytes)
        var offsets: [Int] = []
        for (index, record) in records.enumerated() {
            offsets.append(buffer.count)
            SegmentFormat.append(
                record, epoch: epoch, afterSync: isCopy || isSynced && index == 0,
                to: &buffer)
        }
        try write(group: buffer, offsets: offsets, synced: synced)
    }

    /// Writes whole records with their headers behind the last ones.
    private func write(
        group: [UInt8], offsets: [Int], synced: Bool
    ) throws(JournalError) {
        // Not the segment itself: while a copy is held, adding to its offsets would copy them all.
        let open = state.withLock { state in
            state.segments.last.map { ($0.file, $0.end, $0.size) }
        }
        guard let (file, end, size) = open else {
            preconditionFailure("an open log has a file")
        }
        let newEnd = end + group.count
        var room = synced ? room(behind: newEnd, size: size, adding: group.count) : 0
        do throws(JournalError) {
            if room > 0, !hasRoom(room, behind: group, at: end, in: file) { room = 0 }
            if room == 0 { try file.write(group, at: end) }
            if synced { try file.sync() }
        } catch {
            // Best effort: without it a reader, or the next start, may find records that nobody
            // was told are stored, which is allowed.
            try? file.truncate(to: end)
            throw error
        }
        state.withLock { (state: inout State) in
            let index = state.segments.count - 1
            state.segments[index].add(offsets: offsets, base: end, end: newEnd)
            state.segments[index].size = max(size, newEnd + room)
            state.isSynced = synced
        }
    }

    /// Writes a group with zeros behind it; false if there is no place for them: then nothing is
    /// written, and the group may still fit without them.
    private func hasRoom(_ room: Int, behind group: [UInt8], at end: Int, in file: File) -> Bool {
        do throws(JournalError) {
            try file.write(group + [UInt8](repeating: 0, count: room), at: end)
            return true
        } catch {
            // Whatever came of it goes; if it stays, the next write is over it.
            try? file.truncate(to: end)
            return false
        }
    }

    /// Zeros to write behind a group: while a file keeps its size, a sync writes its bytes and
    /// nothing else. A large group gains less than the zeros cost.
    private func room(behind end: Int, size: Int, adding bytes: Int) -> Int {
        guard end > size, bytes <= Self.roomBytes / 8 else { return 0 }
        return max(0, min(Self.roomBytes, segmentBytesMax - end))
    }

    private static let roomBytes = 256 << 10

    /// Begins the next file if the group does not fit into this one.
    private func beginFile(for bytes: Int) throws(JournalError) {
        let (last, isSynced) = state.withLock { ($0.segments.last, $0.isSynced) }
        guard let last, last.end + bytes > segmentBytesMax, !last.offsets.isEmpty else { return }
        // A torn write may stand in the last file only.
        if !isSynced { try last.file.sync() }
        // Only tidy: zeros at the end of a file are no fault.
        if last.size > last.end { try last.file.truncate(to: last.end) }
        let next = try SegmentOpening.create(
            folder, prefix, epoch: epoch, firstSequence: last.nextSequence)
        state.withLock {
            $0.segments.append(next)
            $0.isSynced = true
        }
    }
}
