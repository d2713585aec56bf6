import Catalog
import Foundation
import Journal
import Locking
import Matching
import Messages
import Queue
import SQLite
import XXHash

/// What a worker holds: the content in memory for searching, and the SQLite file that brings it
/// back after a restart. Both move together, batch by batch.
///
/// Records are applied by one thread at a time; content and blobs may be read from any.
final class ReplicaStore: Sendable {
    /// `@unchecked`: the connection is used under the lock below and nowhere else.
    private struct Guarded: @unchecked Sendable {
        let database: ReplicaDatabase
    }
    private let current: Locked<ReplicaContent>
    private let database: Locked<Guarded>
    private let log: Log
    /// The snapshot that the file has in part; nil if none.
    let partialSnapshot: PartialSnapshot?

    /// Opens the replica's folder and reads what it holds.
    ///
    /// A file that is damaged, or of another version, is made anew: the journal has all of it.
    ///
    /// - Throws: What the file system or SQLite refuses; `ConfigurationError` if another worker
    ///   has the file.
    init(folder: String, log: Log) throws {
        try OwnerFolder.make(folder)
        let path = folder + "/replica.sqlite"
        let (database, content) = try Self.open(path, log)
        partialSnapshot = try database.partialSnapshot()
        current = Locked(content)
        self.database = Locked(Guarded(database: database))
        self.log = log
    }

    private static func open(
        _ path: String, _ log: Log
    ) throws -> (ReplicaDatabase, ReplicaContent) {
        do {
            let database = try ReplicaDatabase(path: path)
            return (database, try ReplicaContent(reading: database))
        } catch let error as ConfigurationError {
            throw error
        } catch let error as SQLiteError where !error.isOfFile {
            throw error
        } catch {
            log.warning("replica file is made anew", ["error": "\(error)"])
            for suffix in ["", "-wal", "-shm"] where access(path + suffix, F_OK) == 0 {
                try FileManager.default.removeItem(atPath: path + suffix)
            }
            let database = try ReplicaDatabase(path: path)
            return (database, try ReplicaContent(reading: database))
        }
    }

    /// The content as it stands.
    func content() -> ReplicaContent { current.withLock { $0 } }
    /// The last record applied; nil before the first.
    var position: Position? { current.withLock { $0.position } }

    /// A thumbnail or print; nil if it is not here.
    func blob(_ hash: ContentHash) throws -> [UInt8]? {
        try database.withLock { try $0.database.blob(hash) }
    }

    /// Forgets everything but keys, since the journal is another one or a snapshot comes.
    func reset(epoch: UInt64) {
        current.withLock { content in
            let keyring = content.keyring
            content = ReplicaContent()
            content.keyring = keyring
        }
        write { try $0.clear() }
    }

    /// Uses other keys than before, and reads what accounts have under them.
    func replaceKeys(by keys: [AccountKey]) {
        var content = content()
        content.replaceKeys(by: keys)
        write { database in
            try content.readAccounts(from: database)
            try content.saveRows(to: database)
        }
        publish(content)
    }

    /// Uses these keys too.
    func add(_ keys: [AccountKey]) {
        current.withLock { content in
            for key in keys { content.keyring.add(key) }
        }
    }

    /// Applies records in order and moves to a position, in one transaction.
    ///
    /// A record that cannot be applied is put aside and stops nothing.
    ///
    /// - Returns: Accounts of which nothing is kept any more.
    func apply(
        _ records: [Record], blobs: [(hash: ContentHash, bytes: [UInt8])],
        through position: Position
    ) -> [String] {
        var content = content()
        let fresh = records.filter { Self.isNew($0.position, after: content.position) }
        content.position = position
        apply(fresh, blobs: blobs, to: &content) { database in
            try database.setPosition(position)
        }
        return publish(content)
    }

    /// Checks a chunk of a snapshot and applies it.
    ///
    /// - Throws: `SnapshotFault` if it is not what its hash says, or cannot be read.
    func load(_ chunk: SnapshotChunk) throws {
        guard XXHash.of(chunk.bytes) == chunk.hash else {
            throw SnapshotFault("its bytes do not have its hash")
        }
        let part = try SnapshotPart(decoding: chunk.bytes)
        var content = content()
        content.putAside += part.putAside
        apply(part.records, blobs: part.blobs, to: &content) { database in
            for record in part.putAside { try database.putAside(record) }
            try database.setPartialSnapshot(chunk.snapshot)
        }
        publish(content)
    }

    /// Stands at a position, since a snapshot is complete.
    func finishSnapshot(through position: Position) {
        var content = content()
        content.position = position
        write { database in
            try database.setPartialSnapshot(nil)
            try database.setPosition(position)
        }
        publish(content)
    }

    private static func isNew(_ place: Position?, after last: Position?) -> Bool {
        guard let place, let last, last.epoch == place.epoch else { return place != nil }
        return place.sequence > last.sequence
    }

    private func apply(
        _ records: [Record], blobs: [(hash: ContentHash, bytes: [UInt8])],
        to content: inout ReplicaContent, also body: (ReplicaDatabase) throws -> Void
    ) {
        let brought = Dictionary(blobs.map { ($0.hash, $0.bytes) }) { first, _ in first }
        let known = content.putAside.last?.sequence ?? 0
        for record in records { apply(record, to: &content, brought) }
        let endsAccounts = !content.endedAccounts.isEmpty
        write { database in
            for (hash, bytes) in brought { try database.putBlob(hash, bytes) }
            for record in records { try content.save(record, to: database) }
            try content.saveRows(to: database)
            for record in content.putAside where record.sequence > known {
                try database.putAside(record)
            }
            try body(database)
        }
        if endsAccounts { tidy() }
    }

    private func apply(
        _ record: Record, to content: inout ReplicaContent, _ brought: [ContentHash: [UInt8]]
    ) {
        do {
            // A blob that cannot be read is missing, which puts the record aside.
            try content.apply(record) { hash in brought[hash] ?? (try? blob(hash)) ?? nil }
        } catch {
            content.putAside(record, reason: error.description)
            log.warning(
                "record put aside",
                ["sequence": "\(record.position?.sequence ?? 0)", "reason": error.description])
        }
    }

    /// Shows the content to everyone; returns the accounts that ended with it.
    @discardableResult
    private func publish(_ content: ReplicaContent) -> [String] {
        var content = content
        let ended = content.endedAccounts
        content.endedAccounts = []
        content.unsavedRows = []
        let shown = content
        current.withLock { $0 = shown }
        return ended
    }

    /// A failed write leaves the file behind the memory; it catches up from the journal when the
    /// process starts again, since the position was not moved either.
    private func write(_ body: (ReplicaDatabase) throws -> Void) {
        do {
            try database.withLock { guarded in
                let database = guarded.database
                try database.transaction { try body(database) }
            }
        } catch {
            log.error("replica file cannot be written", ["error": "\(error)"])
        }
    }

    /// Moves what was written to the file itself, and leaves nothing of what was removed.
    func tidy() {
        do {
            try database.withLock { try $0.database.forgetRemoved() }
        } catch {
            log.error("replica file cannot be cleaned", ["error": "\(error)"])
        }
    }
}

extension SQLiteError {
    /// The file is not what this version can read.
    fileprivate var isOfFile: Bool { code == .damaged || code == .unknownMigration }
}
