import Raster
import TestSupport
import Testing

struct PNGTests {
    @Test(arguments: [1, 2, 4, 8, 16], [false, true])
    func grayOfEveryDepthSpansBlackToWhite(depth: Int, isInterlaced: Bool) throws {
        let most = 1 << depth - 1
        let file = PNGFile(
            width: 13, height: 9, colorType: .gray, depth: depth, isInterlaced: isInterlaced)
        let decoded = try Pictures.decode(file.encode { x, y in [(x * 31 + y * 7) * most / 500] })
        let expected = Bitmap(13, 9) { x, y in
            let value = (x * 31 + y * 7) * most / 500
            return [UInt8](repeating: UInt8((2 * 255 * value + most) / (2 * most)), count: 3)
        }
        #expect(decoded == expected)
    }

    @Test(arguments: [8, 16], [false, true])
    func coloursOfBothDepthsAreRead(depth: Int, isInterlaced: Bool) throws {
        let picture = Pictures.noise(19, 11)
        let file = PNGFile(width: 19, height: 11, depth: depth, isInterlaced: isInterlaced)
        let decoded = try Pictures.decode(
            file.encode { x, y in picture.pixel(x, y).map { Int($0) * (depth == 16 ? 257 : 1) } })
        #expect(decoded == picture)
    }

    @Test(arguments: [1, 2, 4, 8], [false, true])
    func palettesOfEveryDepthAreRead(depth: Int, isInterlaced: Bool) throws {
        let colors = 1 << depth
        func color(_ index: Int) -> [UInt8] {
            [UInt8(index), UInt8(255 - index), UInt8(index * 7 % 256)]
        }
        func index(_ x: Int, _ y: Int) -> Int { (x + 21 * y) % colors }
        let file = PNGFile(
            width: 21, height: 10, colorType: .palette, depth: depth, isInterlaced: isInterlaced,
            chunks: [("PLTE", (0..<colors).flatMap(color))])
        let decoded = try Pictures.decode(file.encode { x, y in [index(x, y)] })
        #expect(decoded == Bitmap(21, 10) { x, y in color(index(x, y)) })
    }

    @Test func alphaIsFlattenedOnWhite() throws {
        let file = PNGFile(width: 2, height: 1, colorType: .rgba)
        let bytes = file.encode { x, _ in x == 0 ? [200, 100, 0, 128] : [200, 100, 0, 255] }
        #expect(try Pictures.decode(bytes).rgb == [227, 177, 127, 200, 100, 0])
    }

    @Test func grayWithAlphaIsFlattenedOnWhite() throws {
        let file = PNGFile(width: 2, height: 1, colorType: .grayAlpha, depth: 16)
        let bytes = file.encode { x, _ in x == 0 ? [0, 0] : [0, 0xFFFF] }
        #expect(try Pictures.decode(bytes).rgb == [255, 255, 255, 0, 0, 0])
    }

    @Test(arguments: [false, true])
    func colourUnderAlphaZeroHasNoEffect(isInterlaced: Bool) throws {
        let file = PNGFile(width: 40, height: 30, colorType: .rgba, isInterlaced: isInterlaced)
        func picture(seed: UInt64) throws -> Bitmap {
            let hidden = Pictures.noise(40, 30, seed: seed)
            let bytes = file.encode { x, y in
                (x + y) % 3 == 0 ? [9, 8, 7, 200] : hidden.pixel(x, y).map(Int.init) + [0]
            }
            return try Pictures.decode(bytes, maxSide: 17)
        }
        #expect(try picture(seed: 1) == picture(seed: 2))
    }

    @Test func opaqueAlphaEqualsNone() throws {
        let picture = Pictures.noise(12, 8)
        let file = PNGFile(width: 12, height: 8, colorType: .rgba)
        let bytes = file.encode { x, y in picture.pixel(x, y).map(Int.init) + [255] }
        #expect(try Pictures.decode(bytes) == picture)
    }

