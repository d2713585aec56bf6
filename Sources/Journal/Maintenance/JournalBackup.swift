public import Messages

/// What a backup copied.
public struct BackupResult: Sendable, Equatable {
    /// Up to where the backup goes.
    public internal(set) var position = Position(epoch: 0, sequence: 0)
    /// Files that were copied, and their bytes.
    public internal(set) var files = 0
    /// See `files`.
    public internal(set) var bytes = 0
    /// Files that an earlier backup had copied already.
    public internal(set) var present = 0

    /// Nothing yet.
    init() {}
}

/// Copies a journal into another folder, beside the running journal, up to where it stands at
/// the start. Keys are not copied.
///
/// The copy has the form of a journal's folder, with a file `backup` that says how far it goes. A
/// folder with an earlier backup of the same journal is brought up to date.
public struct JournalBackup {
    private let journal: SegmentJournal
    private let target: Folder
    private let progress: (_ done: Int, _ total: Int) -> Void
    private var result = BackupResult()
    private var kept: Set<String> = [BackupMarker.name]
    /// Bytes that are copied at once.
    private static let pieceBytes = 4 << 20

    /// Makes a backup of the journal in a folder.
    ///
    /// - Parameters:
    ///   - folder: The journal's.
    ///   - target: Made if it does not exist; empty, or with a backup of the same journal.
    ///   - progress: Hears how many files are done.
    /// - Throws: `JournalError` with `notFound` if there is no journal, `notEmpty` if the target
    ///   holds something else, `damaged` if the journal is, or as the system says.
    public static func run(
        folder: String, to target: String,
        progress: @escaping (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) throws(JournalError) -> BackupResult {
        for _ in 0..<attempts {
            do throws(JournalError) {
                return try attempt(folder, target, progress)
            } catch {
                // A compaction removed what was about to be copied; there is a snapshot of it now.
                guard error.code == .compacted else { throw error }
            }
        }
        return try attempt(folder, target, progress)
    }

    private static let attempts = 4

    private static func attempt(
        _ folder: String, _ target: String, _ progress: @escaping (Int, Int) -> Void
    ) throws(JournalError) -> BackupResult {
        let journal = try SegmentJournal(folder: folder, mode: .readOnly, newEpoch: 0)
        if let damage = journal.damage ?? journal.snapshotDamage.first { throw damage.error }
        var backup = JournalBackup(
            journal: journal, target: Folder(target, .none), progress: progress)
        try backup.run()
        return backup.result
    }

    /// Writes the keys of a journal's accounts to a file of their own, for its owner only.
    ///
    /// - Returns: How many there are.
    /// - Throws: `JournalError` as the system says.
    public static func writeKeys(of folder: String, to path: String) throws(JournalError) -> Int {
        let keyring = try KeyFile.keyring(in: Folder(folder, .none))
        try KeyFile.write(keyring, to: path)
        return keyring.count
    }

    private init(
        journal: SegmentJournal, target: Folder, progress: @escaping (Int, Int) -> Void
    ) {
        self.journal = journal
        self.target = target
        self.progress = progress
    }

    private mutating func run() throws(JournalError) {
        try target.make()
        try checkTarget()
        result.position = journal.head
        let snapshots = journal.snapshots
        let named = try namedBlobs(snapshots)
        let total = named.count + 2 * snapshots.count + journal.log.fileCount + 1
        try copyBlobs(named, total)
        for snapshot in snapshots { try copy(snapshot, total) }
        try copyChanges()
        for (name, file, end) in journal.log.contents {
            try copy(file, end, name, to: target)
            progress(result.files + result.present, total)
        }
        try target.sync()
        try BackupMarker(position: result.position).write(in: target)
        try removeOthers(blobs: named)
        progress(total, total)
    }

    private func checkTarget() throws(JournalError) {
        let marker = try BackupMarker.read(in: target)
        if let marker {
            guard marker.position.epoch == journal.epoch else {
                throw JournalError(
                    .notEmpty, "\(target.path) holds a backup of another journal")
            }
            return
        }
        // An earlier attempt may have been stopped before its end: then all is a journal's.
        let own = ["blobs", "snapshots", ChangeFile.name, BackupMarker.name + ".new"]
        let foreign = try target.names().first {
            !own.contains($0) && !$0.hasPrefix("records-") && !$0.hasPrefix(ChangeFile.name)
        }
        if let foreign {
            throw JournalError(
                .notEmpty, "\(target.path) holds '\(foreign)', which is no part of a backup")
        }
    }

    private func namedBlobs(_ snapshots: [Snapshot]) throws(JournalError) -> [ContentHash] {
        var named = Set(snapshots.flatMap(\.blobs))
        var after = journal.firstSequence - 1
        while after < result.position.sequence {
            let records = try journal.read(after: after, recordsMax: 1_024, bytesMax: 16 << 20)
            for record in records { named.formUnion(record.fields.blobs.map(\.hash)) }
            after += UInt64(records.count)
        }
        return named.sorted()
    }

    private mutating func copyBlobs(_ named: [ContentHash], _ total: Int) throws(JournalError) {
        let blobs = try BlobStore("\(target.path)/blobs", mode: .readWrite, probe: .none)
        var waiting: [(hash: ContentHash, bytes: [UInt8])] = []
        var bytes = 0
        for hash in named {
            if blobs.size(of: hash) != nil {
                result.present += 1
                continue
            }
            guard let blob = try journal.blob(hash) else {
                throw JournalError(.compacted, "blob \(hash) was removed, or is missing")
            }
            waiting.append((hash, blob))
            bytes += blob.count
            if waiting.count == 64 || bytes >= Self.pieceBytes {
                try store(&waiting, &bytes, in: blobs)
                progress(result.files + result.present, total)
            }
        }
        try store(&waiting, &bytes, in: blobs)
    }

    private mutating func store(
        _ waiting: inout [(hash: ContentHash, bytes: [UInt8])], _ bytes: inout Int,
        in blobs: BlobStore
    ) throws(JournalError) {
        try blobs.store(waiting, existing: [])
        result.files += waiting.count
        result.bytes += bytes
        waiting = []
        bytes = 0
    }

    /// The chunks first: without its manifest a file of chunks is none of a journal's.
    private mutating func copy(_ snapshot: Snapshot, _ total: Int) throws(JournalError) {
        let folder = target.folder("snapshots")
        try folder.make()
        for end in [".chunks", ".manifest"] {
            let name = SnapshotStore.name(of: snapshot) + end
            guard let file = try journal.snapshotStore.folder.fileIfAny(name) else {
                throw JournalError(.compacted, "a snapshot was removed")
            }
            try copy(file, try file.size(), name, to: folder)
            try folder.sync()
            kept.insert(name)
            progress(result.files + result.present, total)
        }
    }

    private mutating func copyChanges() throws(JournalError) {
        guard let file = try journal.folder.fileIfAny(ChangeFile.name) else { return }
        let bytes = try file.read(at: 0, count: try file.size())
        try target.replace(ChangeFile.name, by: bytes)
        kept.insert(ChangeFile.name)
        result.files += 1
        result.bytes += bytes.count
    }

    /// Copies the beginning of a file, unless the target has all of it.
    private mutating func copy(
        _ file: File, _ end: Int, _ name: String, to folder: Folder
    ) throws(JournalError) {
        kept.insert(name)
        // Files of this name only ever grow, so the same size means the same bytes.
        guard folder.size(of: name) != end else {
            result.present += 1
            return
        }
        let copy = try folder.file(name + ".new", .write)
        try copy.truncate(to: 0)
        var offset = 0
        while offset < end {
            let piece = try file.read(at: offset, count: min(Self.pieceBytes, end - offset))
            guard !piece.isEmpty else { break }
            try copy.write(piece, at: offset)
            offset += piece.count
        }
        try copy.sync()
        try folder.rename(name + ".new", to: folder, name)
        result.files += 1
        result.bytes += end
    }

    /// Removes what an earlier backup held and the journal does no more.
    private func removeOthers(blobs named: [ContentHash]) throws(JournalError) {
        for name in try target.names()
        where !kept.contains(name) && name != "blobs" && name != "snapshots" {
            try target.remove(name)
        }
        let snapshots = target.folder("snapshots")
        if snapshots.exists() {
            for name in try snapshots.names() where !kept.contains(name) {
                try snapshots.remove(name)
            }
        }
        let wanted = Set(named)
        let blobs = try BlobStore("\(target.path)/blobs", mode: .readWrite, probe: .none)
        try blobs.forEachFolder { (hashes) throws(JournalError) in
            for hash in hashes where !wanted.contains(hash) { _ = try blobs.remove(hash) }
        }
    }
}
