import Raster
import Testing

struct PNGChecksumTests {
    private static let file = PNGFile(
        width: 4, height: 3, colorType: .palette, chunks: [("PLTE", [1, 2, 3, 4, 5, 6])])

    /// The file with one bit of a chunk's checksum wrong.
    private func damaged(_ name: String) throws -> [UInt8] {
        let bytes = Self.file.encode { x, _ in [x % 2] }
        let start = try #require(bytes.firstRange(of: Array(name.utf8))).lowerBound
        let length = Int(bytes[start - 1]) | Int(bytes[start - 2]) << 8
        let place = start + 4 + length
        return bytes.replacing(at: place, with: [bytes[place] ^ 1])
    }

    @Test func aWrongChecksumOfHeaderOrPaletteIsRefused() throws {
        for name in ["IHDR", "PLTE"] {
            #expect(Pictures.refusal(try damaged(name)) == .corrupt, "\(name)")
        }
    }

    @Test func pixelsThatPassTheirOwnChecksumNeedNoOther() throws {
        let whole = try Pictures.decode(Self.file.encode { x, _ in [x % 2] })
        #expect(try Pictures.decode(try damaged("IDAT")) == whole)
    }

    @Test func pixelsThatFailTheirOwnChecksumAreRefused() throws {
        let bytes = Self.file.encode { x, _ in [x % 2] }
        let end = try #require(bytes.firstRange(of: Array("IEND".utf8))).lowerBound
        // Before the end chunk's length and the pixel chunk's checksum stands the pixels' own.
        let place = end - 4 - 4 - 1
        #expect(
            Pictures.refusal(bytes.replacing(at: place, with: [bytes[place] ^ 1])) == .corrupt)
    }
}
