import Raster
import Testing

struct VideoBufferTests {
    typealias Vector = (
        matrix: VideoLayout.Matrix, range: VideoLayout.Range, samples: [UInt8], rgb: [UInt8]
    )

    /// Brightness, blue difference, red difference, and the colour that the two recommendations
    /// make of them: their own colour bars, and greys.
    static let vectors: [Vector] = [
        (.bt601, .video, [16, 128, 128], [0, 0, 0]),
        (.bt601, .video, [235, 128, 128], [255, 255, 255]),
        (.bt601, .video, [81, 90, 240], [255, 0, 0]),
        (.bt601, .video, [145, 54, 34], [0, 255, 0]),
        (.bt601, .video, [41, 240, 110], [0, 0, 255]),
        (.bt709, .video, [63, 102, 240], [255, 0, 0]),
        (.bt709, .video, [173, 42, 26], [0, 255, 0]),
        (.bt709, .video, [32, 240, 118], [0, 0, 255]),
        (.bt601, .full, [76, 85, 255], [254, 0, 0]), (.bt601, .full, [29, 255, 107], [0, 0, 254]),
        (.bt709, .full, [54, 99, 255], [254, 0, 0]),
        (.bt709, .full, [128, 128, 128], [128, 128, 128]),
        (.bt601, .video, [0, 128, 128], [0, 0, 0]),
        (.bt601, .video, [255, 128, 128], [255, 255, 255]),
    ]

    @Test func coloursOfBothRecommendationsAndRangesComeOutRight() throws {
        for vector in Self.vectors {
            let samples = vector.samples
            let layout = VideoLayout(
                width: 1, height: 1, range: vector.range, matrix: vector.matrix,
                luma: PixelPlane(offset: 0, bytesPerRow: 1),
                chroma: PixelPlane(offset: 1, bytesPerRow: 2))
            let pixel = try read(samples, layout).rgb
            let distance = zip(pixel, vector.rgb).map { abs(Int($0) - Int($1)) }.max() ?? 255
            // The recommendations' own numbers are rounded.
            #expect(distance <= 2, "\(vector): \(pixel)")
        }
    }

    @Test func planesLieWhereTheirOffsetsAndRowsSay() throws {
        // 3 x 3 pixels: colour first, rows padded.
        var bytes = [UInt8](repeating: 77, count: 64)
        for (index, pair) in [[128, 128], [90, 240], [240, 110], [54, 34]].enumerated() {
            let place = 5 + index / 2 * 7 + index % 2 * 2
            bytes[place] = UInt8(pair[0])
            bytes[place + 1] = UInt8(pair[1])
        }
        for y in 0..<3 { for x in 0..<3 { bytes[30 + 10 * y + x] = UInt8(60 + 30 * y + 10 * x) } }
        let layout = VideoLayout(
            width: 3, height: 3, range: .full, matrix: .bt601,
            luma: PixelPlane(offset: 30, bytesPerRow: 10),
            chroma: PixelPlane(offset: 5, bytesPerRow: 7))
        let bitmap = try read(bytes, layout)
        // The upper left four pixels are grey, the others coloured.
        #expect(bitmap.pixel(0, 0) == [60, 60, 60] && bitmap.pixel(1, 1) == [100, 100, 100])
        let right = bitmap.pixel(2, 0)
        #expect(right[0] > 200 && right[1] < 30)
        #expect(bitmap.pixel(0, 2)[2] == 255 && bitmap.pixel(2, 2)[1] > 200)
        let region = PixelRegion(x: 1, y: 1, width: 2, height: 2)
        let cut = try Picture.decode(
            .video(bytes, layout), region: region, maxSide: 9, limits: Pictures.limits)
        #expect(cut == bitmap.cut(region))
    }

    @Test func theRangesDiffer() throws {
        var layout = VideoLayout(
            width: 2, height: 1, range: .full, matrix: .bt709,
            luma: PixelPlane(offset: 0, bytesPerRow: 2),
            chroma: PixelPlane(offset: 2, bytesPerRow: 2))
        #expect(try read([16, 235, 128, 128], layout).gray() == [16, 235])
        layout.range = .video
        #expect(try read([16, 235, 128, 128], layout).gray() == [0, 255])
    }

    @Test(arguments: [
        (PixelPlane(offset: 0, bytesPerRow: 4), PixelPlane(offset: 16, bytesPerRow: 3)),
        (PixelPlane(offset: 0, bytesPerRow: 3), PixelPlane(offset: 16, bytesPerRow: 4)),
        (PixelPlane(offset: 0, bytesPerRow: 4), PixelPlane(offset: 17, bytesPerRow: 4)),
        (PixelPlane(offset: -1, bytesPerRow: 4), PixelPlane(offset: 16, bytesPerRow: 4)),
        (PixelPlane(offset: Int.max, bytesPerRow: 4), PixelPlane(offset: 16, bytesPerRow: 4)),
        (PixelPlane(offset: 0, bytesPerRow: Int.max), PixelPlane(offset: 16, bytesPerRow: 4)),
    ])
    func planesOutsideTheBufferAreRefused(luma: PixelPlane, chroma: PixelPlane) throws {
        let layout = VideoLayout(
            width: 4, height: 4, range: .full, matrix: .bt601, luma: luma, chroma: chroma)
        let error = try #require(throws: RasterError.self) {
            try read([UInt8](repeating: 0, count: 24), layout)
        }
        #expect(error.code == .badBuffer)
    }

    private func read(_ bytes: [UInt8], _ layout: VideoLayout) throws(RasterError) -> Bitmap {
        try Picture.decode(.video(bytes, layout), maxSide: 100, limits: Pictures.limits)
    }
}
