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

    /// The sealed records that bring an empty content to this one's accounts.
    func accountRecords(_ body: (Record) throws -> Void) throws {
        if let zoneData {
            try body(Self.record(.zoneDeclare, ZoneDeclare(version: zoneData).json))
        }
        for (name, account) in accounts.sorted(by: { $0.key < $1.key }) {
            guard let key = account.keyID.flatMap({ keyring[$0] }) else { continue }
            let access = CalendarAccess(status: account.access)
            try body(Self.sealed(.calendarAccess, access.json, name, key))
            for (calendar, state) in account.calendars.sorted(by: { $0.key < $1.key }) {
                for change in state.changes(of: calendar) {
                    var record = Self.sealed(.calendarChange, change.json, name, key)
                    // What is past by then is gone already.
                    record.fields.set(.recordedTime, timestamp: state.stored)
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

extension HeldCalendar {
    /// An instant at which nothing that is held is past; nil if nothing was ever dropped.
    fileprivate var stored: Timestamp? {
        guard retainedFrom > 0 else { return nil }
        let retention = Int64(Limits.eventRetentionDays) * 86_400_000
        return Timestamp(milliseconds: retainedFrom + retention)
    }

    /// Bytes of resources in one change, well within a body.
    private static let changeBytesMax = Limits.bodyBytesMax / 2

    /// Changes that bring an empty calendar to this one.
    fileprivate func changes(of calendar: String) -> [CalendarChange] {
        var byRevision: [Int: (put: [[UInt8]], removed: [String])] = [:]
        for (_, resource) in resources.sorted(by: { $0.key < $1.key }) {
            byRevision[resource.revision, default: ([], [])].put.append(resource.text)
        }
        for (uid, revision) in removals.sorted(by: { $0.key < $1.key }) {
            byRevision[revision, default: ([], [])].removed.append(uid)
        }
        var changes: [CalendarChange] = []
        // What is older than a reset is there until the reset is complete.
        for (revision, content) in byRevision.sorted(by: { $0.key < $1.key })
        where revision < resetRevision {
            changes += pages(of: calendar, revision, content)
        }
        var reset = change(of: calendar, resetRevision)
        reset.reset = true
        reset.syncToken = syncToken
        changes.append(reset)
        for (revision, content) in byRevision.sorted(by: { $0.key < $1.key })
        where revision >= resetRevision {
            changes += pages(of: calendar, revision, content)
        }
        return changes + [change(of: calendar, revision)]
    }

    private func change(of calendar: String, _ revision: Int) -> CalendarChange {
        CalendarChange(calendar: calendar, revision: revision, zone: zone, complete: isComplete)
    }

    private func pages(
        of calendar: String, _ revision: Int, _ content: (put: [[UInt8]], removed: [String])
    ) -> [CalendarChange] {
        var pages = [change(of: calendar, revision)]
        var bytes = 0
        for text in content.put {
            if bytes + text.count > Self.changeBytesMax
                || pages[pages.count - 1].put.count >= Limits.resourcesPerChangeMax
            {
                pages.append(change(of: calendar, revision))
                bytes = 0
            }
            pages[pages.count - 1].put.append(String(decoding: text, as: UTF8.self))
            bytes += text.count
        }
        for uid in content.removed {
            if pages[pages.count - 1].remove.count >= Limits.resourcesPerChangeMax {
                pages.append(change(of: calendar, revision))
            }
            pages[pages.count - 1].remove.append(uid)
        }
        return pages
    }
}
