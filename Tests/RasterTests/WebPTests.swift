import Raster
import TestSupport
import Testing

struct WebPTests {
    private static let folder = "odd/libwebp-test-data/"

    /// A chunk of a RIFF file, padded to an even length.
    static func chunk(_ name: String, _ bytes: some Sequence<UInt8>) -> [UInt8] {
        let bytes = Array(bytes)
        return Array(name.utf8) + little(bytes.count, 4) + bytes
            + (bytes.count % 2 == 1 ? [0] : [])
    }

    static func little(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(value >> (8 * $0) & 255) }
    }

    static func file(_ chunks: [UInt8]) -> [UInt8] {
        Array("RIFF".utf8) + little(chunks.count + 4, 4) + Array("WEBP".utf8) + chunks
    }

    /// The header of an extended file.
    static func extended(_ flags: UInt8, _ width: Int, _ height: Int) -> [UInt8] {
        chunk("VP8X", [flags, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3))
    }

    /// A lossless picture of 100 x 100 pixels of one colour, in 28 bytes of a file.
    static func oneColour() throws -> [UInt8] {
        try SharedFolder.bytes(folder + "one_color_no_palette.webp")
    }

    @Test(.needsShared, arguments: [1, 3, 6, 8])
    func theOrientationOfItsExifCounts(orientation: Int) throws {
        let plain = try SharedFolder.bytes(Self.folder + "small_31x13.webp")
        let upright = try Pictures.decode(plain)
        for prefix in [[], Array("Exif\0\0".utf8)] {
            let bytes = Self.file(
                Self.extended(0x08, 31, 13) + plain[12...]
                    + Self.chunk("EXIF", prefix + Pictures.exif(orientation: orientation)))
            let head = try Picture.head(of: .encoded(bytes), limits: Pictures.limits)
            #expect(head.format == .webp && head.orientation == orientation)
            #expect(try Pictures.decode(bytes).stored(orientation: orientation) == upright)
        }
    }

    @Test(.needsShared)
    func theFirstFrameOfAnAnimationIsLaidOnWhite() throws {
        let still = try Self.oneColour()
        let colour = try Pictures.decode(still).pixel(0, 0)
        let place = Self.little(5, 3) + Self.little(10, 3)
        let frame = place + Self.little(99, 3) + Self.little(99, 3) + [100, 0, 0, 0]
        let bytes = Self.file(
            Self.extended(0x02, 130, 140) + Self.chunk("ANIM", [0, 0, 255, 255, 0, 0])
                + Self.chunk("ANMF", frame + still[12...])
                + Self.chunk("ANMF", frame + [1, 2, 3]))
        let decoded = try Pictures.decode(bytes)
        let expected = Bitmap(130, 140) { x, y in
            (10..<110).contains(x) && (20..<120).contains(y) ? colour : [255, 255, 255]
        }
        #expect(decoded == expected)
        let head = try Picture.head(of: .encoded(bytes), limits: Pictures.limits)
        #expect(head.steps == [.firstFrame, .alphaFlattened])
        for region in [
            PixelRegion(x: 0, y: 0, width: 9, height: 9),
            PixelRegion(x: 100, y: 90, width: 30, height: 50),
        ] {
            #expect(try Pictures.decode(bytes, region: region) == expected.cut(region))
        }
    }

    @Test(
        .needsShared,
        arguments: ["lossy_alpha1", "lossless1", "near_lossless_75", "vp80-05-sharpness-1438"])
    func everyRegionIsCutAndScaledExactly(name: String) throws {
        let bytes = try SharedFolder.bytes(Self.folder + name + ".webp")
        let whole = try Pictures.decode(bytes)
        var random = SeededRandom(seed: 8)
        for _ in 0..<10 {
            let region = PixelRegion.random(in: whole, using: &random)
            #expect(try Pictures.decode(bytes, region: region) == whole.cut(region))
        }
        #expect(try Pictures.decode(bytes, maxSide: 90) == whole.scaled(maxSide: 90))
    }

    @Test(.needsShared, arguments: ["test", "lossless4", "lossy_alpha4"])
    func aCutFileIsRefusedAsTruncated(name: String) throws {
        let bytes = try SharedFolder.bytes(Self.folder + name + ".webp")
        for part in 1..<16 {
            #expect(Pictures.refusal(Array(bytes[..<(bytes.count * part / 16)])) == .truncated)
        }
    }

    @Test func giantsAreRefusedFromTheHeader() {
        let lossless = Self.chunk("VP8L", [0x2F] + Self.little(0x0FFF_FFFF, 4))
        #expect(Pictures.refusal(Self.file(lossless)) == .tooLarge)
        let lossy = Self.chunk("VP8 ", [0, 0, 0, 0x9D, 1, 0x2A] + Self.little(0x3FFF_3FFF, 4))
        #expect(Pictures.refusal(Self.file(lossy)) == .tooLarge)
        let canvas = Self.file(Self.extended(2, 1 << 24, 1 << 24) + lossy)
        #expect(Pictures.refusal(canvas) != nil)
    }

    @Test(.needsShared)
    func headersThatContradictThePictureAreRefused() throws {
        let plain = try SharedFolder.bytes(Self.folder + "small_31x13.webp")
        for (width, height) in [(32, 13), (31, 12), (1, 1)] {
            let bytes = Self.file(Self.extended(0, width, height) + plain[12...])
            #expect(Pictures.refusal(bytes) == .corrupt)
        }
        #expect(Pictures.refusal(Self.file(Self.extended(0, 31, 13))) == .corrupt)
    }

    @Test(.needsShared)
    func flippedBitsNeverDoMoreThanRefuse() throws {
        for name in ["test", "lossless4", "lossy_alpha4"] {
            let bytes = try SharedFolder.bytes(Self.folder + name + ".webp")
            var random = SeededRandom(seed: 5)
            for _ in 0..<60 {
                let place = Int.random(in: 12..<bytes.count, using: &random)
                let code = Pictures.refusal(
                    bytes.replacing(at: place, with: [UInt8.random(in: 0...255, using: &random)]))
                #expect(code != .stopped && code != .badBuffer)
            }
        }
    }

    @Test(.needsShared)
    func itStopsWhenAskedAndLeavesNoProcess() throws {
        let bytes = try SharedFolder.bytes(Self.folder + "vp80-00-comprehensive-008.webp")
        for last in 1...2 {
            var asked = 0
            let error = #expect(throws: RasterError.self) {
                try Picture.decode(.encoded(bytes), maxSide: 50, limits: Pictures.limits) {
                    asked += 1
                    return asked >= last
                }
            }
            #expect(error?.code == .stopped)
        }
    }
}
