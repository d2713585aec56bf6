import Catalog
import Journal
import Matching
import Messages

extension ReplicaContent {
    /// Reads all that a database holds, with the prints from index files as far as those have them.
    ///
    /// - Throws: What SQLite refuses; rows that this version cannot read are put aside.
    init(reading database: ReplicaDatabase, indexFolder: IndexFolder? = nil) throws {
        self.indexFolder = indexFolder
        position = try database.position()
        printVersion = try database.printVersion()
        zoneData = try database.zoneData()
        putAside = try database.putAside()
        for json in try database.types() {
            try types.declare(EntityType(parsing: JSONValue(parsing: json)))
        }
        var restoration = IndexRestoration(indexFolder)
        for (catalog, json) in try database.entities() {
            let body = try JSONValue(parsing: json)
            guard let type = types[body["type"]?.text ?? ""] else {
                throw ReplicaFault("an entity's type is not there")
            }
            let entity = try Entity(parsing: body, type: type)
            let entry = catalogs[catalog, default: CatalogState()].put(entity, type)
            restoration.claim(entity, of: catalog, for: entry)
        }
        let missing = try restoration.finish(&self) { hash in try database.blob(hash) }
        // Written to an index file, but not removed before the process ended.
        for hash in try database.prints() where !missing.contains(hash) {
            try database.removePrint(hash)
        }
    }

    /// Reads the rows of the accounts whose keys are there; the others' are of no use any more.
    ///
    /// - Throws: What SQLite refuses.
    mutating func readAccounts(from database: ReplicaDatabase) throws {
        stores = [:]
        for (id, sealed) in try database.accountRows() {
            guard let key = keyring[id] else {
                if case .drop(id)? = unsavedRows.last { continue }
                unsavedRows.append(.drop(id))
                continue
            }
            guard let row = key.open(sealed).flatMap({ AccountRow(decoding: $0) }) else {
                throw ReplicaFault("an account's row cannot be read")
            }
            take(row, under: key)
        }
    }

    /// Writes what changed in the rows of accounts.
    mutating func saveRows(to database: ReplicaDatabase) throws {
        for change in unsavedRows {
            switch change {
            case .put(let row, let key):
                try database.putAccountRow(
                    key.id, key.name(of: row.name), key.seal(row.encoded))
            case .remove(let name, let key):
                try database.removeAccountRow(key.id, key.name(of: name))
            case .drop(let id): try database.removeAccount(id)
            }
        }
        unsavedRows = []
    }

    /// Writes what an applied record changed, with those of the blobs brought that it refers to.
    func save(
        _ record: Record, _ brought: [ContentHash: [UInt8]], to database: ReplicaDatabase
    ) throws {
        guard let kind = record.kind, !kind.isPersonal else { return }
        let body = try JSONValue(parsing: record.body)
        switch kind {
        case .typeDeclare:
            guard let type = types[body["type"]?.text ?? ""] else { return }
            try database.putType(type.name, json: type.json.canonical())
        case .printUse: try database.setPrintVersion(printVersion)
        case .entityPut, .entityRemove, .printPut:
            try saveEntity(body, of: record, brought, to: database)
        case .zoneDeclare: try database.setZoneData(zoneData)
        default: break
        }
    }

    private func saveEntity(
        _ body: JSONValue, of record: Record, _ brought: [ContentHash: [UInt8]],
        to database: ReplicaDatabase
    ) throws {
        let catalog = record.fields.text(.catalog) ?? CatalogName.main
        let key = EntityKey(type: body["type"]?.text ?? "", id: body["id"]?.text ?? "")
        let row = EntityRow(catalog: catalog, type: key.type, id: key.id)
        guard let entity = catalogs[catalog]?.content[key] else {
            try database.removeEntity(row)
            return
        }
        let (prints, thumbnails) = (entity.printHashes, entity.pictures.compactMap(\.thumbnail))
        try database.putEntity(row, json: entity.json.canonical(), blobs: prints + thumbnails)
        for hash in prints { try brought[hash].map { try database.putPrint(hash, $0) } }
        for hash in thumbnails { try brought[hash].map { try database.putBlob(hash, $0) } }
    }
}

/// What in a replica's file is not as it was written.
struct ReplicaFault: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
