import Raster
import TestSupport
import Testing

/// Real and hostile files; nothing of them is in the repository.
struct SharedPicturesTests {
    /// The product's own limits.
    private static let limits = PictureLimits(
        encodedBytesMax: 24 << 20, sideMax: 65_500, pixelsMax: 300_000_000,
        bufferedPixelsMax: 50_000_000)

    @Test(.needsShared)
    func allEightOrientationsOfAPhotographLookTheSame() throws {
        let pairs = try SharedFolder.rows("pairs.tsv").filter { $0[0] == "exif-orientation" }
        #expect(pairs.count == 16)
        for pair in pairs {
            let query = try read(pair[1], maxSide: 100)
            let target = try read(pair[2], maxSide: 100)
            #expect(query.difference(from: target) < 3, "\(pair[1])")
        }
    }

    @Test(.needsShared)
    func everyOddFileIsReadOrRefusedForAReason() throws {
        var counts = (read: 0, refused: 0)
        for row in try SharedFolder.rows("odd.tsv") {
            let (path, format) = (row[0], row[2])
            do throws(RasterError) {
                let bytes = try bytes(path)
                let head = try Picture.head(of: .encoded(bytes), limits: Self.limits)
                let bitmap = try Picture.decode(
                    .encoded(bytes), maxSide: 320, limits: Self.limits)
                #expect(head.format.rawValue == format.lowercased() || format.isEmpty, "\(path)")
                #expect(max(bitmap.width, bitmap.height) == min(320, max(head.width, head.height)))
                if let width = Int(row[4]), let height = Int(row[5]) {
                    #expect([head.width, head.height].sorted() == [width, height].sorted())
                }
                counts.read += 1
            } catch {
                #expect(![.stopped, .badRegion, .badBuffer, .encodeFailed].contains(error.code))
                if ["TIFF", "GIF", "BMP", "JPEG2000"].contains(format) {
                    #expect(error.code == .unsupportedFormat, "\(path): \(error)")
                }
                counts.refused += 1
            }
        }
        #expect(counts.read > 670)
        #expect(counts.refused > 100)
    }

    /// Whatever another reader takes of our formats is read.
    @Test(.needsShared)
    func allThatAnotherReaderTakesIsRead() throws {
        let rows = try SharedFolder.rows("odd.tsv").filter {
            ["PNG", "JPEG", "WEBP", "AVIF"].contains($0[2]) && $0[8] == "ok"
        }
        let refused = try rows.filter { row in
            Pictures.refusal(try SharedFolder.bytes(row[0]), limits: Self.limits) != nil
        }
        #expect(rows.count == 658)
        #expect(refused.isEmpty, "\(refused.map { $0[0] })")
    }

    @Test(
        .needsShared,
        arguments: [
            "odd/sharp/test/fixtures/65536-uint32-limit.png",
            "odd/jpeg-decoder/tests/crashtest/images/max_size.jpg",
        ])
    func bombsAreRefused(path: String) throws {
        let error = try #require(throws: RasterError.self) { try read(path, maxSide: 100) }
        #expect(error.code == .tooLarge)
    }

    @Test(.needsShared)
    func aRegionOfAGiantPictureIsRead() throws {
        let bytes = try SharedFolder.bytes("odd/sharp/test/fixtures/giant-image.jpg")
        let head = try Picture.head(of: .encoded(bytes), limits: Self.limits)
        #expect(head.width * head.height == 280_000_000)
        let region = PixelRegion(x: head.width - 300, y: head.height - 200, width: 300, height: 200)
        let bitmap = try Picture.decode(
            .encoded(bytes), region: region, maxSide: 300, limits: Self.limits)
        #expect((bitmap.width, bitmap.height) == (300, 200))
    }

    private func read(_ path: String, maxSide: Int) throws -> Bitmap {
        try Picture.decode(
            .encoded(try SharedFolder.bytes(path)), maxSide: maxSide, limits: Self.limits)
    }

    private func bytes(_ path: String) throws(RasterError) -> [UInt8] {
        do {
            return try SharedFolder.bytes(path)
        } catch {
            Issue.record(error)
            return []
        }
    }
}
