import Foundation
import Matching
import Messages
import Queue
import SQLite

/// The SQLite file of a replica: what its content is built from when the process starts again.
///
/// Rows are derived from records alone; deleted ones are overwritten (`secure_delete`).
struct ReplicaDatabase {
    private let connection: SQLite.Connection

    /// Opens or creates the file and brings it to the current shape.
    init(path: String) throws {
        connection = try Self.openAlone(path)
        try connection.migrate(Self.migrations)
    }

    /// Opens the file and holds it until the process ends: a replica has one worker.
    private static func openAlone(_ path: String) throws -> SQLite.Connection {
        // For its owner only, before SQLite makes it for everyone.
        let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
        do {
            let connection = try SQLite.Connection(path: path)
            try connection.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT")
            return connection
        } catch {
            guard error.code == .busy else { throw error }
            throw ConfigurationError(
                "'\(path)' belongs to a worker that is running; give this one another --name")
        }
    }

    /// A file of another shape, or with prints of another version, is not changed but made anew: the
    /// journal has all of it.
    private static let migrations = [
        Migration(
            "7 prints \(FeaturePrint.version) until an index file has them",
            """
            CREATE TABLE place (only INTEGER PRIMARY KEY CHECK (only = 1),
                epoch BLOB NOT NULL, sequence INTEGER NOT NULL);
            CREATE TABLE zone_data (only INTEGER PRIMARY KEY CHECK (only = 1),
                version TEXT NOT NULL);
            CREATE TABLE partial_snapshot (only INTEGER PRIMARY KEY CHECK (only = 1),
                id BLOB NOT NULL, epoch BLOB NOT NULL, sequence INTEGER NOT NULL,
                next_chunk INTEGER NOT NULL);
            CREATE TABLE print_version (only INTEGER PRIMARY KEY CHECK (only = 1),
                version TEXT NOT NULL);
            CREATE TABLE type (name TEXT PRIMARY KEY, json BLOB NOT NULL) WITHOUT ROWID;
            CREATE TABLE entity (catalog TEXT, type TEXT, id TEXT, json BLOB NOT NULL,
                PRIMARY KEY (catalog, type, id)) WITHOUT ROWID;
            CREATE TABLE entity_blob (catalog TEXT, type TEXT, id TEXT, hash BLOB,
                PRIMARY KEY (catalog, type, id, hash)) WITHOUT ROWID;
            CREATE INDEX entity_blob_hash ON entity_blob (hash);
            CREATE TABLE blob (hash BLOB PRIMARY KEY, bytes BLOB NOT NULL);
            CREATE TABLE print (hash BLOB PRIMARY KEY, bytes BLOB NOT NULL);
            CREATE TABLE account_row (key_id BLOB, name BLOB, sealed BLOB NOT NULL,
                PRIMARY KEY (key_id, name)) WITHOUT ROWID;
            CREATE TABLE put_aside (sequence INTEGER PRIMARY KEY, kind TEXT NOT NULL,
                reason TEXT NOT NULL, key_id BLOB);
            """)
    ]

    /// Runs some changes together: all or none.
    func transaction(_ body: () throws -> Void) throws { try connection.transaction(body) }

    // MARK: Reading

    /// The last record applied; nil before the first.
    func position() throws -> Position? {
        try connection.row("SELECT epoch, sequence FROM place") { row in
            Position(
                epoch: bigEndianInteger(row.blob(0)), sequence: UInt64(row.integer(1)))
        }
    }
    /// The version of prints that is compared; nil if none was stated.
    func printVersion() throws -> String? {
        try connection.row("SELECT version FROM print_version") { $0.text(0) }
    }

