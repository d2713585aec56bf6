import Messages
import Testing

/// The order and the forms of fields.
@Suite(.timeLimit(.minutes(1)))
struct FieldsTests {
    @Test func fieldsStandInAscendingOrderHoweverTheyCame() {
        var fields = Fields()
        fields.set(.recordKind, text: "x")
        fields.set(.service, text: "y")
        fields.append(.missing, Array("b".utf8))
        fields.append(.missing, Array("a".utf8))
        fields.set(.limit, integer: UInt32(3))
        #expect(fields.entries.map(\.type) == [1, 3, 17, 17, 30])
        #expect(fields.missing == ["b", "a"])
    }

    @Test func settingReplacesEveryValue() {
        var fields = Fields()
        fields.missing = ["a", "b", "c"]
        fields.set(.missing, text: "d")
        #expect(fields.missing == ["d"])
        fields.set(.missing, nil)
        #expect(fields.entries.isEmpty)
    }

    @Test func integersNeedTheirExactWidth() {
        var fields = Fields()
        fields.set(.limit, [0, 0, 1, 2])
        #expect(fields.integer(.limit, as: UInt32.self) == 258)
        #expect(fields.integer(.limit, as: UInt64.self) == nil)
        #expect(fields.integer(.credit, as: UInt32.self) == nil)
    }

    @Test func instantsBefore1970AreTwosComplement() {
        var fields = Fields()
        fields.asOf = Timestamp(milliseconds: -1)
        #expect(fields[.asOf] == [UInt8](repeating: 0xFF, count: 8))
        #expect(fields.asOf == Timestamp(milliseconds: -1))
    }

    @Test func typedValuesComeBack() throws {
        let hash = try #require(ContentHash(bytes: [UInt8](0..<32)))
        var fields = Fields()
        fields.blobs = BlobReference.Role.allCases.map { BlobReference(role: $0, hash: hash) }
        fields.continueToken = hash
        fields.leastPosition = Position(epoch: .max, sequence: 1)
        fields.streams = ["catalog", "calendar"]
        fields.identity = Identity(high: 0, low: .max)
        let read = try Fields(decoding: fields.encoded()[...])
        #expect(read.blobs.map(\.role) == [.picture, .print, .thumbnail])
        #expect(read.continueToken == hash)
        #expect(read.leastPosition == Position(epoch: .max, sequence: 1))
        #expect(read.streams == ["catalog", "calendar"])
        #expect(read.identity == Identity(high: 0, low: .max))
    }

    @Test func hexadecimalIsLowerCaseAndWhole() {
        #expect(Hex.encode([0, 0x0A, 0xFF]) == "000aff")
        #expect(Hex.decode("000aff") == [0, 0x0A, 0xFF])
        #expect(Hex.decode("0AFF") == nil)
        #expect(Hex.decode("0") == nil)
        #expect(Hex.decode("0g") == nil)
        #expect(ContentHash(hex: String(repeating: "0", count: 63)) == nil)
    }

    /// Bytes that grow by many pieces are copied a few times, not once for each piece.
    @Test func roomIsMadeForManyPieces() {
        var bytes: [UInt8] = []
        var capacities: Set<Int> = []
        for number in 0..<10_000 {
            bytes.makeRoom(for: 100)
            capacities.insert(bytes.capacity)
            #expect(bytes.capacity >= bytes.count + 100)
            bytes += [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 100)
        }
        #expect(bytes.count == 1_000_000)
        #expect(capacities.count < 20)
        let capacity = bytes.capacity
        bytes.makeRoom(for: 0)
        #expect(bytes.capacity == capacity)
    }
}
