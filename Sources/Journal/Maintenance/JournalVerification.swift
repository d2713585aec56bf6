internal import Messages
internal import XXHash

/// Reads everything in a journal's folder and says what is not as it was written.
///
/// Runs beside the journal: what its compaction removes meanwhile is no fault.
public struct JournalVerification {
    private let path: String
    private let progress: (_ done: Int, _ total: Int) -> Void
    private var report = VerificationReport()
    /// What names each blob, for those that are looked for at the end.
    private var named: [ContentHash: UInt64] = [:]
    /// The records under each key that is not here, and the keys that ended.
    private var keyless: [KeyID: UInt64] = [:]
    private var ended: Set<KeyID> = []
    private var done = 0
    private var total = 0

    /// Verifies the journal in a folder.
    ///
    /// - Parameter progress: Hears how many of the records, chunks and blobs were read.
    /// - Throws: `JournalError` with `notFound` if there is no journal, or as the system says.
    public static func run(
        folder: String, progress: @escaping (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) throws(JournalError) -> VerificationReport {
        var verification = JournalVerification(path: folder, progress: progress)
        try verification.run()
        return verification.report
    }

    private init(path: String, progress: @escaping (Int, Int) -> Void) {
        self.path = path
        self.progress = progress
    }

    private mutating func run() throws(JournalError) {
        let blobs = try BlobStore("\(path)/blobs", mode: .readOnly, probe: .none)
        var hashes: [ContentHash] = []
        try blobs.forEachFolder { hashes += $0 }
        let keyring = keyring()
        if let log = try openLog() {
            let snapshots = try SnapshotStore(
                "\(path)/snapshots", epoch: log.epoch, mode: .readOnly, probe: .none)
            let chunks = snapshots.snapshots.reduce(0) { $0 + $1.chunks.count }
            let records = log.lastSequence + 1 - log.firstSequence
            total = Int(records) + chunks + hashes.count
            do throws(JournalError) {
                try SegmentJournal.check(log, against: snapshots.snapshots, in: path)
            } catch {
                report.add(error, path)
            }
            report.lastSequence = log.lastSequence
            report.unfinished = log.unfinished
            if let damage = log.damage { report.faults.append(damage) }
            readRecords(of: log, keyring)
            readChanges(of: log)
            readChunks(of: snapshots)
            findBlobs(blobs, log, snapshots)
            checkKeys()
        }
        checkMarker()
        read(hashes, in: blobs)
    }

    private mutating func openLog() throws(JournalError) -> SegmentLog? {
        do throws(JournalError) {
            return try SegmentLog(
                folder: path, prefix: "records", mode: .readOnly, newEpoch: 0,
                segmentBytesMax: Limits.segmentBytesMax, recordBytesMax: Limits.recordBytesMax,
                probe: .none,
                expecting: { () throws(JournalError) in try SegmentJournal.expectation(in: path) })
        } catch {
            guard error.code == .damaged else { throw error }
            report.add(error, path)
            return nil
        }
    }

    private mutating func keyring() -> Keyring {
        do throws(JournalError) {
            let keyring = try KeyFile.keyring(in: Folder(path, .none))
            report.keys = keyring.count
            return keyring
        } catch {
            report.add(error, "\(path)/\(KeyFile.name)")
            return Keyring()
        }
    }

    private mutating func readRecords(of log: SegmentLog, _ keyring: Keyring) {
        var after = log.firstSequence - 1
        while after < log.lastSequence {
            var encoded: [[UInt8]] = []
            do throws(JournalError) {
                encoded = try log.read(after: after, recordsMax: 1_024, bytesMax: 16 << 20)
            } catch {
                // What stands behind a damaged record can be read again.
                report.add(error, path)
                after += 1
                continue
            }
            guard !encoded.isEmpty else { return }
            for bytes in encoded {
                after += 1
                take(bytes, after, of: log, keyring)
            }
            step(encoded.count)
        }
    }

    private mutating func take(
        _ bytes: [UInt8], _ sequence: UInt64, of log: SegmentLog, _ keyring: Keyring
    ) {
        let position = Position(epoch: log.epoch, sequence: sequence)
        guard let record = SegmentJournal.record(bytes, at: position) else {
            let place = log.place(of: sequence)
            report.faults.append(
                SegmentDamage(
                    file: place?.file ?? path, offset: place?.offset ?? 0,
                    reason: "record \(sequence) cannot be decoded"))
            return
        }
        report.records += 1
        if let id = record.fields.keyID, keyring[id] == nil {
            report.erasedRecords += 1
            keyless[id, default: 0] += 1
        }
        ended.formUnion(record.fields.retiredKeys)
        for blob in record.fields.blobs where named[blob.hash] == nil {
            named[blob.hash] = sequence
        }
    }

    /// A key that no record ended has to be here; a backup has none.
    private mutating func checkKeys() {
        guard Folder(path, .none).size(of: BackupMarker.name) == nil else { return }
        let lost = keyless.filter { !ended.contains($0.key) }
        guard !lost.isEmpty else { return }
        let records = lost.values.reduce(0, +)
        report.faults.append(
            SegmentDamage(
                file: "\(path)/\(KeyFile.name)", offset: 0,
                reason:
                    "\(lost.count) keys of \(records) records are not here, and were not ended: "
                    + "lost, or the journal was restored without them"))
    }

    /// A backup goes as far as it says.
    private mutating func checkMarker() {
        do throws(JournalError) {
            guard let marker = try BackupMarker.read(in: Folder(path, .none)),
                report.lastSequence < marker.position.sequence
            else { return }
            report.faults.append(
                SegmentDamage(
                    file: path, offset: 0,
                    reason: "records \(report.lastSequence + 1) to \(marker.position.sequence) "
                        + "are missing"))
        } catch {
            report.add(error, path)
        }
    }

    private mutating func readChanges(of log: SegmentLog) {
        do throws(JournalError) {
            _ = try ChangeFile.read(epoch: log.epoch, in: Folder(path, .none))
        } catch {
            report.add(error, "\(path)/\(ChangeFile.name)")
        }
    }

    private mutating func readChunks(of store: SnapshotStore) {
        report.faults += store.damage
        for snapshot in store.snapshots {
            report.snapshots += 1
            let file = "\(store.folder.path)/\(SnapshotStore.name(of: snapshot)).chunks"
            var offset = 0
            for (index, chunk) in snapshot.chunks.enumerated() {
                do throws(JournalError) {
                    let bytes = try store.chunk(index, of: snapshot.id)
                    if let bytes, XXHash.of(bytes) != chunk.hash {
                        report.faults.append(
                            SegmentDamage(
                                file: file, offset: offset,
                                reason: "chunk \(index) no longer has its hash"))
                    }
                } catch {
                    report.add(error, file)
                }
                report.chunks += 1
                offset += chunk.byteCount
                step(1)
            }
        }
    }

    /// Looks for every blob that a record or a snapshot names.
    private mutating func findBlobs(
        _ blobs: BlobStore, _ log: SegmentLog, _ store: SnapshotStore
    ) {
        func miss(_ hash: ContentHash, _ who: String) -> SegmentDamage {
            SegmentDamage(
                file: blobs.path(of: hash), offset: 0, reason: "missing; \(who) names it")
        }
        for (hash, sequence) in named.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) })
        where blobs.size(of: hash) == nil && log.hasFileNow(of: sequence) {
            report.faults.append(miss(hash, "record \(sequence)"))
        }
        for snapshot in store.snapshots {
            let manifest = SnapshotStore.name(of: snapshot) + ".manifest"
            for hash in snapshot.blobs
            where named[hash] == nil && blobs.size(of: hash) == nil
                && store.folder.size(of: manifest) != nil
            {
                report.faults.append(
                    miss(hash, "the snapshot at \(snapshot.position.sequence)"))
            }
        }
    }

    private mutating func read(_ hashes: [ContentHash], in blobs: BlobStore) {
        for hash in hashes {
            do throws(JournalError) {
                if try blobs.read(hash) != nil { report.blobs += 1 }
            } catch {
                report.add(error, blobs.path(of: hash))
            }
            step(1)
        }
    }

    private mutating func step(_ count: Int) {
        done += count
        progress(done, max(total, done))
    }
}
