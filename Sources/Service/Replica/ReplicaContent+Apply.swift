import Calendar
import Catalog
import Journal
import Matching
import Messages
import Queue

extension ReplicaContent {
    /// Applies one record as the journal stores it; a second time changes nothing.
    ///
    /// A record of an account whose key is gone says nothing any more, and is skipped.
    ///
    /// - Parameter blob: finds a blob that the record refers to.
    /// - Throws: `Unappliable` with the reason; the content is then as before.
    mutating func apply(
        _ stored: Record, blob: (ContentHash) -> [UInt8]?
    ) throws(Unappliable) {
        for ended in stored.fields.retiredKeys { endKey(ended) }
        guard let record = SealedRecord.open(stored, with: keyring) else { return }
        do {
            guard let kind = record.kind else {
                throw Unappliable("kind '\(record.fields.text(.recordKind) ?? "")' is unknown")
            }
            let body = try JSONValue(parsing: record.body)
            let catalog = record.fields.text(.catalog) ?? CatalogName.main
            note(kind, body, of: record, catalog)
            switch kind {
            case .typeDeclare: try declare(EntityType(parsing: body))
            case .entityPut: try put(body, in: catalog, blob: blob)
            case .entityRemove: remove(try EntityRemove(parsing: body).entity, from: catalog)
            case .printPut: try putPrints(PrintPut(parsing: body), in: catalog, blob: blob)
            case .printUse: printVersion = try PrintUse(parsing: body).version
            case .calendarChange: try change(CalendarChange(parsing: body), of: record)
            case .calendarAccess: try setAccess(CalendarAccess(parsing: body), of: record)
            case .zoneDeclare: zoneData = try ZoneDeclare(parsing: body).version
            case .contactChange: try change(ContactChange(parsing: body), of: record)
            case .contactAccess: try setAccess(ContactAccess(parsing: body), of: record)
            case .healthChange: try change(HealthChange(parsing: body), of: record)
            case .healthAccess: try setAccess(HealthAccess(parsing: body), of: record)
            // What it ends is in `retiredKeys`.
            case .accountErase: break
            }
        } catch let error as Unappliable {
            throw error
        } catch let error as CalendarError {
            // Its context may hold what the owner wrote.
            throw Unappliable(error.code.rawValue)
        } catch {
            throw Unappliable("\(error)")
        }
    }

    /// Notes whose lists may be others once the record is applied.
    private mutating func note(
        _ kind: RecordKind, _ body: JSONValue, of record: Record, _ catalog: String
    ) {
        switch kind {
        case .typeDeclare: changed.catalogs.formUnion(catalogs.keys)
        case .entityPut, .entityRemove:
            let type = types[body["type"]?.text ?? ""]
            if type?.calendarNameProperties.isEmpty == false { changed.catalogs.insert(catalog) }
        case .calendarChange, .calendarAccess, .contactChange, .contactAccess, .healthChange,
            .healthAccess:
            if let account = record.fields.text(.account) { changed.accounts.insert(account) }
        case .zoneDeclare: changed.accounts.formUnion(accounts.keys)
        // Prints have no names; what an erasure ends is in `retiresKey`.
        case .printPut, .printUse, .accountErase: break
        }
    }

    /// Remembers a record that could not be applied.
    mutating func putAside(_ record: Record, reason: String) {
        putAside.append(
            PutAside(
                sequence: record.position?.sequence ?? 0,
                kind: record.fields.text(.recordKind) ?? "", reason: reason,
                keyID: record.fields.keyID))
        if putAside.count > Limits.putAsideMax { putAside.removeFirst() }
    }

    /// A new version of a type must fit the entities that there are, so that what is written down
    /// can be read again.
    private mutating func declare(_ type: EntityType) throws {
        let known = types[type.name]
        try routeSchemes?.check(type)
        var declared = types
        try declared.declare(type)
        if let known, known != type {
            var refitted = catalogs
            for catalog in catalogs.keys.sorted() {
                do {
                    try refitted[catalog]?.content.refit(to: type)
                } catch {
                    throw Unappliable(
                        "\(type.name) \(type.version) does not fit catalog '\(catalog)': \(error)")
                }
                refitted[catalog]?.renewNames(declared)
            }
            catalogs = refitted
        }
        types = declared
    }

    private mutating func put(
        _ body: JSONValue, in catalog: String, blob: (ContentHash) -> [UInt8]?
    ) throws {
        let name = body["type"]?.text ?? ""
        guard let type = types[name] else { throw Unappliable("type '\(name)' is not declared") }
        let entity = try Entity(parsing: body, type: type)
        guard catalogs[catalog]?.content.hasRoom(for: entity.key) ?? true else {
            throw Unappliable("the catalog is full: at most \(Limits.entitiesMax) entities")
        }
        let hashes = entity.printHashes
        var prints: [FeaturePrint] = []
        for hash in hashes {
            guard let bytes = blob(hash) else { throw Unappliable("print \(hash) is not here") }
            prints.append(try FeaturePrint(decoding: bytes))
        }
        let empty = emptyCatalog(catalog)
        let entry = catalogs[catalog, default: empty].put(entity, type)
        if keepsPrints {
            catalogs[catalog]?.prints.put(
                prints, names: hashes.map(\.printName), for: entry, order: entity.key.order)
        }
    }

    private mutating func remove(_ entity: EntityName, from catalog: String) {
        let key = EntityKey(type: entity.type, id: entity.id)
        guard let entry = catalogs[catalog]?.remove(key, types[key.type]) else { return }
        catalogs[catalog]?.prints.remove(entry: entry)
        if catalogs[catalog]?.content.count == 0 { catalogs[catalog] = nil }
    }
}

/// Why a record cannot be applied; it is put aside and stops nothing.
struct Unappliable: Error, Sendable, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
