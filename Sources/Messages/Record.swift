/// What a record changes.
public enum RecordKind: String, Sendable, CaseIterable {
    /// An entity type is declared, or declared anew with a higher version.
    case typeDeclare = "type.declare"
    /// An entity is put, replacing an earlier one of the same type and id.
    case entityPut = "entity.put"
    /// An entity is removed.
    case entityRemove = "entity.remove"
    /// Prints of a further version are put beside those that an entity's pictures have.
    case printPut = "print.put"
    /// The version of prints that the deployment compares.
    case printUse = "print.use"
    /// Calendar resources are put or removed.
    case calendarChange = "calendar.change"
    /// The access to an account's calendars changed.
    case calendarAccess = "calendar.access"
    /// Occurrences are computed with another version of the time zone data from here on.
    case zoneDeclare = "zone.declare"
    /// Contact cards are put or removed.
    case contactChange = "contact.change"
    /// The access to an account's contacts changed.
    case contactAccess = "contact.access"
    /// Health readings are put or removed.
    case healthChange = "health.change"
    /// The access to an account's health readings changed.
    case healthAccess = "health.access"
    /// Everything of an account is erased.
    case accountErase = "account.erase"

    /// Records of this kind belong to an account, and their payload is encrypted under its key.
    public var isPersonal: Bool { store != nil || self == .accountErase }

    /// The store of an account that the record puts something into, or the access to which it
    /// states; nil if it belongs to none, or to all of them.
    public var store: StoreKind? {
        switch self {
        case .calendarChange, .calendarAccess: .calendar
        case .contactChange, .contactAccess: .contacts
        case .healthChange, .healthAccess: .health
        case .typeDeclare, .entityPut, .entityRemove, .printPut, .printUse, .zoneDeclare,
            .accountErase:
            nil
        }
    }

    /// Whether the record states what the owner of a store allows; its body has the status.
    public var statesAccess: Bool {
        switch self {
        case .calendarAccess, .contactAccess, .healthAccess: true
        case .typeDeclare, .entityPut, .entityRemove, .printPut, .printUse, .calendarChange,
            .zoneDeclare,
            .contactChange, .healthChange, .accountErase:
            false
        }
    }

    /// The stream that records of this kind belong to.
    public var stream: String {
        switch self {
        case .typeDeclare, .entityPut, .entityRemove, .printPut, .printUse: "catalog"
        case .accountErase: "account"
        case .zoneDeclare: "calendar"
        case .calendarChange, .calendarAccess, .contactChange, .contactAccess, .healthChange,
            .healthAccess:
            store?.rawValue ?? ""
        }
    }
}

/// One durable change, as the journal stores it and replicas apply it.
///
/// On the wire, in segments and in TAIL bodies: fields (see `FieldType`), preceded by their
/// length in 4 bytes, then the body. A RECORD message carries the same fields without position
/// and recorded time, which the journal adds.
public struct Record: Sendable, Equatable {
    /// Kind, catalog, partition key, source, change id, account, key id, blobs, times, position.
    public var fields: Fields
    /// One JSON object, as its producer wrote it.
    public var body: [UInt8]

    /// From fields and a body.
    public init(fields: Fields, body: [UInt8]) {
        self.fields = fields
        self.body = body
    }

    /// What the record changes; nil if this version does not know it.
    public var kind: RecordKind? { fields.text(.recordKind).flatMap(RecordKind.init(rawValue:)) }
    /// Where the record stands in the journal; nil before it is stored.
    public var position: Position? { fields.position }

    /// Length of the fields, the fields, the body.
    public func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(encodedByteCount)
        bytes.append(bigEndian: UInt32(fields.encodedByteCount))
        fields.encode(into: &bytes)
        bytes += body
        return bytes
    }

    /// Bytes that `encoded()` has.
    public var encodedByteCount: Int { 4 + fields.encodedByteCount + body.count }

    /// Reads an encoded record that fills the bytes.
    ///
    /// - Throws: `WireError` with `badRecord`, or as `Fields` does.
    public init(decoding bytes: ArraySlice<UInt8>) throws(WireError) {
        var reader = ByteReader(bytes)
        guard let count: UInt32 = reader.integer(), let head = reader.take(Int(count)),
            let body = reader.take(reader.remaining)
        else { throw WireError(.badRecord, "the record ends inside its fields") }
        fields = try Fields(decoding: head)
        self.body = Array(body)
    }

    /// Several records one behind another, each preceded by its length in 4 bytes.
    public static func encodeList(_ records: [Record]) -> [UInt8] {
        var bytes: [UInt8] = []
        for record in records {
            let encoded = record.encoded()
            bytes += bigEndianBytes(UInt32(encoded.count))
            bytes += encoded
        }
        return bytes
    }

    /// Reads what `encodeList` wrote.
    ///
    /// - Throws: `WireError` with `badRecord`, or as `Fields` does.
    public static func decodeList(_ bytes: [UInt8]) throws(WireError) -> [Record] {
        var reader = ByteReader(bytes[...])
        var records: [Record] = []
        while reader.remaining > 0 {
            guard let count: UInt32 = reader.integer(), let encoded = reader.take(Int(count))
            else { throw WireError(.badRecord, "record \(records.count) ends early") }
            records.append(try Record(decoding: encoded))
        }
        return records
    }
}
