import Evaluation
import Foundation
import Matching
import Raster
import Search
import TestSupport
import Testing

/// Reports about other programs (`research/visual.md`, section 4), each as a test of the prints and
/// distances that come out here. Those of pixels alone are in RasterTests, those of catalogs in
/// ServiceTests.
@Suite(.timeLimit(.minutes(5)))
struct VisualReportTests {
    static let cut = 1_000_000

    /// The print of a file as a worker makes it.
    private static func print(_ path: String) throws -> FeaturePrint {
        try PictureQuery(of: .encoded(SharedFolder.bytes(path))).print
    }

    /// The distance of two prints within the largest cut; nil beyond it.
    static func distance(_ query: FeaturePrint, _ entry: FeaturePrint) -> Int? {
        var collection = PrintCollection()
        collection.put([entry], for: 0)
        return collection.search(query, maxDistance: 2_000_000).matches.first?.distance
    }

    static func isMatch(_ query: FeaturePrint, _ entry: FeaturePrint) -> Bool {
        distance(query, entry).map { $0 <= cut } ?? false
    }

    /// The print of four bytes a pixel.
    private static func print(rgba: [UInt8], side: Int) throws -> FeaturePrint {
        try PictureQuery(
            of: .pixels(rgba, layout: .rgba, width: side, height: side, bytesPerRow: 4 * side)
        ).print
    }

    // MARK: Transparency

    /// Glyphs of one colour: what of a drawn cover is dark.
    private static func glyphs(
        _ index: Int, value: UInt8, ground: [UInt8]
    ) -> [UInt8] {
        let cover = CatalogGenerator(seed: 77).picture(index).scaled(maxSide: 360)
        var rgba: [UInt8] = []
        for y in 0..<360 {
            for x in 0..<360 {
                let isInk =
                    x < cover.width && y < cover.height
                    && cover.rgb[3 * (y * cover.width + x)] < 110
                rgba += isInk ? [value, value, value, 255] : ground
            }
        }
        return rgba
    }

    @Test("R1: black glyphs on a transparent ground are told apart, and are those on white")
    func transparentGlyphs() throws {
        let clear: [UInt8] = [0, 0, 0, 0]
        let first = try Self.print(rgba: Self.glyphs(1, value: 0, ground: clear), side: 360)
        let second = try Self.print(rgba: Self.glyphs(2, value: 0, ground: clear), side: 360)
        #expect(first.hasEnoughContent && second.hasEnoughContent)
        #expect(!Self.isMatch(first, second))
        let onWhite = try Self.print(
            rgba: Self.glyphs(1, value: 0, ground: [255, 255, 255, 255]), side: 360)
        #expect(Self.distance(first, onWhite) == 0)
        // White on nothing shows nothing.
        let white = try Self.print(rgba: Self.glyphs(1, value: 255, ground: clear), side: 360)
        #expect(!white.hasEnoughContent && !Self.isMatch(white, first))
    }

    @Test("R2, R4: colour under full transparency changes no byte of a print, a hundred times")
    func hiddenColour() throws {
        let plain = Self.glyphs(3, value: 20, ground: [0, 0, 0, 0])
        let first = try Self.print(rgba: plain, side: 360).encoded()
        var random = SeededRandom(seed: 2)
        for _ in 0..<100 {
            var hidden = plain
            for index in 0..<hidden.count / 4 where hidden[4 * index + 3] == 0 {
                hidden[4 * index] = UInt8.random(in: 0...255, using: &random)
            }
            #expect(try Self.print(rgba: hidden, side: 360).encoded() == first)
        }
    }

    @Test("R3: full alpha gives the print of the same pixels without alpha")
    func opaqueAlpha() throws {
        let cover = CatalogGenerator(seed: 77).picture(4).scaled(maxSide: 400)
        let rgba = (0..<cover.width * cover.height).flatMap { index in
            cover.rgb[3 * index..<3 * index + 3] + [255]
        }
        let withAlpha = try PictureQuery(
            of: .pixels(
                rgba, layout: .rgba, width: cover.width, height: cover.height,
                bytesPerRow: 4 * cover.width)
        ).print
        #expect(try PictureQuery(of: .encoded(cover.png())).print == withAlpha)
    }

    // MARK: Content

    @Test("R5: one colour, one pixel and a sky have too little content, and no hits")
    func tooLittleContent() throws {
        var collection = PrintCollection()
        for index in 0..<20 {
            collection.put(
                [try Fixtures.print(of: CatalogGenerator(seed: 5).picture(index))], for: index)
        }
        for colour in [[0, 0, 255], [255, 255, 255], [9, 9, 9]] as [[UInt8]] {
            for side in [1, 2, 640] {
                let flat = Bitmap(
                    width: side, height: side, rgb: (0..<side * side).flatMap { _ in colour })
                let print = try Fixtures.print(of: flat)
                #expect(!print.hasEnoughContent)
                #expect(collection.search(print, maxDistance: Self.cut).matches.isEmpty)
            }
        }
    }

    @Test("R5: photographs of sky find nothing", .needsShared)
    func sky() throws {
        var collection = PrintCollection()
        for index in 0..<20 {
            collection.put(
                [try Fixtures.print(of: CatalogGenerator(seed: 5).picture(index))], for: index)
        }
        for name in ["q0003", "q0004"] {
            let print = try Self.print("pdq/pdq/data/reg-test-input/labelme-subset/\(name).jpg")
            #expect(collection.search(print, maxDistance: Self.cut).matches.isEmpty, "\(name)")
        }
    }

