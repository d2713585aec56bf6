package import Catalog
import Foundation
import Journal
import Locking
import Matching
package import Messages
package import Queue
import SQLite
import Synchronization
import XXHash

/// What a worker holds: the content in memory for searching, and the SQLite file that brings it
/// back after a restart. Both move together, batch by batch.
///
/// Records are applied by one thread at a time; content and blobs may be read from any.
package final class ReplicaStore: Sendable {
    /// `@unchecked`: the connection is used under the lock below and nowhere else.
    private struct Guarded: @unchecked Sendable {
        let database: ReplicaDatabase
    }
    private static let printsRemovedTogether = 64
    private let current: Locked<ReplicaContent>
    /// Held by whoever changes the content: what is applied, and what a merge of the index made.
    private let changing = Locked(())
    /// Held by the one that merges.
    let merging = Locked(())
    private let closing = Atomic<Bool>(false)
    var isClosing: Bool { closing.load(ordering: .relaxed) }
    private let database: Locked<Guarded>
    let log: Log
    /// The snapshot that the file has in part; nil if none.
    package let partialSnapshot: PartialSnapshot?

    /// Opens the replica's folder and reads what it holds.
    ///
    /// A file that is damaged, or of another version, is made anew: the journal has all of it.
    ///
    /// - Throws: What the file system or SQLite refuses; `ConfigurationError` if another worker
    ///   has the file.
    package init(
        folder: String, routeSchemes: RouteSchemes = RouteSchemes(), log: Log
    ) throws {
        try OwnerFolder.make(folder)
        let path = folder + "/replica.sqlite"
        let index = try IndexFolder(path: folder + "/index", log: log)
        var (database, content) = try Self.open(path, index, log)
        content.routeSchemes = routeSchemes
        content.sweepIndexFiles()
        partialSnapshot = try database.partialSnapshot()
        current = Locked(content)
        self.database = Locked(Guarded(database: database))
        self.log = log
    }

    private static func open(
        _ path: String, _ index: IndexFolder, _ log: Log
    ) throws -> (ReplicaDatabase, ReplicaContent) {
        do {
            let database = try ReplicaDatabase(path: path)
            return (database, try ReplicaContent(reading: database, indexFolder: index))
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
            return (database, try ReplicaContent(reading: database, indexFolder: index))
        }
    }

    /// The content as it stands.
    package func content() -> ReplicaContent { current.withLock { $0 } }
    /// The last record applied; nil before the first.
    package var position: Position? { current.withLock { $0.position } }

    /// A thumbnail, or a print that no index file has yet; nil if it is not here.
    func blob(_ hash: ContentHash) throws -> [UInt8]? {
        try database.withLock { try $0.database.blob(hash) }
    }

    /// Forgets everything but keys, since the journal is another one or a snapshot comes.
    package func reset(epoch: UInt64) {
        changing.withLock { _ in
            current.withLock { content in
                let (keyring, indexFolder) = (content.keyring, content.indexFolder)
                let routeSchemes = content.routeSchemes
                content = ReplicaContent()
                content.routeSchemes = routeSchemes
                content.keyring = keyring
                content.indexFolder = indexFolder
            }
            write { try $0.clear() }
        }
    }

    /// Uses other keys than before, and reads what accounts have under them.
    package func replaceKeys(by keys: [AccountKey]) {
        change { content in
            content.replaceKeys(by: keys)
            write { database in
                try content.readAccounts(from: database)
                try content.saveRows(to: database)
            }
        }
    }

    /// Uses these keys too.
    package func add(_ keys: [AccountKey]) {
        current.withLock { content in
            for key in keys { content.keyring.add(key) }
        }
    }

    /// Applies records in order and moves to a position, in one transaction.
    ///
    /// A record that cannot be applied is put aside and stops nothing.
    ///
    /// - Returns: Accounts of which nothing is kept any more, and what else lists depend on.
    package func apply(
        _ records: [Record], blobs: [(hash: ContentHash, bytes: [UInt8])],
        through position: Position
    ) -> ReplicaNews {
        if isIndexBehind { mergeIndex() }
        return change { content in
            let fresh = records.filter { Self.isNew($0.position, after: content.position) }
            content.position = position
            apply(fresh, blobs: blobs, to: &content) { database in
                try database.setPosition(position)
            }
        }
    }

    /// Checks a chunk of a snapshot and applies it.
    ///
    /// - Throws: `SnapshotFault` if it is not what its hash says, or cannot be read.
    package func load(_ chunk: SnapshotChunk) throws {
        guard XXHash.of(chunk.bytes) == chunk.hash else {
            throw SnapshotFault("its bytes do not have its hash")
        }
        let part = try SnapshotPart(decoding: chunk.bytes)
        if isIndexBehind { mergeIndex() }
        change { content in
            content.putAside += part.putAside
            apply(part.records, blobs: part.blobs, to: &content) { database in
                for record in part.putAside { try database.putAside(record) }
                try database.setPartialSnapshot(chunk.snapshot)
            }
        }
    }

    /// Stands at a position, since a snapshot is complete.
    package func finishSnapshot(through position: Position) {
        change { content in
            content.position = position
            write { database in
                try database.setPartialSnapshot(nil)
                try database.setPosition(position)
            }
        }
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
            for record in records { try content.save(record, brought, to: database) }
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

    /// Puts what a merge of the index made into a catalog, if its sources are still there.
    func adopt(_ result: SegmentMerge.Result, _ catalog: String) {
        changing.withLock { _ in
            current.withLock { content in
                _ = content.catalogs[catalog]?.prints.adopt(result)
            }
        }
    }

    /// Removes prints that an index file has now from the file of the replica, a few at a time: changes
    /// wait meanwhile.
    func removePrints(_ names: [PrintName]) {
        for start in stride(from: 0, to: names.count, by: Self.printsRemovedTogether) {
            changing.withLock { _ in
                let unkept = content().unkeptNames
                let kept = names[start...].prefix(Self.printsRemovedTogether).filter {
                    !unkept.contains($0)
                }
                write { database in
                    for hash in kept.compactMap(ContentHash.init) {
                        try database.removePrint(hash)
                    }
                }
            }
        }
    }

    /// Removes the index files that are not used any more; not beside a merge.
    func sweepIndex() { content().sweepIndexFiles() }

    /// Stops what runs in the background.
    package func close() { closing.store(true, ordering: .relaxed) }

    /// Changes a copy of the content while nobody else does, and shows it to everyone; returns
    /// what others have to know of it.
    @discardableResult
    private func change(_ body: (inout ReplicaContent) -> Void) -> ReplicaNews {
        changing.withLock { _ in
            var content = content()
            body(&content)
            let news = ReplicaNews(
                endedAccounts: content.endedAccounts, changed: content.changed)
            content.endedAccounts = []
            content.changed = WorkerChange()
            content.unsavedRows = []
            let shown = content
            current.withLock { $0 = shown }
            return news
        }
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

/// What others have to know of records that were applied.
package struct ReplicaNews: Sendable {
    /// Accounts of which nothing is kept any more.
    package let endedAccounts: [String]
    /// What lists may depend on.
    package let changed: WorkerChange
}

extension SQLiteError {
    /// The file is not what this version can read.
    fileprivate var isOfFile: Bool { code == .damaged || code == .unknownMigration }
}
