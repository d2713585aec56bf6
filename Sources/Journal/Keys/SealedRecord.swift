public import Messages
internal import Sodium

/// How a record of an account is stored and travels: what belongs to the account is encrypted.
///
/// Clear are `position`, `recordedTime`, `recordKind`, `stream`, `keyID`, `retiresKey`, `source`
/// (always `sealed`) and `changeID` (a hash under the account's key, by which a change that comes
/// again is known). The body is the sealed encoding of the record as its producer wrote it, with
/// the name of the account.
public enum SealedRecord {
    static let source = "sealed"

    /// Encrypts a record that has no position yet.
    public static func seal(_ record: Record, under key: AccountKey) -> Record {
        seal(record, under: key, changeID: nil)
    }

    /// The same, with the id that the change has under the key where it is known already.
    static func seal(
        _ record: Record, under key: AccountKey, changeID known: [UInt8]?
    ) -> Record {
        var sealed = Record(fields: Fields(), body: key.seal(record.encoded()))
        sealed.fields.set(.recordKind, record.fields[.recordKind])
        sealed.fields.set(.source, text: source)
        sealed.fields.set(.changeID, known ?? Array(changeID(of: record, under: key).utf8))
        sealed.fields.keyID = key.id
        return sealed
    }

    /// The record as its producer wrote it, with the position and times that the journal added;
    /// a record that is not sealed comes back as it is.
    ///
    /// - Returns: Nil if the key is destroyed or unknown, or the payload has changed.
    public static func open(_ record: Record, with keyring: Keyring) -> Record? {
        guard let id = record.fields.keyID else { return record }
        guard let key = keyring[id], let plain = key.open(record.body),
            // What the journal sealed it can decode; anything else is as good as lost.
            var opened = try? Record(decoding: plain[...])
        else { return nil }
        for type in [FieldType.position, .recordedTime, .stream, .keyID] {
            opened.fields.set(type, record.fields[type])
        }
        opened.fields.retiredKeys = record.fields.retiredKeys
        return opened
    }

    /// The record that an account was erased: it names the keys that are destroyed, and nothing
    /// else.
    static func erasing(_ ids: [KeyID]) -> Record {
        var record = Record(fields: Fields(), body: Array("{}".utf8))
        record.fields.set(.recordKind, text: RecordKind.accountErase.rawValue)
        record.fields.set(.source, text: source)
        record.fields.set(.changeID, text: Hex.encode(SecureRandom.bytes(16)))
        record.fields.retiredKeys = ids
        return record
    }

    /// What a change is known by once it is sealed.
    static func changeID(of record: Record, under key: AccountKey) -> String {
        let source = record.fields[.source] ?? []
        let id = record.fields[.changeID] ?? []
        return "\(key.name(of: source + [0] + id))"
    }
}
