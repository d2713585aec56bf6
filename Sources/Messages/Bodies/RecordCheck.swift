/// What the journal checks of a change before it stores it.
public enum RecordCheck {
    /// Checks everything that can be said of a change without knowing the catalog.
    ///
    /// Its kind is known; source, change id and, for calendars, account are there; a catalog, if it
    /// states one, has a name; it is small
    /// enough; its body has the shape of its kind; its `blob` fields are exactly the blobs that
    /// the body names; and what it brings as attachments is among them.
    ///
    /// - Throws: `JSONError` that names the field or member and what is allowed.
    public static func check(_ record: Record) throws(JSONError) {
        guard let name = record.fields.text(.recordKind) else {
            throw JSONError("field recordKind is missing")
        }
        guard let kind = RecordKind(rawValue: name) else {
            let kinds = RecordKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw JSONError("record kind \(name) is unknown; known: \(kinds)")
        }
        try requireNames([.source, .changeID], in: record.fields)
        if kind.isPersonal { try requireNames([.account], in: record.fields) }
        if record.fields.text(.catalog) != nil { try requireNames([.catalog], in: record.fields) }
        try checkSizes(record)
        try checkBlobs(record.fields, named: try blobs(of: kind, body: record.body))
    }

    private static func requireNames(
        _ types: [FieldType], in fields: Fields
    ) throws(JSONError) {
        for type in types {
            guard let text = fields.text(type), Members.isName(text) else {
                throw JSONError(
                    "field \(type) must be text of 1 to \(Limits.nameBytesMax) bytes without "
                        + "control characters")
            }
        }
    }

    private static func checkSizes(_ record: Record) throws(JSONError) {
        guard record.body.count <= Limits.bodyBytesMax else {
            throw JSONError(
                "the body has \(record.body.count) bytes; at most \(Limits.bodyBytesMax)")
        }
        let size = record.encodedByteCount
        guard size <= Limits.recordBytesMax else {
            throw JSONError("the record has \(size) bytes; at most \(Limits.recordBytesMax)")
        }
    }

    /// Checks the body's shape and tells which blobs it names.
    private static func blobs(
        of kind: RecordKind, body: [UInt8]
    ) throws(JSONError) -> Set<BlobReference> {
        switch kind {
        case .typeDeclare:
            guard try JSONValue(parsing: body).object != nil else {
                throw JSONError("the body must be an object")
            }
        case .entityPut: return Set(try EntityPut(parsing: body).blobs)
        case .printPut: return Set(try PrintPut(parsing: body).blobs)
        case .printUse: _ = try PrintUse(parsing: body)
        case .entityRemove: _ = try EntityRemove(parsing: body)
        case .calendarChange: _ = try CalendarChange(parsing: body)
        case .calendarAccess: _ = try CalendarAccess(parsing: body)
        case .zoneDeclare: _ = try ZoneDeclare(parsing: body)
        case .contactChange: _ = try ContactChange(parsing: body)
        case .contactAccess: _ = try ContactAccess(parsing: body)
        case .healthChange: _ = try HealthChange(parsing: body)
        case .healthAccess: _ = try HealthAccess(parsing: body)
        case .accountErase: _ = try AccountErase(parsing: body)
        }
        return []
    }

    private static func checkBlobs(
        _ fields: Fields, named: Set<BlobReference>
    ) throws(JSONError) {
        let stated = fields.blobs
        guard stated.count <= Limits.blobsPerRecordMax else {
            throw JSONError("\(stated.count) blobs; at most \(Limits.blobsPerRecordMax)")
        }
        let missing = named.subtracting(stated).map(\.hash).min()
        if let missing { throw JSONError("no blob field for \(missing), which the body names") }
        let surplus = Set(stated).subtracting(named).map(\.hash).min()
        if let surplus { throw JSONError("the body does not name blob \(surplus)") }
        let hashes = Set(stated.map(\.hash))
        if let stranger = fields.attachmentHashes.first(where: { !hashes.contains($0) }) {
            throw JSONError("attachment \(stranger) is no blob of the record")
        }
    }
}
