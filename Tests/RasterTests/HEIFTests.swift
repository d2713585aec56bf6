import Foundation
import Raster
import TestSupport
import Testing

struct HEIFTests {
    static func fixture(_ name: String) throws -> [UInt8] {
        let path = PackageRoot.path + "/Tests/RasterTests/Fixtures/" + name
        return [UInt8](try Data(contentsOf: URL(filePath: path)))
    }

    /// The gradient that all fixtures hold.
    static let gradient = Bitmap(96, 72) { x, y in
        [UInt8(x * 255 / 95), UInt8(y * 255 / 71), x < 48 ? 40 : 200]
    }

    @Test(arguments: ["plain.heic", "deep.heic", "plain.avif", "deep.avif"])
    func picturesOfBothCodecsAndDepthsAreRead(name: String) throws {
        let bytes = try Self.fixture(name)
        #expect(try Pictures.decode(bytes).difference(from: Self.gradient) < 3)
        let head = try Picture.head(of: .encoded(bytes), limits: Pictures.limits)
        #expect((head.width, head.height, head.orientation) == (96, 72, 1))
        #expect(head.format.rawValue == String(name.suffix(4)) && head.isBuffered)
        #expect(head.steps.contains(.depthChanged) == name.hasPrefix("deep"))
    }

    @Test func transparencyIsLaidOnWhite() throws {
        let decoded = try Pictures.decode(try Self.fixture("alpha.heic"))
        #expect(decoded.pixel(8, 8) == [255, 255, 255])
        let region = PixelRegion(x: 32, y: 0, width: 64, height: 72)
        #expect(decoded.cut(region).difference(from: Self.gradient.cut(region)) < 3)
    }

    @Test func aTurnStoredAsAPropertyIsMade() throws {
        let decoded = try Pictures.decode(try Self.fixture("turned.avif"))
        let upright = Bitmap(72, 96) { x, y in Self.gradient.pixel(y, 71 - x) }
        #expect(decoded.difference(from: upright) < 3)
    }

    /// A phone writes both; whoever turned by both would turn twice.
    @Test func anOrientationInExifAloneTurnsNothing() throws {
        let bytes = try Self.fixture("exif.heic")
        #expect(String(decoding: bytes, as: UTF8.self).contains("Exif"))
        #expect(try Pictures.decode(bytes).difference(from: Self.gradient) < 3)
        let head = try Picture.head(of: .encoded(bytes), limits: Pictures.limits)
        #expect((head.width, head.height, head.orientation) == (96, 72, 1))
    }

    @Test(arguments: ["plain.heic", "alpha.heic", "deep.avif"])
    func everyRegionIsCutExactly(name: String) throws {
        let bytes = try Self.fixture(name)
        let whole = try Pictures.decode(bytes)
        var random = SeededRandom(seed: 21)
        for _ in 0..<10 {
            let region = PixelRegion.random(in: whole, using: &random)
            #expect(try Pictures.decode(bytes, region: region) == whole.cut(region))
        }
        #expect(try Pictures.decode(bytes, maxSide: 40) == whole.scaled(maxSide: 40))
    }

    @Test(arguments: ["plain.heic", "plain.avif"])
    func aCutOrDamagedFileIsRefusedOrReadAndHarmsNothing(name: String) throws {
        let bytes = try Self.fixture(name)
        for cut in stride(from: 20, to: bytes.count - 1, by: bytes.count / 12) {
            #expect(Pictures.refusal(Array(bytes[..<cut])) != nil, "cut at \(cut)")
        }
        var random = SeededRandom(seed: 4)
        for _ in 0..<40 {
            let place = Int.random(in: 12..<bytes.count, using: &random)
            _ = Pictures.refusal(
                bytes.replacing(at: place, with: [UInt8.random(in: 0...255, using: &random)]))
        }
    }

    @Test func theLimitIsThatOfBufferedPictures() throws {
        var limits = Pictures.limits
        limits.bufferedPixelsMax = 96 * 72 - 1
        #expect(
            Pictures.refusal(try Self.fixture("plain.heic"), limits: limits) == .tooLarge)
    }
}
