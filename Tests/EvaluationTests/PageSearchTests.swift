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

    /// A white page of 3,000 x 1,200 pixels with covers of 200 pixels on the longer side.
    private static func page(with covers: [Bitmap]) -> Bitmap {
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
