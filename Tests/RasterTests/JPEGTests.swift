import Raster
import TestSupport
import Testing

struct JPEGTests {
    /// A way to write a JPEG file.
    struct Variant: CustomTestStringConvertible {
        var across = 1
        var down = 1
        var components = 3
        var isProgressive = false
        var restartRows = 0

        var testDescription: String {
            "\(components) components, \(across)x\(down), restart \(restartRows)"
                + (isProgressive ? ", progressive" : "")
        }

        func encode(_ picture: Bitmap, quality: Int = 90) throws -> [UInt8] {
            var options = JPEGOptions(quality: quality)
            options.sampling = (across, down)
            options.components = components
            options.isProgressive = isProgressive
            options.restartRows = restartRows
            let samples =
                switch components {
                case 1: picture.gray()
                case 4: Self.inks(picture)
                default: picture.rgb
                }
            return try options.encode(samples, width: picture.width, height: picture.height)
        }

        /// Inverted inks without black, as Adobe's programs write them: just the light.
        private static func inks(_ picture: Bitmap) -> [UInt8] {
            stride(from: 0, to: picture.rgb.count, by: 3).flatMap {
                picture.rgb[$0..<($0 + 3)] + [255]
            }
        }
    }

    static let variants = [
        Variant(), Variant(across: 2), Variant(down: 2), Variant(across: 2, down: 2),
        Variant(across: 4), Variant(across: 2, down: 2, restartRows: 1),
        Variant(components: 1), Variant(components: 4),
        Variant(isProgressive: true), Variant(across: 2, down: 2, isProgressive: true),
    ]

    @Test(arguments: variants)
    func everyVariantComesCloseToItsPicture(variant: Variant) throws {
        let picture = Pictures.waves(131, 97)
        let decoded = try Pictures.decode(try variant.encode(picture))
        let expected = variant.components == 1 ? picture.luma : picture
        #expect(decoded.difference(from: expected) < 5)
    }

    @Test(arguments: variants)
    func everyRegionIsCutExactly(variant: Variant) throws {
        let bytes = try variant.encode(Pictures.waves(260, 210))
        let whole = try Pictures.decode(bytes)
        var random = SeededRandom(seed: 11)
        for _ in 0..<40 {
            let region = PixelRegion.random(in: whole, using: &random)
            #expect(try Pictures.decode(bytes, region: region) == whole.cut(region))
        }
    }

    @Test(arguments: variants, [2, 4, 8])
    func aRegionOfAReducedPictureIsItsCut(variant: Variant, reduction: Int) throws {
        let bytes = try variant.encode(Pictures.waves(640, 480))
        let whole = try Pictures.decode(bytes, maxSide: 640 / reduction)
        var random = SeededRandom(seed: 12)
        for _ in 0..<20 {
            let small = PixelRegion.random(in: whole, using: &random)
            let region = PixelRegion(
                x: small.x * reduction, y: small.y * reduction,
                width: small.width * reduction, height: small.height * reduction)
            let decoded = try Pictures.decode(
                bytes, region: region, maxSide: max(small.width, small.height))
            #expect(decoded == whole.cut(small))
        }
    }

    @Test(arguments: variants, [300, 299, 150, 77, 75, 20, 1])
    func aReducedPictureIsCloseToTheScaledWhole(variant: Variant, maxSide: Int) throws {
        let bytes = try variant.encode(Pictures.waves(301, 203))
        let decoded = try Pictures.decode(bytes, maxSide: maxSide)
        let scaled = try Pictures.decode(bytes).scaled(maxSide: maxSide)
        // libjpeg reduces the colour of 4x1 further than asked for; brightness never.
        #expect(decoded.difference(from: scaled) < (variant.across == 4 ? 9 : 3))
        #expect(decoded.luma.difference(from: scaled.luma) < 3)
    }

    @Test func anUnalignedRegionOfAReducedPictureStaysInPlace() throws {
        let bytes = try Variant().encode(Pictures.waves(640, 480), quality: 98)
        let region = PixelRegion(x: 101, y: 51, width: 357, height: 301)
        let decoded = try Pictures.decode(bytes, region: region, maxSide: 80)
        let scaled = try Pictures.decode(bytes, region: region).scaled(maxSide: 80)
        #expect(decoded.difference(from: scaled) < 2)
    }

    @Test func aSmallRegionOfALargePictureKeepsItsDetail() throws {
        let picture = Pictures.noise(1_600, 1_200)
        let bytes = try Variant().encode(picture, quality: 100)
        let region = PixelRegion(x: 901, y: 701, width: 60, height: 40)
        let decoded = try Pictures.decode(bytes, region: region, maxSide: 60)
        #expect(decoded.difference(from: picture.cut(region)) < 2)
    }

    @Test func inksWithoutAdobesMarkAreNotInverted() throws {
        let samples = [UInt8](repeating: 0, count: 16 * 16 * 3).withInks([0, 255, 255, 0])
        var options = JPEGOptions(quality: 95)
        options.components = 4
        options.sampling = (1, 1)
        let bytes = try options.encode(samples, width: 16, height: 16)
        let adobe = try #require(bytes.firstRange(of: [0xFF, 0xEE]))
        // Without its name, the segment means nothing.
        var unmarked = bytes
        unmarked[adobe.upperBound + 2] = 0x58
        // Full magenta and yellow is red; as light it would be cyan, and black without a mark.
        let red = try Pictures.decode(unmarked).pixel(8, 8)
        #expect(red[0] > 250 && red[1] < 5 && red[2] < 5)
        #expect(try Pictures.decode(bytes).pixel(8, 8) == [0, 0, 0])
    }

    @Test(arguments: variants)
    func theHeadTellsBufferedFiles(variant: Variant) throws {
        let bytes = Pictures.withExif(
            try variant.encode(Pictures.waves(50, 30)), Pictures.exif(orientation: 8))
        let head = try Picture.head(of: .encoded(bytes), limits: Pictures.limits)
        #expect((head.format, head.width, head.height) == (.jpeg, 30, 50))
        #expect(head.orientation == 8)
        #expect(head.isBuffered == variant.isProgressive)
    }

    @Test func bytesBehindTheEndMarkDoNotMatter() throws {
        let bytes = try Variant().encode(Pictures.waves(40, 40))
        let longer = bytes + SeededRandom.sample(count: 999)
        #expect(try Pictures.decode(longer) == Pictures.decode(bytes))
    }
}

extension Array<UInt8> {
    func repeated(_ times: Int) -> [UInt8] { (0..<times).flatMap { _ in self } }

    /// A pixel of four inks for every three bytes.
    func withInks(_ inks: [UInt8]) -> [UInt8] { inks.repeated(count / 3) }
}
