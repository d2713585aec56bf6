import Messages
import TestSupport
import Testing

/// `schemas/vectors`: what the codec must read, write and refuse.
@Suite(.timeLimit(.minutes(2)))
struct VectorTests {
    @Test func everyFileIsListedOnce() throws {
        for (kind, vectors) in [("valid", Vector.valid), ("invalid", Vector.invalid)] {
            #expect(vectors.count >= 30)
            #expect(vectors.count == Vector.index[kind]?.array?.count)
            #expect(try Vector.files(kind) == vectors.map(\.file).sorted())
        }
    }

    @Test func everyCommandHasAVector() {
        let found = Set(Vector.valid.compactMap { $0.expected["command"]?.text })
        #expect(found == Set(Command.allCases.map { "\($0)" }))
    }

    @Test func everyFaultHasAVector() {
        let found = Set(Vector.invalid.compactMap { $0.expected["error"]?.text })
        #expect(found == Set(WireError.Code.allCases.map(\.rawValue)))
    }

    @Test func everyKnownFieldHasAVector() {
        let records = Vector.valid.flatMap { $0.expected["records"]?.array ?? [] }
        let fields = (Vector.valid.map(\.expected) + records)
            .flatMap { $0["fields"]?.array ?? [] }
        let found = Set(fields.compactMap { $0["name"]?.text })
        #expect(found == Set(FieldType.allCases.map { "\($0)" }))
        for field in fields {
            let type = field["type"]?.integer.flatMap { FieldType(rawValue: UInt16($0)) }
            #expect(field["name"]?.text == type.map { "\($0)" })
        }
    }

    @Test(arguments: Vector.valid)
    func validVectorIsReadAsTheIndexSays(_ vector: Vector) throws {
        let expected = vector.expected
        let (message, items, records) = try Vector.decodeWhole(vector.frames)
        #expect("\(message.command)" == expected["command"]?.text)
        #expect(Int(message.header.flags.rawValue) == expected["flags"]?.integer)
        #expect(Int(message.header.priority) == expected["priority"]?.integer)
        #expect(Int(message.header.attempt) == expected["attempt"]?.integer)
        #expect(
            Int(message.header.budgetMilliseconds) == expected["budgetMilliseconds"]?.integer)
        #expect(message.header.requestID.description == expected["requestID"]?.text)
        #expect(message.fields.entries == expected["fields"].map(Self.entries))
        #expect(message.body.count == expected["bodyBytes"]?.integer)
        #expect(
            message.attachments.map(\.count)
                == expected["attachmentBytes"]?.array?.compactMap(\.integer))
        #expect(message.diagnostics?.count == expected["diagnosticsBytes"]?.integer)
        #expect(items == expected["items"].map(Self.items))
        #expect(records == expected["records"].map(Self.records))
    }

    @Test(arguments: Vector.valid)
    func validVectorIsWrittenAsItWas(_ vector: Vector) throws {
        let (message, items, records) = try Vector.decodeWhole(vector.frames)
        let isSame = vector.expected["reencodes"]?.bool ?? true
        #expect((message.frames() == vector.frames) == isSame)
        if let items, vector.expected["itemsReencode"]?.bool ?? true {
            let encoded = MergeItem.encode(items)
            #expect(encoded.list == message.fields[.items])
            #expect(encoded.body == message.body)
        }
        if let records { #expect(Record.encodeList(records) == message.body) }
    }

    @Test(arguments: Vector.invalid)
    func invalidVectorIsRefusedWithItsCode(_ vector: Vector) throws {
        let error = #expect(throws: WireError.self) { try Vector.decodeWhole(vector.frames) }
        #expect(error?.code.rawValue == vector.expected["error"]?.text)
        #expect(error?.context.isEmpty == false)
    }

    private static func entries(_ list: JSONValue) -> [Fields.Entry] {
        (list.array ?? []).map { field in
            Fields.Entry(
                type: UInt16(field["type"]?.integer ?? 0),
                value: Hex.decode(field["value"]?.text ?? "?") ?? [])
        }
    }

    private static func items(_ list: JSONValue) -> [MergeItem] {
        (list.array ?? []).map { item in
            MergeItem(
                sortKey: Hex.decode(item["sortKey"]?.text ?? "?") ?? [],
                unionKey: Hex.decode(item["unionKey"]?.text ?? "?") ?? [],
                parentKey: Hex.decode(item["parentKey"]?.text ?? "?") ?? [],
                json: Array((item["json"]?.text ?? "?").utf8),
                attachments: (item["attachments"]?.array ?? []).compactMap {
                    ContentHash(hex: $0.text ?? "")
                })
        }
    }

    private static func records(_ list: JSONValue) -> [Record] {
        (list.array ?? []).map { record in
            var fields = Fields()
            for entry in entries(record["fields"] ?? .null) {
                guard let type = FieldType(rawValue: entry.type) else { continue }
                fields.append(type, entry.value)
            }
            return Record(fields: fields, body: Array((record["body"]?.text ?? "?").utf8))
        }
    }
}
