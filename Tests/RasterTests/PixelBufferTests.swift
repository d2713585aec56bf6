import Raster
import Testing

struct PixelBufferTests {
    @Test func allLayoutsGiveTheSamePixels() throws {
        let bgra: [UInt8] = [3, 2, 1, 255, 30, 20, 10, 255]
        let rgba: [UInt8] = [1, 2, 3, 255, 10, 20, 30, 255]
        #expect(try read(bgra, .bgra, 2, 1, 8).rgb == [1, 2, 3, 10, 20, 30])
        #expect(try read(rgba, .rgba, 2, 1, 8).rgb == [1, 2, 3, 10, 20, 30])
        #expect(try read([7, 9], .gray, 2, 1, 2).rgb == [7, 7, 7, 9, 9, 9])
    }

    @Test func rowPaddingIsPassedOver() throws {
        let bytes: [UInt8] = [1, 2, 99, 99, 3, 4]
        #expect(try read(bytes, .gray, 2, 2, 4).gray() == [1, 2, 3, 4])
    }

    @Test func alphaIsFlattenedOnWhite() throws {
        let bytes: [UInt8] = [0, 0, 0, 0, 200, 100, 0, 128]
        #expect(try read(bytes, .rgba, 2, 1, 8).rgb == [255, 255, 255, 227, 177, 127])
    }

    @Test func theRegionIsCutExactly() throws {
        let picture = Pictures.noise(20, 10)
        let region = PixelRegion(x: 3, y: 2, width: 9, height: 7)
        let bytes = stride(from: 0, to: 600, by: 3).flatMap { picture.rgb[$0..<($0 + 3)] + [255] }
        let cut = try Picture.decode(
            .pixels(bytes, layout: .rgba, width: 20, height: 10, bytesPerRow: 80),
            region: region, maxSide: 100, limits: Pictures.limits)
        #expect(cut == picture.cut(region))
    }

    @Test(arguments: [
        (2, 2, 2, 3), (2, 2, 1, 4), (0, 2, 2, 4), (2, -1, 2, 4), (2, 2, 5, 4), (2, 2, Int.max, 4),
        (2, 2, -2, 4),
    ])
    func aBufferThatDoesNotHoldItsRowsIsRefused(
        width: Int, height: Int, bytesPerRow: Int, count: Int
    ) throws {
        let bytes = [UInt8](repeating: 0, count: count)
        let error = try #require(throws: RasterError.self) {
            try read(bytes, .gray, width, height, bytesPerRow)
        }
        #expect(error.code == .badBuffer)
    }

    @Test func aBufferBeyondTheLimitsIsRefused() throws {
        for (width, height) in [(Int.max, Int.max), (65_501, 1), (4_000, 4_000)] {
            let error = try #require(throws: RasterError.self) {
                try read([0], .gray, width, height, 1)
            }
            #expect(error.code == .tooLarge)
        }
    }

    @Test func theHeadIsUprightAndUnbuffered() throws {
        let head = try Picture.head(
            of: .pixels([1, 2], layout: .gray, width: 1, height: 2, bytesPerRow: 1),
            limits: Pictures.limits)
        #expect((head.format, head.width, head.height) == (.pixels, 1, 2))
        #expect(head.orientation == 1 && !head.isBuffered)
    }

    private func read(
        _ bytes: [UInt8], _ layout: PixelLayout, _ width: Int, _ height: Int, _ bytesPerRow: Int
    ) throws(RasterError) -> Bitmap {
        try Picture.decode(
            .pixels(
                bytes, layout: layout, width: width, height: height, bytesPerRow: bytesPerRow),
            maxSide: 100, limits: Pictures.limits)
    }
}
