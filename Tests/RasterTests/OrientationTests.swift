import Raster
import TestSupport
import Testing

struct OrientationTests {
    @Test(arguments: 1...8)
    func pixelsStandUpright(orientation: Int) throws {
        let picture = Pictures.noise(7, 5)
        let file = Pictures.png(picture.stored(orientation: orientation), orientation: orientation)
        #expect(try Pictures.decode(file) == picture)
    }

    @Test(arguments: 1...8)
    func scaledPixelsAreTheSameBitForBit(orientation: Int) throws {
        let picture = Pictures.noise(53, 37)
        let file = Pictures.png(picture.stored(orientation: orientation), orientation: orientation)
        #expect(try Pictures.decode(file, maxSide: 20) == picture.scaled(maxSide: 20))
    }

    @Test(arguments: 1...8)
    func regionsAreInUprightPixels(orientation: Int) throws {
        let picture = Pictures.noise(23, 17)
        let file = Pictures.png(picture.stored(orientation: orientation), orientation: orientation)
        var random = SeededRandom(seed: 3)
        for _ in 0..<20 {
            let region = PixelRegion.random(in: picture, using: &random)
            #expect(try Pictures.decode(file, region: region) == picture.cut(region))
        }
    }

    @Test(arguments: 1...8, [false, true])
    func jpegSegmentsOfBothByteOrdersAreRead(orientation: Int, littleEndian: Bool) throws {
        let picture = Pictures.waves(90, 60)
        let stored = try picture.stored(orientation: orientation).jpeg(quality: 95)
        let block = Pictures.exif(orientation: orientation, littleEndian: littleEndian)
        let decoded = try Pictures.decode(Pictures.withExif(stored, block))
        #expect(decoded.difference(from: picture) < 4)
    }

    @Test(arguments: [1, 6, 8])
    func aBlockWithTheNameOfJPEGIsReadInPNG(orientation: Int) throws {
        let picture = Pictures.noise(7, 5)
        let stored = picture.stored(orientation: orientation)
        let block = Array("Exif\0\0".utf8) + Pictures.exif(orientation: orientation)
        let file = PNGFile(width: stored.width, height: stored.height, chunks: [("eXIf", block)])
        let bytes = file.encode { x, y in stored.pixel(x, y).map(Int.init) }
        #expect(try Pictures.decode(bytes) == picture)
    }

    @Test func theHeadIsUpright() throws {
        let file = Pictures.png(Pictures.noise(7, 5), orientation: 6)
        let head = try Picture.head(of: .encoded(file), limits: Pictures.limits)
        #expect((head.width, head.height, head.orientation) == (5, 7, 6))
    }

    @Test(arguments: [0, 9, 65_535])
    func orientationsThatDoNotExistCountAsUpright(orientation: Int) throws {
        let picture = Pictures.noise(7, 5)
        #expect(try Pictures.decode(Pictures.png(picture, orientation: orientation)) == picture)
    }

    @Test func brokenExifIsIgnored() throws {
        let jpeg = try Pictures.waves(30, 20).jpeg(quality: 90)
        let upright = try Pictures.decode(jpeg)
        let block = Pictures.exif(orientation: 6)
        var random = SeededRandom(seed: 8)
        var blocks = (0..<18).map { Array(block.prefix($0)) }
        blocks.append(random.bytes(40))
        // A directory far outside, one entry too many, no entry, a value count of 7.
        blocks.append(block.replacing(at: 4, with: [255, 255, 255, 255]))
        blocks.append(block.replacing(at: 8, with: [0, 0]))
        blocks.append(block.replacing(at: 14, with: [0, 0, 0, 7]))
        for block in blocks {
            #expect(try Pictures.decode(Pictures.withExif(jpeg, block)) == upright)
        }
    }
}

extension Array<UInt8> {
    func replacing(at offset: Int, with bytes: [UInt8]) -> [UInt8] {
        var copy = self
        copy.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
        return copy
    }
}
