import Catalog
import Matching
import Messages

extension ReplicaContent {
    /// Reads all that a database holds.
    ///
    /// - Throws: What SQLite refuses; rows that this version cannot read are put aside.
    init(reading database: ReplicaDatabase) throws {
        position = try database.position()
        putAside = try database.putAside()
        for json in try database.types() {
            try types.declare(EntityType(parsing: JSONValue(parsing: json)))
        }
        for (catalog, json) in try database.entities() {
            let body = try JSONValue(parsing: json)
            guard let type = types[body["type"]?.text ?? ""] else { continue }
            let entity = try Entity(parsing: body, type: type)
            let prints = try entity.pictures.compactMap { picture in
                try picture.prints[FeaturePrint.version].flatMap { try database.blob($0) }
            }.map { try FeaturePrint(decoding: $0) }
            let entry = catalogs[catalog, default: CatalogState()].content.put(entity)
            catalogs[catalog]?.prints.put(prints, for: entry)
        }
        for (name, access) in try database.accounts() {
            var account = AccountCalendars()
            account.access = CalendarAccess.Status(rawValue: access) ?? .notDetermined
            for calendar in try database.calendars(of: name) {
                let resources = try database.resources(of: name, calendar.name)
                account.calendars[calendar.name] = AccountCalendars.CalendarState(
                    revision: calendar.revision, zone: calendar.zone,
                    resources: Dictionary(
                        resources.map { ($0.uid, $0.text) }, uniquingKeysWith: { first, _ in first }
                    )
                )
            }
            accounts[name] = account
        }
    }

    /// Writes what an applied record changed.
    func save(_ record: Record, to database: ReplicaDatabase) throws {
        guard let kind = record.kind else { return }
        let body = try JSONValue(parsing: record.body)
        switch kind {
        case .typeDeclare:
            guard let type = types[body["type"]?.text ?? ""] else { return }
            try database.putType(type.name, json: type.json.canonical())
        case .entityPut, .entityRemove:
            try saveEntity(body, of: record, to: database)
        case .calendarChange, .calendarAccess, .accountErase:
            guard let account = record.fields.text(.account), let state = accounts[account] else {
                return
            }
            try database.putAccount(account, state)
        }
    }

    private func saveEntity(
        _ body: JSONValue, of record: Record, to database: ReplicaDatabase
    ) throws {
        let catalog = record.fields.text(.catalog) ?? CatalogName.main
        let key = EntityKey(type: body["type"]?.text ?? "", id: body["id"]?.text ?? "")
        let row = EntityRow(catalog: catalog, type: key.type, id: key.id)
        guard let entity = catalogs[catalog]?.content[key] else {
            try database.removeEntity(row)
            return
        }
        let blobs = entity.pictures.flatMap { picture in
            Array(picture.prints.values) + (picture.thumbnail.map { [$0] } ?? [])
        }
        try database.putEntity(row, json: entity.json.canonical(), blobs: blobs)
    }
}
