public import Messages

/// What came out of a backup.
public struct RestoreResult: Sendable, Equatable {
    /// The head of the new journal.
    public internal(set) var position = Position(epoch: 0, sequence: 0)
    /// Records that were written.
    public internal(set) var records: UInt64 = 0
    /// Snapshots that were written.
    public internal(set) var snapshots = 0
    /// Blobs that were written.
    public internal(set) var blobs = 0
    /// Keys of accounts.
    public internal(set) var keys = 0
    /// Faults of the backup; what they concern is left out.
    public internal(set) var faults: [SegmentDamage] = []

    /// Nothing yet.
    init() {}
}

/// Makes a journal of a backup, with a new epoch, so that no position means two things and every
/// replica notices.
public struct JournalRestore {
    private let source: String
    private let folder: Folder
    private let epoch: UInt64
    private var result = RestoreResult()

    /// Restores a backup into a journal's folder, which must not exist or be empty.
    ///
    /// - Parameters:
    ///   - backup: The folder that `JournalBackup` made.
    ///   - folder: The new journal's.
    ///   - keys: A file that `JournalBackup.writeKeys` wrote; without it what belongs to accounts
    ///     stays unreadable.
    ///   - epoch: Random.
    ///   - upToDamage: Take what a damaged backup still has, instead of refusing it.
    ///   - progress: Hears how many records, chunks and blobs were verified.
    /// - Throws: `JournalError` with `notFound` if there is no backup, `notEmpty` if the folder
    ///   is not, `damaged` if the backup is, or as the system says. Nothing is left behind then.
    public static func run(
        backup: String, to folder: String, keys: String?, epoch: UInt64, upToDamage: Bool,
        progress: @escaping (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) throws(JournalError) -> RestoreResult {
        let target = Folder(folder, .none)
        let isFree = target.exists() ? try target.names().isEmpty : true
        guard isFree else {
            throw JournalError(.notEmpty, "\(folder) is not empty")
        }
        guard Folder(backup, .none).size(of: BackupMarker.name) != nil else {
            throw JournalError(.notFound, "\(backup) holds no backup")
        }
        let report = try JournalVerification.run(folder: backup, progress: progress)
        if let fault = report.faults.first, !upToDamage {
            throw JournalError(
                .damaged, "\(fault); \(report.faults.count) fault(s) in all", damage: fault)
        }
        var restore = JournalRestore(source: backup, folder: target, epoch: epoch)
        restore.result.faults = report.faults
        try restore.run(keys: keys)
        return restore.result
    }

    private init(source: String, folder: Folder, epoch: UInt64) {
        self.source = source
        self.folder = folder
        self.epoch = epoch
    }

    /// Everything is made beside the folder and gets its name at last.
    private mutating func run(keys: String?) throws(JournalError) {
        let journal = try SegmentJournal(folder: source, mode: .readOnly, newEpoch: 0)
        let fresh = Folder(folder.path + ".restoring", .none)
        try fresh.removeAll()
        try fresh.make()
        if let keys { result.keys = try KeyFile.copy(from: keys, to: fresh) }
        try writeBlobs(of: journal, to: fresh)
        try writeRecords(of: journal, to: fresh)
        try writeSnapshots(of: journal, to: fresh)
        try writeChanges(of: journal, to: fresh)
        try fresh.sync()
        try folder.take(the: fresh)
        result.position = Position(epoch: epoch, sequence: result.position.sequence)
    }

    private mutating func writeBlobs(
        of journal: SegmentJournal, to fresh: Folder
    ) throws(JournalError) {
        let blobs = try BlobStore("\(fresh.path)/blobs", mode: .readWrite, probe: .none)
        var hashes: [ContentHash] = []
        try journal.blobs.forEachFolder { hashes += $0 }
        for start in stride(from: 0, to: hashes.count, by: 8) {
            var batch: [(hash: ContentHash, bytes: [UInt8])] = []
            for hash in hashes[start..<min(start + 8, hashes.count)] {
                // A damaged one was reported, and is asked for only up to damage.
                if let bytes = try? journal.blob(hash) { batch.append((hash, bytes)) }
            }
            try blobs.store(batch, existing: [])
            result.blobs += batch.count
        }
    }

    private mutating func writeRecords(
        of journal: SegmentJournal, to fresh: Folder
    ) throws(JournalError) {
        let first = journal.firstSequence
        _ = try SegmentOpening.create(fresh, "records", epoch: epoch, firstSequence: first)
        let log = try SegmentLog(
            folder: fresh.path, prefix: "records", mode: .readWrite, newEpoch: epoch)
        var after = first - 1
        while after < journal.head.sequence {
            var records: [Record] = []
            do throws(JournalError) {
                records = try journal.read(after: after, recordsMax: 1_024, bytesMax: 16 << 20)
            } catch {
                // Only up to damage: a damaged backup was refused otherwise.
                guard error.code == .damaged else { throw error }
            }
            guard !records.isEmpty else { break }
            let encoded = records.map { record in
                var moved = record
                moved.fields.position = record.position.map {
                    Position(epoch: epoch, sequence: $0.sequence)
                }
                return moved.encoded()
            }
            try log.append(encoded, synced: false, isCopy: true)
            after += UInt64(records.count)
        }
        try log.sync()
        result.records = after + 1 - first
        result.position = Position(epoch: epoch, sequence: after)
    }

    private mutating func writeSnapshots(
        of journal: SegmentJournal, to fresh: Folder
    ) throws(JournalError) {
        let store = try SnapshotStore(
            "\(fresh.path)/snapshots", epoch: epoch, mode: .readWrite, probe: .none)
        for snapshot in journal.snapshots
        where snapshot.position.sequence <= result.position.sequence {
            let writer = try store.begin(
                at: Position(epoch: epoch, sequence: snapshot.position.sequence))
            guard try write(snapshot, of: journal, with: writer) else { continue }
            _ = try writer.finish(blobs: snapshot.blobs)
            result.snapshots += 1
        }
    }

    /// False if a chunk is damaged, so that the snapshot is left out.
    private func write(
        _ snapshot: Snapshot, of journal: SegmentJournal, with writer: SnapshotFileWriter
    ) throws(JournalError) -> Bool {
        for (index, chunk) in snapshot.chunks.enumerated() {
            guard let bytes = try journal.chunk(index, of: snapshot.id), chunk.holds(bytes) else {
                return false
            }
            try writer.append(bytes, stream: chunk.stream)
        }
        return true
    }

    private func writeChanges(
        of journal: SegmentJournal, to fresh: Folder
    ) throws(JournalError) {
        guard journal.firstSequence > 1 else { return }
        let changes = try ChangeFile.read(epoch: journal.epoch, in: journal.folder)
        var window = ChangeWindow(countMax: max(changes.count, 1))
        for (key, sequence) in changes { window.insert(key, sequence) }
        try ChangeFile.write(window, epoch: epoch, in: fresh)
    }
}
