import Raster
import Testing

struct LimitsTests {
    /// Nothing but a header: had anything else been looked at, it would be missing.
    private static func pngHeader(_ width: Int, _ height: Int, isInterlaced: Bool) -> [UInt8] {
        PNGFile.signature
            + PNGFile(width: width, height: height, isInterlaced: isInterlaced).header
    }

    /// The marks before the pixels, and the first bytes of a scan.
    private static func jpegHeader(_ width: Int, _ height: Int, isProgressive: Bool) -> [UInt8] {
        [0xFF, 0xD8, 0xFF, isProgressive ? 0xC2 : 0xC0, 0, 17, 8]
            + [UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255)]
            + [3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]
            + [0xFF, 0xDA, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0]
    }

    @Test(arguments: [
        (0x7FFF_FFFF, 0x7FFF_FFFF, false), (65_501, 1, false), (1, 65_501, false),
        (2_001, 2_000, false), (1_415, 1_415, true),
    ])
    func giantPNGsAreRefusedFromTheHeader(width: Int, height: Int, isInterlaced: Bool) {
        let bytes = Self.pngHeader(width, height, isInterlaced: isInterlaced)
        #expect(Pictures.refusal(bytes) == .tooLarge)
    }

    @Test(arguments: [
        (65_535, 65_535, false), (65_501, 1, false), (2_001, 2_000, false), (1_415, 1_415, true),
    ])
    func giantJPEGsAreRefusedFromTheHeader(width: Int, height: Int, isProgressive: Bool) {
        let bytes = Self.jpegHeader(width, height, isProgressive: isProgressive)
        #expect(Pictures.refusal(bytes) == .tooLarge)
    }

    @Test func aHeaderWithinTheLimitsGoesOnToThePixels() {
        #expect(Pictures.refusal(Self.pngHeader(2_000, 2_000, isInterlaced: false)) == .truncated)
        #expect(Pictures.refusal(Self.jpegHeader(2_000, 2_000, isProgressive: false)) == .truncated)
        #expect(Pictures.refusal(Self.pngHeader(1_414, 1_414, isInterlaced: true)) == .truncated)
        #expect(Pictures.refusal(Self.jpegHeader(1_414, 1_414, isProgressive: true)) == .truncated)
    }

    @Test func theHeadIsRefusedLikeThePicture() throws {
        let bytes = Self.pngHeader(65_501, 1, isInterlaced: false)
        let error = try #require(throws: RasterError.self) {
            try Picture.head(of: .encoded(bytes), limits: Pictures.limits)
        }
        #expect(error.code == .tooLarge)
        #expect(error.description.contains("65500"))
    }

    @Test func tooManyBytesAreRefused() throws {
        let bytes = try Pictures.noise(20, 20).png()
        var limits = Pictures.limits
        limits.encodedBytesMax = bytes.count
        #expect(Pictures.refusal(bytes, limits: limits) == nil)
        limits.encodedBytesMax = bytes.count - 1
        #expect(Pictures.refusal(bytes, limits: limits) == .tooLarge)
    }

    @Test func tooManyScansAreRefused() {
        let scan: [UInt8] = [0xFF, 0xDA, 0, 6, 1, 1, 0, 0]
        let bytes =
            Self.jpegHeader(8, 8, isProgressive: true) + scan.repeated(300) + [0xFF, 0xD9]
        #expect(Pictures.refusal(bytes) == .tooLarge)
    }

    @Test(arguments: [
        PixelRegion(x: 0, y: 0, width: 0, height: 1), PixelRegion(x: 0, y: 0, width: 1, height: -1),
        PixelRegion(x: -1, y: 0, width: 2, height: 2), PixelRegion(x: 9, y: 0, width: 2, height: 2),
        PixelRegion(x: 0, y: 7, width: 2, height: 2), PixelRegion(x: 0, y: 0, width: 11, height: 8),
        PixelRegion(x: Int.max, y: Int.max, width: Int.max, height: Int.max),
        PixelRegion(x: Int.min, y: Int.min, width: Int.max, height: Int.max),
    ])
    func regionsOutsideThePictureAreRefused(region: PixelRegion) throws {
        let bytes = try Pictures.noise(10, 8).png()
        let error = try #require(throws: RasterError.self) {
            try Pictures.decode(bytes, region: region)
        }
        #expect(error.code == .badRegion)
        #expect(error.context.contains("10 x 8"))
    }

    @Test(arguments: [
        ("GIF89a", "GIF"), ("BM....", "BMP"),
        ("....ftypisom", "HEIF"),
        ("II*\0....", "TIFF"),
    ])
    func otherFormatsAreNamed(bytes: String, name: String) throws {
        let error = try #require(throws: RasterError.self) {
            try Pictures.decode(Array(bytes.utf8))
        }
        #expect(error.code == .unsupportedFormat)
        #expect(error.context.contains(name))
    }

    @Test func whatIsNoPictureIsUnknown() {
        #expect(Pictures.refusal([]) == .unknownFormat)
        #expect(Pictures.refusal([0]) == .unknownFormat)
        #expect(Pictures.refusal(Array("<svg xmlns=".utf8)) == .unknownFormat)
    }

    /// A deadline is kept to some ten milliseconds whatever the shape of a picture.
    @Test func wideRowsAreAskedAboutAsOftenAsManyRows() throws {
        var progressive = JPEGOptions(quality: 60)
        progressive.isProgressive = true
        let (width, height) = (40_000, 32)
        let rgb = (0..<3 * width * height).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 5) }
        let wide = Bitmap(width: width, height: height, rgb: rgb)
        let sources: [PictureSource] = [
            .encoded(try wide.png()), .encoded(try wide.jpeg(quality: 60)),
            .encoded(try progressive.encode(rgb, width: width, height: height)),
            .pixels(
                rgb, layout: .gray, width: width, height: 3 * height, bytesPerRow: width),
        ]
        for (index, source) in sources.enumerated() {
            var questions = 0
            _ = try Picture.decode(source, maxSide: 640, limits: Pictures.limits) {
                questions += 1
                return false
            }
            #expect(questions >= width * height / (1 << 18), "\(index): \(questions)")
        }
    }

    @Test func everyWayOfReadingStopsWhenAsked() throws {
        var progressive = JPEGOptions(quality: 80)
        progressive.isProgressive = true
        let picture = Pictures.waves(200, 300)
        let interlaced = PNGFile(width: 200, height: 300, isInterlaced: true)
        let sources: [PictureSource] = [
            .encoded(try picture.png()), .encoded(try picture.jpeg(quality: 80)),
            .encoded(try progressive.encode(picture.rgb, width: 200, height: 300)),
            .encoded(interlaced.encode { x, y in picture.pixel(x, y).map(Int.init) }),
            .pixels(picture.rgb, layout: .gray, width: 600, height: 300, bytesPerRow: 600),
        ]
        let region = PixelRegion(x: 10, y: 180, width: 90, height: 120)
        for source in sources {
            var questions = 0
            _ = try Picture.decode(source, region: region, maxSide: 50, limits: Pictures.limits) {
                questions += 1
                return false
            }
            #expect(questions >= 2)
            for last in 1...questions {
                var asked = 0
                let error = #expect(throws: RasterError.self) {
                    try Picture.decode(source, region: region, maxSide: 50, limits: Pictures.limits)
                    {
                        asked += 1
                        return asked == last
                    }
                }
                #expect(error?.code == .stopped)
                #expect(asked == last)
            }
        }
    }
}
