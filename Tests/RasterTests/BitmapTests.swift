import Raster
import Testing

struct BitmapTests {
    @Test func grayPixelsKeepTheirValueAsLuma() {
        let bitmap = Bitmap(256, 1) { x, _ in [UInt8(x), UInt8(x), UInt8(x)] }
        #expect(bitmap.gray() == Array(0...255))
    }

    @Test func lumaWeighsColoursAsBT601Says() {
        let bitmap = Bitmap(
            width: 4, height: 1, rgb: [255, 0, 0, 0, 255, 0, 0, 0, 255, 10, 200, 30])
        // 0.299, 0.587 and 0.114 of 255; and 2.99 + 117.4 + 3.42.
        #expect(bitmap.gray() == [76, 150, 29, 124])
    }

    @Test func aBitmapOfWrongByteCountTraps() async {
        await #expect(processExitsWith: .failure) {
            _ = Bitmap(width: 2, height: 2, rgb: [0, 0, 0])
        }
    }

    @Test func scalingNeverEnlarges() {
        let bitmap = Pictures.noise(7, 5)
        #expect(bitmap.scaled(maxSide: 7) == bitmap)
        #expect(bitmap.scaled(maxSide: 5_000) == bitmap)
    }

    @Test(arguments: [
        (64, 48, 1), (64, 48, 31), (64, 48, 32), (37, 91, 40), (100, 3, 10), (1, 50, 7),
        (53, 53, 52), (200, 1, 3), (17, 16, 16),
    ])
    func eachPixelIsTheExactMeanOfItsArea(width: Int, height: Int, maxSide: Int) {
        let bitmap = Pictures.noise(width, height)
        let scaled = bitmap.scaled(maxSide: maxSide)
        #expect(max(scaled.width, scaled.height) == maxSide)
        #expect(scaled == areaMean(of: bitmap, width: scaled.width, height: scaled.height))
    }

    @Test func sumsBeyond32BitsAreExactToo() {
        let (width, height) = (4_201, 4_001)
        // Just enough bright rows for a mean of 127.5 or more, and one row less.
        let bright = height / 2 + 1
        for (rows, mean) in [(bright, 128), (bright - 1, 127)] as [(Int, UInt8)] {
            let light = [UInt8](repeating: 255, count: 3 * width * rows)
            let dark = [UInt8](repeating: 0, count: 3 * width * (height - rows))
            let bitmap = Bitmap(width: width, height: height, rgb: light + dark)
            #expect(bitmap.scaled(maxSide: 1).rgb == [mean, mean, mean])
        }
    }

    @Test func theShorterSideKeepsTheProportionsRounded() {
        #expect(Pictures.noise(100, 50).scaled(maxSide: 11).height == 6)
        #expect(Pictures.noise(100, 50).scaled(maxSide: 9).height == 5)
        #expect(Pictures.noise(1_000, 1).scaled(maxSide: 10).height == 1)
    }

    @Test func scalingAMirroredPictureMirrorsTheResult() {
        let bitmap = Pictures.noise(61, 47)
        let scaled = bitmap.scaled(maxSide: 23)
        for orientation in 1...8 {
            let turned = bitmap.stored(orientation: orientation).scaled(maxSide: 23)
            #expect(turned == scaled.stored(orientation: orientation))
        }
    }

    @Test func pngKeepsEveryPixel() throws {
        let bitmap = Pictures.noise(33, 21)
        #expect(try Pictures.decode(try bitmap.png()) == bitmap)
    }

    @Test func jpegComesCloseAndIsTheSameEachTime() throws {
        let bitmap = Pictures.waves(120, 90)
        let jpeg = try bitmap.jpeg(quality: 90)
        #expect(try bitmap.jpeg(quality: 90) == jpeg)
        #expect(try bitmap.jpeg(quality: 30).count < jpeg.count)
        #expect(try Pictures.decode(jpeg).difference(from: bitmap) < 4)
    }

    @Test func aSideBeyondJPEGIsRefused() throws {
        let bitmap = Bitmap(
            width: 65_501, height: 1, rgb: [UInt8](repeating: 9, count: 3 * 65_501))
        let error = try #require(throws: RasterError.self) { try bitmap.jpeg(quality: 80) }
        #expect(error.code == .encodeFailed)
        #expect(error.context.contains("65500"))
    }

    @Test func croppedPixelsAreThoseOfTheRegion() {
        let whole = Bitmap(7, 5) { x, y in [UInt8(x), UInt8(y), UInt8(x * y)] }
        let part = whole.cropped(to: PixelRegion(x: 2, y: 1, width: 4, height: 3))
        #expect(
            part == Bitmap(4, 3) { x, y in [UInt8(x + 2), UInt8(y + 1), UInt8((x + 2) * (y + 1))] })
        let all = PixelRegion(x: 0, y: 0, width: 7, height: 5)
        #expect(whole.cropped(to: all) == whole)
    }

    /// The same mean by another way: every pixel is divided so finely that all edges fall between
    /// the fine pixels.
    private func areaMean(of bitmap: Bitmap, width: Int, height: Int) -> Bitmap {
        let area = bitmap.width * bitmap.height
        return Bitmap(width, height) { x, y in
            var sums = [0, 0, 0]
            for fineY in (y * bitmap.height)..<((y + 1) * bitmap.height) {
                for fineX in (x * bitmap.width)..<((x + 1) * bitmap.width) {
                    let start = 3 * (fineY / height * bitmap.width + fineX / width)
                    for channel in 0..<3 { sums[channel] += Int(bitmap.rgb[start + channel]) }
                }
            }
            return sums.map { UInt8((2 * $0 + area) / (2 * area)) }
        }
    }
}
