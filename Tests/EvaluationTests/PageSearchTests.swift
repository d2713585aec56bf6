import Evaluation
import Matching
import Raster
import Search
import Testing

/// Small covers on a page that a program drew.
struct PageSearchTests {
    private static let places = [(2_200, 150), (2_440, 150), (2_200, 420), (2_440, 420)]
    private static let side = 200

    @Test func everyCoverOfAPageIsFoundWithItsPlace() throws {
        let covers = (0..<12).map { CatalogGenerator(seed: 41).picture($0) }
        var collection = PrintCollection()
        for (number, cover) in covers.enumerated() {
            collection.put([try Fixtures.print(of: cover)], for: number)
        }
        let page = Self.page(with: covers.prefix(Self.places.count).map { $0 })
        let query = try PictureQuery(
            of: .pixels(
                page.rgb.rgba, layout: .rgba, width: page.width, height: page.height,
                bytesPerRow: 4 * page.width))
        let found = query.search(collection, maxDistance: 1_000_000)
        #expect(found.isComplete)
        #expect(Set(found.matches.map(\.entry)) == [0, 1, 2, 3])
        for match in found.matches where match.entry < Self.places.count {
            let (left, top) = Self.places[match.entry]
            let corner = try #require(match.outline).first ?? []
            #expect(abs(corner[0] - left) <= 6 && abs(corner[1] - top) <= 6, "\(match)")
        }
        // At the working size of the whole page they are too small.
        let whole = collection.search(query.print, maxDistance: 1_000_000)
        #expect(whole.matches.count < Self.places.count)
    }

    @Test func aFlatLogoIsFoundInsideAFrame() throws {
        let logos = (0..<30).map { Self.logo(UInt64($0)) }
        var collection = PrintCollection()
        for (number, logo) in logos.enumerated() {
            collection.put([try Fixtures.print(of: logo)], for: number)
        }
        for (number, logo) in logos.enumerated() {
            let (frame, grey) = (24 + number, UInt8(number.isMultiple(of: 2) ? 0 : 120))
            let query = try PictureQuery(
                of: .encoded(try Self.framed(logo, by: frame, grey).jpeg(quality: 70)))
            let match = try #require(query.search(collection, maxDistance: 1_000_000).matches.first)
            #expect(match.entry == number)
            let corner = try #require(match.outline?.first)
            #expect(corner.allSatisfy { abs($0 - frame) <= 2 }, "\(corner), frame \(frame)")
        }
    }

    @Test func aFlatLogoIsFoundInAFrameOfItsOwnGround() throws {
        let logos = (0..<30).map { Self.logo(UInt64($0)) }
        var collection = PrintCollection()
        for (number, logo) in logos.enumerated() {
            collection.put([try Fixtures.print(of: logo)], for: number)
        }
        for (number, logo) in logos.enumerated() {
            let frame = 20 + 4 * number
            let query = try PictureQuery(
                of: .encoded(try Self.framed(logo, by: frame, 255).jpeg(quality: 70)))
            let match = try #require(query.search(collection, maxDistance: 1_000_000).matches.first)
            #expect(match.entry == number)
            #expect(match.distance < 100_000, "\(match), frame \(frame)")
        }
        for number in 100..<130 {
            let stranger = Self.framed(Self.logo(UInt64(number)), by: 60, 255)
            let query = try PictureQuery(of: .encoded(try stranger.jpeg(quality: 70)))
            #expect(query.search(collection, maxDistance: 1_000_000).matches.isEmpty)
        }
    }

    /// Two boxes on a white ground.
    private static func logo(_ seed: UInt64) -> Bitmap {
        var numbers = SeededNumbers(seed: seed)
        var canvas = Canvas(width: 320, height: 260, Color(255, 255, 255))
        for _ in 0..<2 {
            let (left, top) = (numbers.integer(in: 20...180), numbers.integer(in: 20...140))
            let color = Color(numbers.integer(in: 0...200), numbers.integer(in: 0...200), 40)
            canvas.fillBox(
                left: left, top: top, right: left + numbers.integer(in: 40...120),
                bottom: top + numbers.integer(in: 30...100), color)
        }
        return canvas.bitmap
    }

    private static func framed(_ picture: Bitmap, by frame: Int, _ grey: UInt8) -> Bitmap {
        let (width, height) = (picture.width + 2 * frame, picture.height + 2 * frame)
        var rgb = [UInt8](repeating: grey, count: 3 * width * height)
        for y in 0..<picture.height {
            let to = 3 * ((y + frame) * width + frame)
            rgb.replaceSubrange(
                to..<to + 3 * picture.width,
                with: picture.rgb[3 * y * picture.width..<3 * (y + 1) * picture.width])
        }
        return Bitmap(width: width, height: height, rgb: rgb)
    }

    /// A white page of 3,000 x 1,200 pixels with covers of 200 pixels on the longer side.
    static func page(with covers: [Bitmap]) -> Bitmap {
        let (width, height) = (3_000, 1_200)
        var rgb = [UInt8](repeating: 250, count: 3 * width * height)
        for (cover, place) in zip(covers, places) {
            let small = cover.scaled(maxSide: side)
            for y in 0..<small.height {
                let from = 3 * y * small.width
                let to = 3 * ((place.1 + y) * width + place.0)
                rgb.replaceSubrange(
                    to..<to + 3 * small.width, with: small.rgb[from..<from + 3 * small.width])
            }
        }
        return Bitmap(width: width, height: height, rgb: rgb)
    }
}

extension [UInt8] {
    /// Three bytes a pixel with an opaque fourth.
    fileprivate var rgba: [UInt8] {
        var pixels = [UInt8](repeating: 255, count: count / 3 * 4)
        for index in 0..<count / 3 {
            for channel in 0..<3 { pixels[4 * index + channel] = self[3 * index + channel] }
        }
        return pixels
    }
}
