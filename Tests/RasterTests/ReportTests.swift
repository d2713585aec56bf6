import Raster
import TestSupport
import Testing

/// Reports about other programs, each as a test of the pixels that come out here.
struct ReportTests {
    /// A drawing of one colour on a transparent ground.
    private func drawing(_ value: Int, _ isInk: (Int, Int) -> Bool) throws -> Bitmap {
        let file = PNGFile(width: 32, height: 32, colorType: .rgba)
        return try Pictures.decode(
            file.encode { x, y in [value, value, value, isInk(x, y) ? 255 : 0] })
    }

    @Test("R1: drawings on a transparent ground differ as their shapes do, and are laid on white")
    func transparentDrawings() throws {
        let bar = try drawing(0) { x, _ in x < 8 }
        let frame = try drawing(0) { x, y in x < 4 || y < 4 || x > 27 || y > 27 }
        #expect(bar.difference(from: frame) > 50)
        #expect(bar == Bitmap(32, 32) { x, _ in [UInt8](repeating: x < 8 ? 0 : 255, count: 3) })
        // White on nothing is white on white, and nothing to see.
        #expect(try drawing(255) { x, _ in x < 8 } == Bitmap(32, 32) { _, _ in [255, 255, 255] })
    }

    @Test("R2, R4: what is hidden under full transparency never shows, the same each time")
    func hiddenColour() throws {
        let hidden = Pictures.noise(32, 32)
        let file = PNGFile(width: 32, height: 32, colorType: .rgba)
        let bytes = file.encode { x, y in hidden.pixel(x, y).map(Int.init) + [0] }
        let first = try Pictures.decode(bytes)
        #expect(first == Bitmap(32, 32) { _, _ in [255, 255, 255] })
        for _ in 0..<100 { #expect(try Pictures.decode(bytes) == first) }
    }

    @Test("R3: full alpha is no alpha")
    func opaqueAlpha() throws {
        let picture = Pictures.noise(24, 16)
        let file = PNGFile(width: 24, height: 16, colorType: .rgba)
        let bytes = file.encode { x, y in picture.pixel(x, y).map(Int.init) + [255] }
        #expect(try Pictures.decode(bytes) == Pictures.decode(try picture.png()))
    }

    @Test("R5: one pixel and one colour are pictures too")
    func smallest() throws {
        let pixel = Bitmap(width: 1, height: 1, rgb: [10, 20, 30])
        #expect(try Pictures.decode(try pixel.png()) == pixel)
        let jpeg = try Pictures.decode(try pixel.jpeg(quality: 95))
        #expect(jpeg.difference(from: pixel) < 4)
    }

    @Test("R7: a broken EXIF block leaves the picture upright and readable")
    func brokenExif() throws {
        let jpeg = try Pictures.waves(40, 30).jpeg(quality: 90)
        let plain = try Pictures.decode(jpeg)
        let whole = Pictures.exif(orientation: 6)
        let blocks: [[UInt8]] = [
            [], [0x4D], Array("XX".utf8) + whole.dropFirst(2), Array(whole.prefix(13)),
            whole.replacing(at: 4, with: [0xFF, 0xFF, 0xFF, 0xFF]),
            Pictures.exif(orientation: 9), Pictures.exif(orientation: 0),
        ]
        for block in blocks {
            #expect(try Pictures.decode(Pictures.withExif(jpeg, block)) == plain, "\(block)")
        }
        for isLittle in [false, true] {
            let turned = Pictures.withExif(
                jpeg, Pictures.exif(orientation: 3, littleEndian: isLittle))
            #expect(try Pictures.decode(turned).stored(orientation: 3) == plain)
        }
    }

    /// A picture of the set that was stored in many modes; at a quarter of its size.
    private func mode(_ name: String) throws -> Bitmap {
        let path = "pdq/pdq/data/misc-images/modes/" + name
        return try Pictures.decode(try SharedFolder.bytes(path), maxSide: 400)
    }

    @Test("R9: every mode of PNG and WebP is close to its picture in colour", .needsShared)
    func modes() throws {
        let original = try mode("original.jpg")
        #expect(try mode("RGBA.png").difference(from: original) < 3)
        for name in [
            "L.png", "LA.png", "F.webp", "HSV.webp", "I.webp", "LAB.webp", "PA.webp", "P.png",
        ] {
            #expect(try mode(name).luma.difference(from: original.luma) < 8, "\(name)")
        }
        // Black and white alone, so close only as a whole.
        #expect(try mode("1.png").luma.difference(from: original.luma) < 60)
        let gray = try SharedFolder.bytes("odd/sharp/test/fixtures/16-bit-grey-alpha.png")
        #expect(Pictures.refusal(gray) == nil)
    }

    @Test("R10: four inks come out as the colours of their picture, not inverted", .needsShared)
    func inks() throws {
        let original = try mode("original.jpg")
        for name in ["CMYK.jpg", "RGB.jpg", "YCbCr.jpg"] {
            #expect(try mode(name).difference(from: original) < 3, "\(name)")
        }
    }

    @Test("R25: what is no picture gives an error and no pixels", .needsShared)
    func unreadable() throws {
        for path in [
            "odd/sharp/test/fixtures/truncated.jpg", "odd/sharp/test/fixtures/truncated.png",
        ] {
            let bytes = try SharedFolder.bytes(path)
            #expect(Pictures.refusal(bytes, limits: MemoryTests.limits) == .truncated)
        }
        #expect(Pictures.refusal([]) == .unknownFormat)
    }
}
