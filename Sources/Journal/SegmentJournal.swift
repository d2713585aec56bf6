internal import Locking
public import Messages

/// A journal in a folder: segment files for the records, one file for each blob.
///
/// ```
/// FOLDER/records-00000000000000000001.segment   see `SegmentFormat`
/// FOLDER/records.lock                           locked by the process that writes
/// FOLDER/blobs/ab/cdef…                         a blob under its hash
/// FOLDER/blobs/incoming/                        blobs that are not on the disk yet
/// FOLDER/snapshots/                             see `SnapshotStore`
/// FOLDER/changes                                changes of removed records, see `ChangeFile`
/// FOLDER/keys                                   see `KeyFile`
/// ```
/// Blobs are on the disk before the records that name them, and records before `append` returns.
/// Damage to what was synced is reported by `damage`: records before it are served, and `append`
/// throws `damaged`.
public final class SegmentJournal: JournalBackend {
    let folder: Folder
    let log: SegmentLog
    let blobs: BlobStore
    let snapshotStore: SnapshotStore
    /// Held while a group is stored, so that groups take their turns.
    let window: Locked<ChangeWindow>
    /// Held while records, snapshots and blobs are removed.
    let compacting = Locked<Void>(())
    private let vault: KeyVault
    private let declaredZoneData: Locked<String?>

    /// Opens the journal in a folder.
    ///
    /// - Parameters:
    ///   - folder: Made for writing if it does not exist, for its owner only.
    ///   - mode: Whether records are to be stored. One process may write; any number may read
    ///     beside it, and see what it adds by `refresh`.
    ///   - newEpoch: The epoch of a journal that is made now; random.
    ///   - segmentBytesMax: Bytes of a segment file after which the next one begins.
    ///   - changeWindowMax: Changes whose source and id are remembered.
    /// - Throws: `JournalError` with `notFound` if there is nothing to read, `locked` if another
    ///   process writes, `damaged` if not even the epoch can be read, or as the system says.
    public convenience init(
        folder: String, mode: SegmentLog.Mode, newEpoch: UInt64,
        segmentBytesMax: Int = Limits.segmentBytesMax,
        changeWindowMax: Int = Limits.changeWindowMax
    ) throws(JournalError) {
        try self.init(
            folder: folder, mode: mode, newEpoch: newEpoch, segmentBytesMax: segmentBytesMax,
            changeWindowMax: changeWindowMax, probe: .none)
    }

    /// The same, with a seam for tests.
    package init(
        folder path: String, mode: SegmentLog.Mode, newEpoch: UInt64,
        segmentBytesMax: Int = Limits.segmentBytesMax,
        changeWindowMax: Int = Limits.changeWindowMax, probe: DiskProbe
    ) throws(JournalError) {
        folder = Folder(path, probe)
        log = try SegmentLog(
            folder: path, prefix: "records", mode: mode, newEpoch: newEpoch,
            segmentBytesMax: segmentBytesMax, recordBytesMax: Limits.recordBytesMax, probe: probe,
            expecting: { () throws(JournalError) in try Self.expectation(in: path) })
        blobs = try BlobStore("\(path)/blobs", mode: mode, probe: probe)
        snapshotStore = try SnapshotStore(
            "\(path)/snapshots", epoch: log.epoch, mode: mode, probe: probe)
        vault = try KeyVault(in: folder, mode: mode)
        try Self.check(log, against: snapshotStore.snapshots, in: path)
        let past = try Past(
            of: log, in: folder, keyring: vault.keyring, countMax: changeWindowMax)
        window = Locked(past.window)
        declaredZoneData = Locked(past.zoneData)
        guard mode == .readWrite else { return }
        // A crash may have come between storing a record and destroying the key that it retires,
        // or noting what it states.
        try vault.destroy(past.retiredKeys)
        try vault.state(past.statedAccess.map { (key: $0, status: $1) })
    }

    /// What the files beside the records say of them.
    static func expectation(in path: String) throws(JournalError) -> SegmentExpectation {
        var expectation = SegmentExpectation()
        let snapshots = Folder("\(path)/snapshots", .none)
        if snapshots.exists() {
            let last = try snapshots.names().filter { $0.hasSuffix(".manifest") }
                .compactMap { UInt64($0.prefix(20)) }.max()
            expectation.lastMin = last ?? 0
        }
        let blobs = try BlobStore("\(path)/blobs", mode: .readOnly, probe: .none)
        var hasBlobs = false
        try blobs.forEachFolder { hasBlobs = hasBlobs || !$0.isEmpty }
        let hasKeys = Folder(path, .none).size(of: KeyFile.name) ?? 0 > 0
        expectation.mayBegin = expectation.lastMin == 0 && !hasBlobs && !hasKeys
        return expectation
    }

