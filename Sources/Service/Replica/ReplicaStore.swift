import Catalog
import Foundation
import Locking
import Matching
import Messages
import SQLite

/// What a worker holds: the content in memory for searching, and the SQLite file that brings it
/// back after a restart. Both move together, batch by batch.
///
/// Records are applied by one thread at a time; content and blobs may be read from any.
final class ReplicaStore: Sendable {
    /// `@unchecked`: the connection is used under the mutex below and nowhere else.
    private struct Guarded: @unchecked Sendable {
        let database: ReplicaDatabase
    }
    private let current: Locked<ReplicaContent>
    private let database: Locked<Guarded>
    private let log: Log

    /// Opens the replica's folder and reads what it holds.
    ///
    /// - Throws: What the file system or SQLite refuses.
    init(folder: String, log: Log) throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let database = try ReplicaDatabase(path: folder + "/replica.sqlite")
        current = Locked(try ReplicaContent(reading: database))
        self.database = Locked(Guarded(database: database))
        self.log = log
    }

    /// The content as it stands.
    func content() -> ReplicaContent { current.withLock { $0 } }
    /// The last record applied; nil before the first.
    var position: Position? { current.withLock { $0.position } }

    /// A thumbnail or print; nil if it is not here.
    func blob(_ hash: ContentHash) throws -> [UInt8]? {
        try database.withLock { try $0.database.blob(hash) }
    }

    /// Forgets everything, since the journal is another one.
    func reset(epoch: UInt64) {
        current.withLock { $0 = ReplicaContent() }
        write { try $0.clear() }
    }

    /// Applies records in order and moves to a position, in one transaction.
    ///
    /// A record that cannot be applied is put aside and stops nothing.
    func apply(
        _ records: [Record], blobs: [(hash: ContentHash, bytes: [UInt8])],
        through position: Position
    ) {
        let brought = Dictionary(blobs.map { ($0.hash, $0.bytes) }) { first, _ in first }
        var content = content()
        let known = content.putAside.last?.sequence ?? 0
        let fresh = records.filter { Self.isNew($0.position, after: content.position) }
        for record in fresh { apply(record, to: &content, brought) }
        content.position = position
        write { database in
            for (hash, bytes) in brought { try database.putBlob(hash, bytes) }
            for record in fresh { try content.save(record, to: database) }
            for record in content.putAside where record.sequence > known {
                try database.putAside(record)
            }
            try database.setPosition(position)
        }
        current.withLock { $0 = content }
    }

    private static func isNew(_ place: Position?, after last: Position?) -> Bool {
        guard let place, let last, last.epoch == place.epoch else { return place != nil }
        return place.sequence > last.sequence
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
}
