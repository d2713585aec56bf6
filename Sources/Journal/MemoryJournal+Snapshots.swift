internal import Locking
public import Messages

extension MemoryJournal {
    /// The sequence of the first record that is kept; one more than the head's if none is.
    public var firstSequence: UInt64 { state.withLock { $0.firstSequence } }

    /// Snapshots that are kept, oldest first.
    public var snapshots: [Snapshot] { state.withLock { $0.snapshots.map(\.snapshot) } }

    /// A chunk of a snapshot; nil if there is no such snapshot or chunk. Never throws.
    public func chunk(_ index: Int, of id: ContentHash) throws(JournalError) -> [UInt8]? {
        state.withLock { state in
            guard let chunks = state.snapshots.first(where: { $0.snapshot.id == id })?.chunks,
                chunks.indices.contains(index)
            else { return nil }
            return chunks[index]
        }
    }

    /// Begins a snapshot of the state at a position of this journal.
    ///
    /// - Throws: `JournalError` with `busy` while another one is being made, or `outOfRange` if
    ///   the records behind the position are not all there.
    public func beginSnapshot(at position: Position) throws(JournalError) -> any SnapshotWriter {
        try position.checkIsKept(by: self)
        let isFree = state.withLock { state in
            guard state.pending == nil else { return false }
            state.pending = position
            return true
        }
        guard isFree else { throw JournalError(.busy, "a snapshot is being made already") }
        return MemorySnapshotWriter(journal: self, position: position)
    }

    /// Removes what a policy does not keep; never throws.
    public func compact(
        _ policy: RetentionPolicy, now: Timestamp
    ) throws(JournalError) -> CompactionResult {
        state.withLock { state in
            var result = CompactionResult()
            state.removePast(policy, now, &result)
            state.removeBlobs(&result)
            return result
        }
    }
}

extension MemoryJournal.State {
    mutating func add(_ snapshot: Snapshot, _ chunks: [[UInt8]]) {
        snapshots.removeAll { $0.snapshot.id == snapshot.id }
        let index =
            snapshots.firstIndex { $0.snapshot.position.sequence > snapshot.position.sequence }
            ?? snapshots.endIndex
        snapshots.insert((snapshot, chunks), at: index)
    }

    fileprivate mutating func removePast(
        _ policy: RetentionPolicy, _ now: Timestamp, _ result: inout CompactionResult
    ) {
        let cutoff = policy.cutoff(at: now)
        let young = records.firstIndex { $0.isRecorded(since: cutoff) } ?? records.count
        let oldest = policy.oldestKept(
            of: snapshots.map(\.snapshot), firstYoung: firstSequence + UInt64(young),
            pending: pending)
        guard let oldest else { return }
        let kept = snapshots[oldest].snapshot.position.sequence + 1
        if kept > firstSequence {
            let removed = records.prefix(Int(kept - firstSequence))
            result.records = UInt64(removed.count)
            result.bytes += removed.reduce(0) { $0 + $1.encodedByteCount }
            records.removeFirst(removed.count)
            firstSequence = kept
        }
        result.snapshots = oldest
        result.bytes += snapshots[..<oldest].reduce(0) { $0 + $1.snapshot.byteCount }
        snapshots.removeFirst(oldest)
    }

    fileprivate mutating func removeBlobs(_ result: inout CompactionResult) {
        var unused = Set(blobs.keys)
        for (snapshot, _) in snapshots { unused.subtract(snapshot.blobs) }
        for record in records { unused.subtract(record.fields.blobs.map(\.hash)) }
        for hash in unused {
            result.blobs += 1
            result.bytes += blobs.removeValue(forKey: hash)?.count ?? 0
        }
    }
}

/// Collects the chunks of a snapshot.
private final class MemorySnapshotWriter: SnapshotWriter {
    private let journal: MemoryJournal
    private let position: Position
    private var list = ChunkList()
    private var chunks: [[UInt8]] = []
    private var isFinished = false

    init(journal: MemoryJournal, position: Position) {
        self.journal = journal
        self.position = position
    }

    deinit {
        if !isFinished { journal.state.withLock { $0.pending = nil } }
    }

    func append(_ chunk: [UInt8], stream: String) throws(JournalError) {
        list.add(chunk, stream: stream)
        chunks.append(chunk)
    }

    func finish(blobs: [ContentHash]) throws(JournalError) -> Snapshot {
        precondition(!isFinished, "the snapshot was finished")
        isFinished = true
        let snapshot = list.snapshot(at: position, blobs: blobs)
        journal.state.withLock {
            $0.add(snapshot, chunks)
            $0.pending = nil
        }
        return snapshot
    }
}