    /// The declared time zone data; nil if none is.
    func zoneData() throws -> String? {
        try connection.row("SELECT version FROM zone_data") { $0.text(0) }
    }
    /// Entity types as JSON.
    func types() throws -> [[UInt8]] {
        try connection.rows("SELECT json FROM type ORDER BY name") { $0.blob(0) }
    }
    /// Entities as JSON, with their catalog.
    func entities() throws -> [(catalog: String, json: [UInt8])] {
        try connection.rows("SELECT catalog, json FROM entity ORDER BY catalog, type, id") {
            ($0.text(0), $0.blob(1))
        }
    }
    /// A blob, or a print that no index file has yet; nil if it is not here.
    func blob(_ hash: ContentHash) throws -> [UInt8]? {
        try connection.row(
            """
            SELECT bytes FROM blob WHERE hash = ?1
            UNION ALL SELECT bytes FROM print WHERE hash = ?1
            """, .blob(hash.bytes)
        ) { $0.blob(0) }
    }
    /// The prints that are here.
    func prints() throws -> [ContentHash] {
        try connection.rows("SELECT hash FROM print ORDER BY hash") {
            ContentHash(bytes: $0.blob(0))
        }.compactMap(\.self)
    }
    /// Sealed rows of accounts, by key.
    func accountRows() throws -> [(key: KeyID, sealed: [UInt8])] {
        try connection.rows("SELECT key_id, sealed FROM account_row ORDER BY key_id, name") {
            (KeyID(bytes: $0.blob(0)), $0.blob(1))
        }.compactMap { id, sealed in id.map { ($0, sealed) } }
    }
    /// The snapshot that is here in part; nil if there is none.
    func partialSnapshot() throws -> PartialSnapshot? {
        try connection.row(
            "SELECT id, epoch, sequence, next_chunk FROM partial_snapshot"
        ) { row in
            ContentHash(bytes: row.blob(0)).map { id in
                PartialSnapshot(
                    id: id,
                    position: Position(
                        epoch: bigEndianInteger(row.blob(1)), sequence: UInt64(row.integer(2))),
                    nextChunk: Int(row.integer(3)))
            }
        } ?? nil
    }
    /// Records that could not be applied, oldest first.
    func putAside() throws -> [ReplicaContent.PutAside] {
        try connection.rows(
            "SELECT sequence, kind, reason, coalesce(key_id, x'') FROM put_aside ORDER BY sequence"
        ) {
            .init(
                sequence: UInt64($0.integer(0)), kind: $0.text(1), reason: $0.text(2),
                keyID: KeyID(bytes: $0.blob(3)))
        }
    }

    // MARK: Writing

    /// Everything before a position is applied.
    func setPosition(_ position: Position) throws {
        try connection.run(
            "INSERT OR REPLACE INTO place VALUES (1, ?, ?)",
            .blob(bigEndianBytes(position.epoch)), .integer(Int64(position.sequence)))
    }
    /// States the version of prints that is compared.
    func setPrintVersion(_ version: String?) throws {
        guard let version else { return }
        try connection.run("INSERT OR REPLACE INTO print_version VALUES (1, ?)", .text(version))
    }