    @Test func aTransparentColourIsWhite() throws {
        let rgb = PNGFile(width: 2, height: 1, chunks: [("tRNS", [0, 1, 0, 2, 0, 3])])
        #expect(
            try Pictures.decode(rgb.encode { x, _ in [1, 2, 3 + x] }).rgb
                == [255, 255, 255, 1, 2, 4])
        let gray = PNGFile(
            width: 2, height: 1, colorType: .gray, depth: 16, chunks: [("tRNS", [1, 0])])
        // The second one is the same at 8 bits, but not at 16.
        #expect(
            try Pictures.decode(gray.encode { x, _ in [256 + x] }).rgb == [255, 255, 255, 1, 1, 1])
    }

    @Test func aTransparentPaletteEntryIsFlattened() throws {
        let file = PNGFile(
            width: 3, height: 1, colorType: .palette, depth: 2,
            chunks: [("PLTE", [0, 0, 0, 200, 100, 0, 5, 6, 7]), ("tRNS", [0, 128])])
        #expect(
            try Pictures.decode(file.encode { x, _ in [x] }).rgb
                == [255, 255, 255, 227, 177, 127, 5, 6, 7])
    }

    @Test(arguments: [false, true])
    func everyRegionIsCutExactly(isInterlaced: Bool) throws {
        let picture = Pictures.noise(45, 38)
        let file = PNGFile(width: 45, height: 38, isInterlaced: isInterlaced)
        let bytes = file.encode { x, y in picture.pixel(x, y).map(Int.init) }
        var random = SeededRandom(seed: 5)
        for _ in 0..<50 {
            let region = PixelRegion.random(in: picture, using: &random)
            #expect(try Pictures.decode(bytes, region: region) == picture.cut(region))
        }
    }

    @Test func aScaledRegionIsTheScaledCut() throws {
        let picture = Pictures.noise(200, 150)
        let bytes = try picture.png()
        let region = PixelRegion(x: 31, y: 17, width: 121, height: 77)
        let decoded = try Pictures.decode(bytes, region: region, maxSide: 40)
        #expect(decoded == picture.cut(region).scaled(maxSide: 40))
    }

    @Test func profilesAndTextsAreNotRead() throws {
        let picture = Pictures.noise(9, 9)
        let noise = SeededRandom.sample(count: 5_000)
        let file = PNGFile(
            width: 9, height: 9, chunks: [("iCCP", noise), ("zTXt", noise), ("gAMA", [1])],
            lateChunks: [("iTXt", noise)])
        let decoded = try Pictures.decode(file.encode { x, y in picture.pixel(x, y).map(Int.init) })
        #expect(decoded == picture)
    }

    @Test func theHeadTellsInterlacedFiles() throws {
        for isInterlaced in [false, true] {
            let file = PNGFile(
                width: 5, height: 4, isInterlaced: isInterlaced,
                lateChunks: [("eXIf", Pictures.exif(orientation: 6))])
            let head = try Picture.head(
                of: .encoded(file.encode { _, _ in [0, 0, 0] }), limits: Pictures.limits)
            #expect((head.format, head.width, head.height) == (.png, 4, 5))
            #expect(head.orientation == 6)
            #expect(head.isBuffered == isInterlaced)
        }
    }
}

extension SeededRandom {
    static func sample(count: Int) -> [UInt8] {
        var random = SeededRandom(seed: 77)
        return random.bytes(count)
    }
}

extension PixelRegion {
    static func random(in picture: Bitmap, using random: inout SeededRandom) -> PixelRegion {
        let x = Int.random(in: 0..<picture.width, using: &random)
        let y = Int.random(in: 0..<picture.height, using: &random)
        return PixelRegion(
            x: x, y: y,
            width: Int.random(in: 1...(picture.width - x), using: &random),
            height: Int.random(in: 1...(picture.height - y), using: &random))
    }
}

extension PNGTests {
    @Test func ofAnAnimationTheMainPictureIsRead() throws {
        let picture = Pictures.noise(7, 5)
        let control: [UInt8] = [0, 0, 0, 2, 0, 0, 0, 0]
        let file = PNGFile(width: 7, height: 5, chunks: [("acTL", control)])
        let bytes = file.encode { x, y in picture.pixel(x, y).map(Int.init) }
        #expect(try Pictures.decode(bytes) == picture)
        let head = try Picture.head(of: .encoded(bytes), limits: Pictures.limits)
        #expect(head.steps == [.firstFrame])
    }
}
