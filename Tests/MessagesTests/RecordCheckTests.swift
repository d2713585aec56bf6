import Messages
import Testing

/// What the journal stores and what it refuses.
@Suite(.timeLimit(.minutes(1)))
struct RecordCheckTests {
    static let hash = ContentHash(bytes: [UInt8](repeating: 1, count: 32))
    static let other = ContentHash(bytes: [UInt8](repeating: 2, count: 32))

    private static func record(_ kind: RecordKind?, body: String) -> Record {
        var fields = Fields()
        fields.set(.recordKind, text: kind?.rawValue)
        fields.set(.source, text: "import")
        fields.set(.changeID, text: "1")
        fields.set(.account, text: "anna")
        return Record(fields: fields, body: Array(body.utf8))
    }
    private static func put(_ picture: ContentHash, thumbnail: ContentHash) -> Record {
        record(
            .entityPut,
            body: """
                {"type":"album","id":"1","properties":{},
                "pictures":[{"picture":"\(picture)","thumbnail":"\(thumbnail)"}]}
                """)
    }
    private static func refusal(_ record: Record) -> String? {
        do throws(JSONError) {
            try RecordCheck.check(record)
            return nil
        } catch {
            return error.description
        }
    }

    @Test(arguments: [
        (RecordKind.typeDeclare, #"{"type":"album"}"#),
        (.entityPut, #"{"type":"album","id":"1","properties":{}}"#),
        (.entityRemove, #"{"type":"album","id":"1"}"#),
        (.printPut, #"{"type":"album","id":"1","pictures":[],"drop":["sl1"]}"#),
        (.printUse, #"{"version":"sl2"}"#),
        (.calendarChange, #"{"calendar":"home","revision":0}"#),
        (.calendarAccess, #"{"status":"denied"}"#),
        (.zoneDeclare, #"{"version":"2025b"}"#),
        (.contactChange, #"{"addressBook":"friends","revision":0}"#),
        (.contactAccess, #"{"status":"limited"}"#),
        (.healthChange, #"{"healthStore":"phone","revision":0}"#),
        (.healthAccess, #"{"status":"unknown"}"#),
    ])
    func aWholeRecordOfEachKindIsAccepted(_ kind: RecordKind, _ body: String) {
        #expect(Self.refusal(Self.record(kind, body: body)) == nil)
    }

    @Test(arguments: [("shop", true), ("", false), ("a\u{0}b", false), ("we ird/näme", true)])
    func aCatalogHasAName(_ name: String, _ isAllowed: Bool) {
        var record = Self.record(.entityRemove, body: #"{"type":"album","id":"1"}"#)
        record.fields.set(.catalog, text: name)
        #expect((Self.refusal(record) == nil) == isAllowed)
        #expect(CatalogName.isAllowed(name) == isAllowed)
    }

    @Test(arguments: RecordKind.allCases)
    func aBodyOfAnotherShapeIsRefused(_ kind: RecordKind) {
        for body in [
            "", "[]", "null", "{\"zzz\":1", "{\"type\":\"a\",\"type\":\"a\",\"id\":\"b\"}",
        ] {
            #expect(Self.refusal(Self.record(kind, body: body)) != nil, "\(body)")
        }
    }

    @Test func anUnknownKindIsRefused() {
        var record = Self.record(nil, body: "{}")
        #expect(Self.refusal(record) == "field recordKind is missing")
        record.fields.set(.recordKind, text: "entity.rename")
        #expect(Self.refusal(record)?.hasPrefix("record kind entity.rename is unknown") == true)
    }

    @Test(arguments: [FieldType.source, .changeID, .account])
    func aNeededFieldMustBeThere(_ type: FieldType) {
        var record = Self.record(.calendarAccess, body: #"{"status":"denied"}"#)
        for text in [nil, "", "a\nb"] {
            record.fields.set(type, text: text)
            #expect(Self.refusal(record)?.hasPrefix("field \(type) must be text") == true)
        }
    }

    @Test func anEntityNeedsNoAccount() {
        var record = Self.record(.entityRemove, body: #"{"type":"album","id":"1"}"#)
        record.fields.set(.account, nil)
        #expect(Self.refusal(record) == nil)
    }

    @Test func blobsMustBeTheOnesThatTheBodyNames() throws {
        let hash = try #require(Self.hash)
        let other = try #require(Self.other)
        var record = Self.put(hash, thumbnail: other)
        #expect(Self.refusal(record)?.hasPrefix("no blob field for \(hash)") == true)
        let right = [
            BlobReference(role: .thumbnail, hash: other), BlobReference(role: .picture, hash: hash),
        ]
        record.fields.blobs = right
        #expect(Self.refusal(record) == nil)
        record.fields.blobs = [right[1], BlobReference(role: .print, hash: other)]
        #expect(Self.refusal(record)?.hasPrefix("no blob field for \(other)") == true)
        record.fields.blobs = right + [BlobReference(role: .print, hash: other)]
        #expect(Self.refusal(record) == "the body does not name blob \(other)")
    }

    @Test func attachmentsMustBeBlobsOfTheRecord() throws {
        let hash = try #require(Self.hash)
        let other = try #require(Self.other)
        var record = Self.put(hash, thumbnail: hash)
        record.fields.blobs = [
            BlobReference(role: .picture, hash: hash), BlobReference(role: .thumbnail, hash: hash),
        ]
        record.fields.attachmentHashes = [hash]
        #expect(Self.refusal(record) == nil)
        record.fields.attachmentHashes = [hash, other]
        #expect(Self.refusal(record) == "attachment \(other) is no blob of the record")
    }

    @Test func tooManyBlobsAreRefused() throws {
        let hash = try #require(Self.hash)
        var record = Self.put(hash, thumbnail: hash)
        record.fields.blobs = [BlobReference](
            repeating: BlobReference(role: .picture, hash: hash),
            count: Limits.blobsPerRecordMax + 1)
        #expect(Self.refusal(record) == "65 blobs; at most 64")
    }

    @Test func tooLargeRecordsAreRefused() {
        let space = String(repeating: " ", count: Limits.bodyBytesMax)
        let long = Self.record(.calendarAccess, body: #"{"status":"denied"}"# + space)
        #expect(Self.refusal(long)?.hasPrefix("the body has") == true)
        var wide = Self.record(.calendarAccess, body: #"{"status":"denied"}"#)
        let text = [UInt8](repeating: 0x61, count: Limits.nameBytesMax)
        wide.fields.set(.items, [UInt8](repeating: 0, count: Limits.recordBytesMax))
        wide.fields.set(.partitionKey, text)
        #expect(Self.refusal(wide)?.hasPrefix("the record has") == true)
    }

    @Test func blobsOfAnEntityStandOnceAndInOrder() throws {
        let hash = try #require(Self.hash)
        let other = try #require(Self.other)
        let picture = EntityPut.Picture(
            picture: other, prints: ["b": hash, "a": hash], thumbnail: hash)
        let put = EntityPut(
            entity: EntityName(type: "a", id: "b"), properties: [:],
            pictures: [picture, EntityPut.Picture(picture: hash)])
        #expect(
            put.blobs == [
                BlobReference(role: .picture, hash: hash),
                BlobReference(role: .picture, hash: other),
                BlobReference(role: .print, hash: hash),
                BlobReference(role: .thumbnail, hash: hash),
            ])
    }
}