    /// Declares the time zone data.
    func setZoneData(_ version: String?) throws {
        guard let version else { return }
        try connection.run("INSERT OR REPLACE INTO zone_data VALUES (1, ?)", .text(version))
    }
    /// Declares a type.
    func putType(_ name: String, json: [UInt8]) throws {
        try connection.run("INSERT OR REPLACE INTO type VALUES (?, ?)", .text(name), .blob(json))
    }
    /// Puts an entity with the blobs that it refers to.
    func putEntity(_ entity: EntityRow, json: [UInt8], blobs: [ContentHash]) throws {
        try removeEntity(entity, keeping: blobs)
        try connection.run(
            "INSERT INTO entity VALUES (?, ?, ?, ?)", .text(entity.catalog), .text(entity.type),
            .text(entity.id), .blob(json))
        for hash in Set(blobs) {
            try connection.run(
                "INSERT INTO entity_blob VALUES (?, ?, ?, ?)", .text(entity.catalog),
                .text(entity.type), .text(entity.id), .blob(hash.bytes))
        }
    }
    /// Removes an entity and the blobs that nothing refers to any more.
    func removeEntity(_ entity: EntityRow, keeping kept: [ContentHash] = []) throws {
        let key: [Value] = [.text(entity.catalog), .text(entity.type), .text(entity.id)]
        let before = try connection.rows(
            "SELECT hash FROM entity_blob WHERE catalog = ? AND type = ? AND id = ?", key[0],
            key[1], key[2]
        ) { $0.blob(0) }
        try connection.run(
            "DELETE FROM entity_blob WHERE catalog = ? AND type = ? AND id = ?", key[0], key[1],
            key[2])
        try connection.run(
            "DELETE FROM entity WHERE catalog = ? AND type = ? AND id = ?", key[0], key[1], key[2])
        for hash in before where !kept.contains(where: { $0.bytes == hash }) {
            for table in ["blob", "print"] {
                try connection.run(
                    """
                    DELETE FROM \(table) WHERE hash = ?1
                    AND NOT EXISTS (SELECT 1 FROM entity_blob WHERE hash = ?1)
                    """, .blob(hash))
            }
        }
    }
    /// Keeps a blob.
    func putBlob(_ hash: ContentHash, _ bytes: [UInt8]) throws {
        try connection.run(
            "INSERT OR IGNORE INTO blob VALUES (?, ?)", .blob(hash.bytes), .blob(bytes))
    }
    /// Keeps a print until an index file has it.
    func putPrint(_ hash: ContentHash, _ bytes: [UInt8]) throws {
        try connection.run(
            "INSERT OR IGNORE INTO print VALUES (?, ?)", .blob(hash.bytes), .blob(bytes))
    }
    /// Removes a print that an index file has.
    func removePrint(_ hash: ContentHash) throws {
        try connection.run("DELETE FROM print WHERE hash = ?", .blob(hash.bytes))
    }
    /// Keeps a row of an account.
    func putAccountRow(_ key: KeyID, _ name: ContentHash, _ sealed: [UInt8]) throws {
        try connection.run(
            "INSERT OR REPLACE INTO account_row VALUES (?, ?, ?)", .blob(key.bytes),
            .blob(name.bytes), .blob(sealed))
    }
    /// Removes a row of an account.
    func removeAccountRow(_ key: KeyID, _ name: ContentHash) throws {
        try connection.run(
            "DELETE FROM account_row WHERE key_id = ? AND name = ?", .blob(key.bytes),
            .blob(name.bytes))
    }
    /// Removes everything under a key.
    func removeAccount(_ key: KeyID) throws {
        try connection.run("DELETE FROM account_row WHERE key_id = ?", .blob(key.bytes))
        try connection.run("DELETE FROM put_aside WHERE key_id = ?", .blob(key.bytes))
    }
    /// Leaves nothing of what was removed in the write-ahead log.
    func forgetRemoved() throws { try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    /// Keeps how far a snapshot is taken; nil once it is complete.
    func setPartialSnapshot(_ partial: PartialSnapshot?) throws {
        guard let partial else {
            try connection.run("DELETE FROM partial_snapshot")
            return
        }
        try connection.run(
            "INSERT OR REPLACE INTO partial_snapshot VALUES (1, ?, ?, ?, ?)",
            .blob(partial.id.bytes), .blob(bigEndianBytes(partial.position.epoch)),
            .integer(Int64(partial.position.sequence)), .integer(Int64(partial.nextChunk)))
    }
    /// Remembers a record that could not be applied.
    func putAside(_ record: ReplicaContent.PutAside) throws {
        try connection.run(
            "INSERT OR REPLACE INTO put_aside VALUES (?, ?, ?, ?)",
            .integer(Int64(record.sequence)), .text(record.kind), .text(record.reason),
            record.keyID.map { .blob($0.bytes) } ?? .null)
        try connection.run(
            """
            DELETE FROM put_aside WHERE sequence <=
            (SELECT sequence FROM put_aside ORDER BY sequence DESC LIMIT 1 OFFSET ?)
            """, .integer(Int64(Limits.putAsideMax)))
    }
    /// Forgets everything, since the journal is another one.
    func clear() throws {
        for table in [
            "place", "zone_data", "partial_snapshot", "print_version", "type", "entity",
            "entity_blob", "blob", "print", "account_row", "put_aside",
        ] {
            try connection.run("DELETE FROM \(table)")
        }
    }
}

/// The key of an entity's row.
struct EntityRow {
    let catalog: String
    let type: String
    let id: String
}
