import Calendar
import Catalog
import Journal
import Messages

extension ReplicaContent {
    /// The records that bring an empty content to this one's catalogs, in the order in which they
    /// have to be applied.
    func catalogRecords(_ body: (Record, [ContentHash]) throws -> Void) throws {
        for type in types.all {
            try body(Self.record(.typeDeclare, type.json), [])
        }
        if let printVersion {
            try body(Self.record(.printUse, PrintUse(version: printVersion).json), [])
        }
        for (catalog, state) in catalogs.sorted(by: { $0.key < $1.key }) {
            var after: EntityKey?
            while true {
                let entities = state.content.list(after: after, limit: 1_000)
                guard let last = entities.last else { break }
                for entity in entities {
                    var record = Self.record(.entityPut, entity.json)
                    record.fields.set(.catalog, text: catalog)
                    try body(record, entity.travellingBlobs)
                }
                after = last.key
            }
        }
    }

    /// The sealed records that bring an empty content to this one's stores of a kind.
    func storeRecords<Definition: StoreDefinition>(
        _: Definition.Type, _ body: (Record) throws -> Void
    ) throws {
        if Definition.kind == .calendar, let zoneData {
            try body(Self.record(.zoneDeclare, ZoneDeclare(version: zoneData).json))
        }
        let accounts = stores[Definition.kind] ?? [:]
        for (name, account) in accounts.sorted(by: { $0.key < $1.key }) {
            guard let key = account.keyID.flatMap({ keyring[$0] }) else { continue }
            let access = StoreAccess<Definition>(status: account.access)
            try body(Self.sealed(Definition.access, access.json, name, key))
            for (collection, held) in account.collections.sorted(by: { $0.key < $1.key }) {
                let changes: [StoreChange<Definition>] = held.changes(of: collection)
                for change in changes {
                    var record = Self.sealed(Definition.change, change.json, name, key)
                    // What is past by then is gone already.
                    record.fields.set(.recordedTime, timestamp: held.stored)
                    try body(record)
                }
            }
        }
    }

    /// Everything that the entities refer to, source copies too, sorted.
    var referredBlobs: [ContentHash] {
        var hashes: Set<ContentHash> = []
        for state in catalogs.values {
            for entity in state.content.list(limit: .max) {
                for picture in entity.pictures {
                    if let source = picture.picture { hashes.insert(source) }
                }
                hashes.formUnion(entity.travellingBlobs)
            }
        }
        return hashes.sorted()
    }

    private static func record(_ kind: RecordKind, _ body: JSONValue) -> Record {
        var record = Record(fields: Fields(), body: body.canonical())
        record.fields.set(.recordKind, text: kind.rawValue)
        return record
    }

    private static func sealed(
        _ kind: RecordKind, _ body: JSONValue, _ account: String, _ key: AccountKey
    ) -> Record {
        var record = record(kind, body)
        record.fields.set(.account, text: account)
        return SealedRecord.seal(record, under: key)
    }
}

extension Entity {
    /// Prints and thumbnails, each once, in order.
    fileprivate var travellingBlobs: [ContentHash] {
        var hashes: [ContentHash] = []
        for picture in pictures {
            let prints = picture.prints.sorted { $0.key < $1.key }.map(\.value)
            for hash in prints + (picture.thumbnail.map { [$0] } ?? [])
            where !hashes.contains(hash) { hashes.append(hash) }
        }
        return hashes
    }
}

extension HeldCollection {
    /// An instant at which nothing that is held is past; nil if nothing was ever dropped.
    fileprivate var stored: Timestamp? {
        guard retainedFrom > 0 else { return nil }
        let retention = Int64(Limits.eventRetentionDays) * 86_400_000
        return Timestamp(milliseconds: retainedFrom + retention)
    }

    /// Changes that bring an empty collection to this one.
    fileprivate func changes<Definition>(of name: String) -> [StoreChange<Definition>] {
        func change(_ revision: Int) -> StoreChange<Definition> {
            StoreChange(
                collection: name, revision: revision, zone: zone, complete: isComplete)
        }
        var byRevision: [Int: StoreChange<Definition>] = [:]
        for (_, entry) in resources.sorted(by: { $0.key < $1.key }) {
            byRevision[entry.revision, default: change(entry.revision)].put.append(
                String(decoding: entry.text, as: UTF8.self))
        }
        for (id, revision) in removals.sorted(by: { $0.key < $1.key }) {
            byRevision[revision, default: change(revision)].remove.append(id)
        }
        let content = byRevision.sorted { $0.key < $1.key }.map(\.value)
        var reset = change(resetRevision)
        reset.reset = true
        reset.token = syncToken
        // What is older than a reset is there until the reset is complete.
        return content.filter { $0.revision < resetRevision }.flatMap { $0.pages() } + [reset]
            + content.filter { $0.revision >= resetRevision }.flatMap { $0.pages() }
            + [change(revision)]
    }
}
