import Calendar
import Journal
import Messages

/// One row of what a replica keeps of a store of an account. On the disk it is sealed under the
/// store's key, and so is its name.
enum AccountRow: Equatable {
    /// What the owner allows.
    case access(AccessStatus)
    /// One collection, without its entries.
    case collection(String, Head)
    /// One entry of a collection.
    case entry(collection: String, id: String, HeldCollection.Resource)
    /// That an entry was removed, by the change of a revision.
    case removal(collection: String, id: String, revision: Int)

    /// What a collection is besides its entries.
    struct Head: Equatable {
        var revision: Int
        var resetRevision: Int
        var retainedFrom: Int64
        var isComplete: Bool
        var zone: String
        var syncToken: String?
    }

    /// What names the row within its store.
    var name: [UInt8] {
        switch self {
        case .access: Self.joined(["access"])
        case .collection(let name, _): Self.joined(["collection", name])
        case .entry(let collection, let id, _): Self.entryName(collection, id)
        // Under the entry's name: the one takes the place of the other.
        case .removal(let collection, let id, _): Self.entryName(collection, id)
        }
    }

    static func entryName(_ collection: String, _ id: String) -> [UInt8] {
        joined(["entry", collection, id])
    }

    /// Each part preceded by its length, so that no two names are the same.
    private static func joined(_ parts: [String]) -> [UInt8] {
        parts.flatMap { bigEndianBytes(UInt32($0.utf8.count)) + Array($0.utf8) }
    }

    /// The name in four-byte-prefixed parts, then what the row holds.
    var encoded: [UInt8] {
        let head = bigEndianBytes(UInt32(name.count)) + name
        switch self {
        case .access(let status): return head + Array(status.rawValue.utf8)
        case .collection(_, let collection):
            return head + bigEndianBytes(UInt64(collection.revision))
                + bigEndianBytes(UInt64(collection.resetRevision))
                + bigEndianBytes(UInt64(bitPattern: collection.retainedFrom)) + [
                    collection.isComplete ? 1 : 0
                ]
                + Self.joined([collection.zone] + (collection.syncToken.map { [$0] } ?? []))
        case .entry(_, _, let entry):
            return head + [1] + bigEndianBytes(UInt64(entry.revision)) + entry.text
        case .removal(_, _, let revision):
            return head + [0] + bigEndianBytes(UInt64(revision))
        }
    }

    /// Reads what `encoded` wrote; nil for anything else.
    init?(decoding bytes: [UInt8]) {
        var reader = ByteReader(bytes[...])
        guard let count: UInt32 = reader.integer(), let name = reader.take(Int(count)),
            let parts = Self.parts(of: name), let kind = parts.first
        else { return nil }
        switch (kind, parts.count) {
        case ("access", 1):
            guard let text = Self.rest(&reader), let status = AccessStatus(rawValue: text)
            else { return nil }
            self = .access(status)
        case ("collection", 2):
            guard let head = Self.head(&reader) else { return nil }
            self = .collection(parts[1], head)
        case ("entry", 3):
            guard let isThere: UInt8 = reader.integer(), let number: UInt64 = reader.integer(),
                let revision = Int(exactly: number), let text = reader.take(reader.remaining)
            else { return nil }
            self =
                isThere == 0
                ? .removal(collection: parts[1], id: parts[2], revision: revision)
                : .entry(
                    collection: parts[1], id: parts[2],
                    HeldCollection.Resource(revision: revision, text: Array(text)))
        default: return nil
        }
    }

    private static func head(_ reader: inout ByteReader) -> Head? {
        guard let number: UInt64 = reader.integer(), let reset: UInt64 = reader.integer(),
            let revision = Int(exactly: number), let resetRevision = Int(exactly: reset),
            let retained: UInt64 = reader.integer(), let isComplete: UInt8 = reader.integer(),
            let rest = reader.take(reader.remaining), let texts = parts(of: rest),
            (1...2).contains(texts.count)
        else { return nil }
        return Head(
            revision: revision, resetRevision: resetRevision,
            retainedFrom: Int64(bitPattern: retained), isComplete: isComplete != 0, zone: texts[0],
            syncToken: texts.count > 1 ? texts[1] : nil)
    }

    private static func parts(of name: ArraySlice<UInt8>) -> [String]? {
        var reader = ByteReader(name)
        var parts: [String] = []
        while reader.remaining > 0 {
            guard let count: UInt32 = reader.integer(), let bytes = reader.take(Int(count)),
                let text = String(validating: bytes, as: UTF8.self)
            else { return nil }
            parts.append(text)
        }
        return parts
    }

    private static func rest(_ reader: inout ByteReader) -> String? {
        reader.take(reader.remaining).flatMap { String(validating: $0, as: UTF8.self) }
    }
}

/// What an applied record changes in the rows of accounts.
enum AccountRowChange {
    /// A row is put, replacing the one of its name.
    case put(AccountRow, AccountKey)
    /// The row of a name goes.
    case remove(name: [UInt8], AccountKey)
    /// Everything under a key goes, with the key.
    case drop(KeyID)
}

extension HeldCollection {
    /// What it is besides its entries and removals.
    var head: AccountRow.Head {
        AccountRow.Head(
            revision: revision, resetRevision: resetRevision, retainedFrom: retainedFrom,
            isComplete: isComplete, zone: zone, syncToken: syncToken)
    }

    mutating func take(_ head: AccountRow.Head) {
        revision = head.revision
        resetRevision = head.resetRevision
        retainedFrom = head.retainedFrom
        isComplete = head.isComplete
        zone = head.zone
        syncToken = head.syncToken
    }
}
