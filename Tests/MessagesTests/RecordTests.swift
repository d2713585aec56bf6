import Messages
import TestSupport
import Testing

/// Records, alone and in lists.
@Suite(.timeLimit(.minutes(1)))
struct RecordTests {
    static func record(_ random: inout SeededRandom) -> Record {
        var fields = Fields()
        fields.set(.recordKind, text: RecordKind.allCases.randomElement(using: &random)?.rawValue)
        fields.set(.source, text: "s\(random.next())")
        fields.position = Position(epoch: random.next(), sequence: random.next())
        return Record(
            fields: fields, body: random.bytes(Int.random(in: 0..<200, using: &random)))
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func listsComeBackAsTheyWere(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let records = (0..<Int.random(in: 0..<20, using: &random)).map { _ in
            Self.record(&random)
        }
        #expect(try Record.decodeList(Record.encodeList(records)) == records)
        for record in records {
            let bytes = record.encoded()
            #expect(bytes.count == record.encodedByteCount)
            #expect(try Record(decoding: bytes[...]) == record)
        }
    }

    @Test func everyCutOfAListIsRefused() {
        var random = SeededRandom(seed: 1)
        let bytes = Record.encodeList([Self.record(&random)])
        for count in 1..<bytes.count {
            let error = #expect(throws: WireError.self) {
                try Record.decodeList(Array(bytes.prefix(count)))
            }
            #expect(error?.code == .badRecord)
        }
    }

    @Test func everyKindBelongsToAKnownStream() {
        #expect(
            Set(RecordKind.allCases.map(\.stream)) == [
                "account", "calendar", "catalog", "contacts", "health",
            ])
    }
}
