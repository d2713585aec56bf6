import Journal
import Messages

/// One row of what a replica keeps of an account. On the disk it is sealed under the account's
/// key, and so is its name.
enum AccountRow: Equatable {
    /// What the account allows.
    case access(CalendarAccess.Status)
    /// One calendar.
    case calendar(String, revision: Int, zone: String)
    /// One resource of a calendar.
    case resource(calendar: String, uid: String, text: [UInt8])

    /// What names the row within its account.
    var name: [UInt8] {
        switch self {
        case .access: Self.joined(["access"])
        case .calendar(let name, _, _): Self.joined(["calendar", name])
        case .resource(let calendar, let uid, _): Self.resourceName(calendar, uid)
        }
    }

    static func resourceName(_ calendar: String, _ uid: String) -> [UInt8] {
        joined(["resource", calendar, uid])
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
        case .calendar(_, let revision, let zone):
            return head + bigEndianBytes(UInt64(revision)) + Array(zone.utf8)
        case .resource(_, _, let text): return head + text
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
            guard let text = Self.rest(&reader), let status = CalendarAccess.Status(rawValue: text)
            else { return nil }
            self = .access(status)
        case ("calendar", 2):
            guard let revision: UInt64 = reader.integer(), let zone = Self.rest(&reader),
                let bounded = Int(exactly: revision)
            else { return nil }
            self = .calendar(parts[1], revision: bounded, zone: zone)
        case ("resource", 3):
            guard let text = reader.take(reader.remaining) else { return nil }
            self = .resource(calendar: parts[1], uid: parts[2], text: Array(text))
        default: return nil
        }
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