    @Test("R6: pictures that are light on one half and dark on the other are told apart")
    func halves() throws {
        let prints = try (0..<5).map { index in
            var cover = CatalogGenerator(seed: 6).picture(index).scaled(maxSide: 480)
            var rgb = cover.rgb
            for place in rgb.indices {
                let x = place / 3 % cover.width
                let dark = rgb[place] / 5 * 2
                rgb[place] = x < cover.width / 2 ? 150 + dark : dark
            }
            cover = Bitmap(width: cover.width, height: cover.height, rgb: rgb)
            return try Fixtures.print(of: cover)
        }
        for (index, one) in prints.enumerated() {
            #expect(one.hasEnoughContent)
            #expect(Self.distance(one, one) == 0)
            for other in prints[..<index] { #expect(!Self.isMatch(one, other)) }
        }
    }

    // MARK: Orientation

    @Test("R7: each of the sixteen EXIF orientations is found by the upright picture", .needsShared)
    func exifOrientation() throws {
        for kind in ["Landscape", "Portrait"] {
            let upright = try Self.print("odd/exif-orientation/\(kind)_0.jpg")
            for orientation in 1...8 {
                let turned = try Self.print("odd/exif-orientation/\(kind)_\(orientation).jpg")
                let distance = try #require(Self.distance(turned, upright))
                #expect(distance < 150_000, "\(kind) \(orientation): \(distance)")
            }
        }
    }

    @Test("R8: turned pictures are found, mirrored ones are others", .needsShared)
    func turnedAndMirrored() throws {
        let folder = "pdq/pdq/data/reg-test-input/dih/bridge-"
        let upright = try Self.print(folder + "1-original.jpg")
        for name in ["2-rotate-90", "3-rotate-180", "4-rotate-270"] {
            #expect(Self.isMatch(try Self.print(folder + name + ".jpg"), upright), "\(name)")
        }
        for name in ["5-flipx", "6-flipy", "7-flip-plus-1", "8-flip-minus-1"] {
            #expect(!Self.isMatch(try Self.print(folder + name + ".jpg"), upright), "\(name)")
        }
    }

    // MARK: Modes

    @Test("R9, R10: every mode and colour space is found by the picture in colour", .needsShared)
    func modes() throws {
        let folder = "pdq/pdq/data/misc-images/modes/"
        let original = try Self.print(folder + "original.jpg")
        let names = [
            "CMYK.jpg", "F.webp", "HSV.webp", "I.webp", "L.png", "LA.png", "LAB.webp", "P.png",
            "PA.webp", "RGB.jpg", "RGBA.png", "YCbCr.jpg",
        ]
        for name in names {
            #expect(Self.isMatch(try Self.print(folder + name), original), "\(name)")
        }
        let gray = try Self.print("odd/sharp/test/fixtures/16-bit-grey-alpha.png")
        #expect(Self.distance(gray, gray) == 0)
    }

    // MARK: Distance

    @Test("R21, R22: a picture is at distance 0 from itself, exactly, and first")
    func selfQuery() throws {
        let prints = try (0..<40).map {
            try Fixtures.print(of: CatalogGenerator(seed: 21).picture($0))
        }
        var collection = PrintCollection()
        for (index, print) in prints.enumerated() { collection.put([print], for: index) }
        for (index, print) in prints.enumerated() {
            let matches = collection.search(print, maxDistance: 2_000_000).matches
            #expect(matches.first?.entry == index && matches.first?.distance == 0)
            #expect(matches.allSatisfy { $0.distance >= 0 })
            #expect(matches.dropFirst().allSatisfy { $0.distance > 0 })
        }
    }

    @Test("R24: turning a cover by up to ten degrees moves its distance a little each time")
    func smallTurns() throws {
        let cover = CatalogGenerator(seed: 24).picture(3).scaled(maxSide: 560)
        let upright = try Fixtures.print(of: Self.turned(cover, degrees: 0))
        var last = 0
        for degrees in 0...10 {
            let turned = try Fixtures.print(of: Self.turned(cover, degrees: Double(degrees)))
            let distance = try #require(Self.distance(turned, upright), "\(degrees)")
            #expect(degrees > 0 || distance == 0)
            #expect(distance < 500_000, "\(degrees): \(distance)")
            #expect(degrees < 2 || abs(distance - last) < 200_000, "\(degrees): \(distance)")
            last = distance
        }
    }

    /// A picture turned around the middle of a larger grey one.
    private static func turned(_ picture: Bitmap, degrees: Double) -> Bitmap {
        let side = 640
        let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
        var rgb = [UInt8](repeating: 128, count: 3 * side * side)
        for y in 0..<side {
            for x in 0..<side {
                let (u, v) = (Double(x - side / 2), Double(y - side / 2))
                let left = u * cosine + v * sine + Double(picture.width) / 2
                let top = v * cosine - u * sine + Double(picture.height) / 2
                let (column, row) = (Int(left.rounded(.down)), Int(top.rounded(.down)))
                guard (0..<picture.width - 1).contains(column),
                    (0..<picture.height - 1).contains(row)
                else { continue }
                let (a, b) = (left - Double(column), top - Double(row))
                for channel in 0..<3 {
                    func value(_ dx: Int, _ dy: Int) -> Double {
                        Double(
                            picture.rgb[3 * ((row + dy) * picture.width + column + dx) + channel])
                    }
                    let above = value(0, 0) * (1 - a) + value(1, 0) * a
                    let below = value(0, 1) * (1 - a) + value(1, 1) * a
                    rgb[3 * (y * side + x) + channel] = UInt8(above * (1 - b) + below * b)
                }
            }
        }
        return Bitmap(width: side, height: side, rgb: rgb)
    }
}
