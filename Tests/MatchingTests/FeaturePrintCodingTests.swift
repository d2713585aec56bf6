import Matching
import Testing

@Suite(.timeLimit(.minutes(5)))
struct FeaturePrintCodingTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func decodingWhatWasEncodedGivesThePrint(seed: UInt64) throws {
        let print = try FeaturePrint(of: GeneratedPictures.shapes(seed: seed))
        let bytes = print.encoded()
        #expect(bytes.count <= FeaturePrint.encodedBytesMax)
        #expect(try FeaturePrint(decoding: bytes) == print)
    }

    @Test func largestPrintIsBelow16Kilobytes() {
        #expect(FeaturePrint.encodedBytesMax == 15_046)
    }

    @Test func everyShortenedPrintIsRefused() throws {
        let bytes = try small().encoded()
        for count in 0..<bytes.count {
            let error = #expect(throws: MatchingError.self) {
                try FeaturePrint(decoding: Array(bytes.prefix(count)))
            }
            #expect(error?.code == .printMalformed)
        }
    }

    @Test func bytesBehindThePrintAreRefused() throws {
        let bytes = try small().encoded() + [0]
        let error = #expect(throws: MatchingError.self) { try FeaturePrint(decoding: bytes) }
        #expect(error?.code == .printMalformed)
    }

    @Test(arguments: ["sl1", "sl", "sl10", ""])
    func anotherVersionIsRefusedAsSuch(version: String) throws {
        var bytes = try small().encoded()
        bytes.replaceSubrange(4..<8, with: [UInt8(version.utf8.count)] + Array(version.utf8))
        let error = #expect(throws: MatchingError.self) { try FeaturePrint(decoding: bytes) }
        #expect(error?.code == .printVersion)
    }

    @Test(
        arguments: [
            (0, [0x54]), (8, [0, 0]), (8, [129, 2]), (10, [0, 0]), (10, [255, 255]),
            (12, [245, 1]),
            (12, [255, 255]), (46, [255, 255]), (48, [255, 255]), (50, [0, 0]),
        ] as [(Int, [UInt8])])
    func valueOutOfRangeIsRefused(at index: Int, bytes wrong: [UInt8]) throws {
        var bytes = try small().encoded()
        bytes.replaceSubrange(index..<index + wrong.count, with: wrong)
        let error = #expect(throws: MatchingError.self) { try FeaturePrint(decoding: bytes) }
        #expect(error?.code == .printMalformed)
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func damagedBytesNeverTrapAndWhatIsTakenIsWhole(seed: UInt64) throws {
        var random = Sequence64(state: seed)
        let whole = try small().encoded()
        var collection = PrintCollection()
        collection.put([try small()], for: 1)
        for _ in 0..<50 {
            var bytes = whole
            for _ in 0...random.next(below: 4) {
                bytes[random.next(below: bytes.count)] = UInt8(random.next(below: 256))
            }
            if random.next(below: 3) == 0 { bytes.removeLast(random.next(below: bytes.count)) }
            // Many kinds of damage still give a possible print; it must then be a usable one.
            guard let print = try? FeaturePrint(decoding: bytes) else { continue }
            #expect(print.encoded() == bytes)
            #expect(collection.search(print, maxDistance: 2_000_000).isComplete)
        }
    }

    private func small() throws -> FeaturePrint {
        try FeaturePrint(of: GeneratedPictures.shapes(seed: 9, width: 60, height: 50, count: 12))
    }
}