    /// The journal that the positions belong to.
    public var epoch: UInt64 { log.epoch }
    /// The position of the last record that is stored and synced.
    public var head: Position { Position(epoch: epoch, sequence: log.lastSequence) }
    /// The place behind which records cannot be read; nil if all can.
    public var damage: SegmentDamage? { log.damage }
    /// The torn write that was cut off when the journal was opened; nil if there was none.
    public var cut: SegmentDamage? { log.cut }

    /// Finds what the writer has appended since; nothing changes if this one writes.
    ///
    /// - Throws: `JournalError` as the system says.
    public func refresh() throws(JournalError) {
        guard log.mode == .readOnly else { return }
        try log.refresh()
        try snapshotStore.refresh()
    }

    /// Stores a group of changes in order and returns once they are synced.
    ///
    /// - Throws: `JournalError` with `readOnly`, `damaged`, as the system says, or `stopped`
    ///   after an earlier failure.
    public func append(_ entries: [JournalEntry]) throws(JournalError) -> [AppendOutcome] {
        try window.withLock { (window) throws(JournalError) in
            try log.checkWritable()
            let plan = AppendPlan(
                entries, head: head, window: window, keyring: vault.keyring
            ) { blobs.size(of: $0) }
            do throws(JournalError) {
                try vault.add(plan.newKeys)
                try blobs.store(plan.blobs, existing: plan.existing)
            } catch {
                // A blob that may not be on the disk has its name already.
                log.stop(error)
                throw error
            }
            try log.append(plan.encoded)
            do throws(JournalError) {
                try vault.destroy(plan.retiredKeys)
                try vault.state(plan.statedAccess)
            } catch {
                log.stop(error)
                throw error
            }
            plan.remember(in: &window)
            if let version = plan.zoneData { declaredZoneData.withLock { $0 = version } }
            return plan.outcomes
        }
    }

    /// The records behind a sequence, in order, each with its position.
    ///
    /// - Throws: `JournalError` if the first of them cannot be read, with `compacted` if it was
    ///   removed, with `damaged` if it is not as it was written.
    public func read(
        after sequence: UInt64, recordsMax: Int, bytesMax: Int
    ) throws(JournalError) -> [Record] {
        let first = firstSequence
        guard sequence + 1 >= first else {
            throw JournalError(.compacted, "records before \(first) are in snapshots only")
        }
        var records: [Record] = []
        let encoded = try log.read(after: sequence, recordsMax: recordsMax, bytesMax: bytesMax)
        for (index, bytes) in encoded.enumerated() {
            let position = Position(epoch: epoch, sequence: sequence + UInt64(index) + 1)
            guard let record = Self.record(bytes, at: position) else {
                guard records.isEmpty else { break }
                // A compaction may have removed the record after the look at `firstSequence`.
                guard position.sequence >= firstSequence else {
                    throw JournalError(.compacted, "record \(position.sequence) was removed")
                }
                throw JournalError(.damaged, "record \(position.sequence) cannot be decoded")
            }
            records.append(record)
        }
        return records
    }

    /// A stored blob; nil if there is none.
    ///
    /// - Throws: `JournalError` with `damaged` if its bytes no longer have this hash.
    public func blob(_ hash: ContentHash) throws(JournalError) -> [UInt8]? {
        try blobs.read(hash)
    }

    /// Whether a blob is stored.
    public func hasBlob(_ hash: ContentHash) -> Bool { blobs.size(of: hash) != nil }

    /// The keys of all accounts, as they are.
    public var keyring: Keyring { vault.keyring }

    /// Snapshots show what records there were: those in front of the files must be in one, and
    /// those in one must not be missing behind the files.
    static func check(
        _ log: SegmentLog, against snapshots: [Snapshot], in path: String
    ) throws(JournalError) {
        let newest = snapshots.last?.position.sequence ?? 0
        // The writer may have gone on while a reader looked at one file after another.
        if newest > log.lastSequence { try log.refresh() }
        guard log.firstSequence == 1 || newest + 1 >= log.firstSequence else {
            let missing = log.firstSequence - 1
            throw SegmentDamage(
                file: path, offset: 0, reason: "the files of records 1 to \(missing) are missing"
            ).error
        }
        if newest > log.lastSequence {
            log.markDamaged("record \(log.lastSequence + 1), which a snapshot holds, is missing")
        }
    }

    /// The time zone data that the last `zone.declare` names; nil if none is remembered, or for a
    /// journal that is only read.
    public var zoneData: String? { declaredZoneData.withLock { $0 } }

    static func record(_ bytes: [UInt8], at position: Position) -> Record? {
        // A record that cannot be decoded is damage, whatever the codec says of it.
        guard let record = try? Record(decoding: bytes[...]), record.position == position else {
            return nil
        }
        return record
    }
}
