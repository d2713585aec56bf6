import Journal
import Sodium
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ChecksumTests {
    /// The examples of RFC 3720 B.4 and the check value of the CRC catalogues.
    @Test(
        arguments: [
            ([UInt8](repeating: 0, count: 32), 0x8A91_36AA),
            ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43),
            (Array(0..<32), 0x46DD_794E), (Array((0..<32).reversed()), 0x113F_DB5C),
            (Array("123456789".utf8), 0xE306_9283), ([], 0),
        ] as [([UInt8], UInt32)])
    func crcIsTheStandardsOwn(bytes: [UInt8], expected: UInt32) {
        #expect(CRC32C(bytes).value == expected)
    }

    @Test(arguments: 0..<20)
    func crcOfPiecesIsThatOfTheWhole(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let bytes = random.bytes(Int.random(in: 0...100, using: &random))
        let bitwise = bytes.reduce(~UInt32(0)) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in
                crc & 1 == 1 ? crc >> 1 ^ 0x82F6_3B78 : crc >> 1
            }
        }
        #expect(CRC32C(bytes).value == ~bitwise)
        for cut in 0...bytes.count {
            var pieces = CRC32C(bytes[..<cut])
            pieces.update(bytes[cut...])
            #expect(pieces.value == ~bitwise)
        }
    }

    @Test(arguments: 0..<30)
    func instructionsAndTablesAgree(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        // From where three streams are taken at once, and around that.
        let bytes = random.bytes(Int.random(in: 0...20_000, using: &random))
        let start = Int.random(in: 0...min(7, bytes.count), using: &random)
        var tables = CRC32C()
        bytes[start...].withUnsafeBufferPointer { tables.updateByTables($0) }
        #expect(CRC32C(bytes[start...]).value == tables.value)
    }

    @Test func sha256IsTheStandardsOwn() {
        let expected: [UInt8] = [
            0xBA, 0x78, 0x16, 0xBF, 0x8F, 0x01, 0xCF, 0xEA, 0x41, 0x41, 0x40, 0xDE, 0x5D, 0xAE,
            0x22, 0x23, 0xB0, 0x03, 0x61, 0xA3, 0x96, 0x17, 0x7A, 0x9C, 0xB4, 0x10, 0xFF, 0x61,
            0xF2, 0x00, 0x15, 0xAD,
        ]
        #expect(Digest.sha256(Array("abc".utf8)) == expected)
        #expect(Digest.sha256([]).prefix(4) == [0xE3, 0xB0, 0xC4, 0x42])
    }

    @Test func keyedHashDependsOnKeyAndBytes() {
        let key = [UInt8](repeating: 1, count: 32)
        let hash = Digest.keyed([1, 2, 3], key: key)
        #expect(hash.count == Digest.byteCount)
        #expect(hash == Digest.keyed([1, 2, 3], key: key))
        #expect(hash != Digest.keyed([1, 2, 4], key: key))
        #expect(hash != Digest.keyed([1, 2, 3], key: [UInt8](repeating: 2, count: 32)))
    }

    @Test func shortKeyIsAMistake() async {
        await #expect(processExitsWith: .failure) {
            _ = Digest.keyed([1], key: [1, 2, 3])
        }
    }

    @Test func randomBytesDoNotRepeat() {
        #expect(SecureRandom.bytes(0).isEmpty)
        #expect(SecureRandom.bytes(32).count == 32)
        #expect(SecureRandom.bytes(32) != SecureRandom.bytes(32))
        var generator = SecureGenerator()
        #expect(generator.next() != generator.next())
    }
}
