import Calendar
import Catalog
import Matching
import Messages

extension ReplicaContent {
    /// Applies one record; a second time changes nothing.
    ///
    /// - Parameter blob: finds a blob that the record refers to.
    /// - Throws: `Unappliable` with the reason; the content is then as before.
    mutating func apply(
        _ record: Record, blob: (ContentHash) -> [UInt8]?
    ) throws(Unappliable) {
        do {
            guard let kind = record.kind else {
                throw Unappliable("kind '\(record.fields.text(.recordKind) ?? "")' is unknown")
            }
            let body = try JSONValue(parsing: record.body)
            let catalog = record.fields.text(.catalog) ?? CatalogName.main
            switch kind {
            case .typeDeclare: try types.declare(EntityType(parsing: body))
            case .entityPut: try put(body, in: catalog, blob: blob)
            case .entityRemove: remove(try EntityRemove(parsing: body).entity, from: catalog)
            case .calendarChange: try change(CalendarChange(parsing: body), of: record)
            case .calendarAccess: try setAccess(CalendarAccess(parsing: body), of: record)
            case .accountErase: accounts[try Self.account(of: record)] = nil
            }
        } catch let error as Unappliable {
            throw error
        } catch {
            throw Unappliable("\(error)")
        }
    }

    /// Remembers a record that could not be applied.
    mutating func putAside(_ record: Record, reason: String) {
        putAside.append(
            PutAside(
                sequence: record.position?.sequence ?? 0,
                kind: record.fields.text(.recordKind) ?? "", reason: reason))
        if putAside.count > Limits.putAsideMax { putAside.removeFirst() }
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
        var prints: [FeaturePrint] = []
        for picture in entity.pictures {
            guard let hash = picture.prints[FeaturePrint.version] else { continue }
            guard let bytes = blob(hash) else { throw Unappliable("print \(hash) is not here") }
            prints.append(try FeaturePrint(decoding: bytes))
        }
        let entry = catalogs[catalog, default: CatalogState()].content.put(entity)
        catalogs[catalog]?.prints.put(prints, for: entry)
    }

    private mutating func remove(_ entity: EntityName, from catalog: String) {
        let key = EntityKey(type: entity.type, id: entity.id)
        guard let entry = catalogs[catalog]?.content.remove(key) else { return }
        catalogs[catalog]?.prints.remove(entry: entry)
        if catalogs[catalog]?.content.count == 0 { catalogs[catalog] = nil }
    }

    private mutating func change(_ change: CalendarChange, of record: Record) throws {
        let account = try Self.account(of: record)
        guard accounts[account]?.access == .fullAccess else {
            throw Unappliable("the account has not granted full access; nothing is kept")
        }
        var state = accounts[account]?.calendars[change.calendar] ?? .init()
        _ = try CalendarWindow.upcoming(asOf: 0, days: 1, zone: change.zone)
        guard change.revision >= state.revision else { return }
        if change.reset { state.resources = [:] }
        state.revision = change.revision
        state.zone = change.zone
        for uid in change.remove { state.resources[uid] = nil }
        var faults: [String] = []
        for text in change.put {
            do {
                let resources = try ICalendar.resources(
                    in: Array(text.utf8), bytesMax: Limits.resourceBytesMax)
                for resource in resources { state.resources[resource.uid] = resource.text }
            } catch {
                faults.append("\(error)")
            }
        }
        accounts[account]?.calendars[change.calendar] = state
        guard faults.isEmpty else {
            throw Unappliable("applied without \(faults.count) resources: \(faults[0])")
        }
    }

    private mutating func setAccess(_ access: CalendarAccess, of record: Record) throws {
        let account = try Self.account(of: record)
        accounts[account, default: AccountCalendars()].access = access.status
        if access.status != .fullAccess { accounts[account]?.calendars = [:] }
    }

    private static func account(of record: Record) throws(Unappliable) -> String {
        guard let account = record.fields.text(.account), !account.isEmpty else {
            throw Unappliable("the record names no account")
        }
        return account
    }
}

/// Why a record cannot be applied; it is put aside and stops nothing.
struct Unappliable: Error, Sendable, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
