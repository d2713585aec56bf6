import Matching
import Testing

/// Pages on which pictures stand at known places.
struct PageLayoutTests {
    private struct Place {
        let x: Int
        let y: Int
        let width: Int
        let height: Int
    }

    private static let places = [
        Place(x: 900, y: 80, width: 160, height: 160),
        Place(x: 1_072, y: 80, width: 160, height: 160),
        Place(x: 900, y: 300, width: 120, height: 160),
        Place(x: 1_072, y: 300, width: 160, height: 120),
    ]

    @Test func eachPictureHasARegionOfItsOwn() {
        let page = Self.page(framed: false)
        #expect(PageLayout.isPage(page))
        expectEachPlaceAlone(PageLayout.regions(of: page, most: 24))
    }

    @Test func framesAroundPicturesDoNotJoinThem() {
        expectEachPlaceAlone(PageLayout.regions(of: Self.page(framed: true), most: 24))
    }

    @Test func photographIsNoPage() {
        let photo = GeneratedPictures.noisy(
            GeneratedPictures.shapes(seed: 8, width: 640, height: 480), size: 2, seed: 1)
        #expect(!PageLayout.isPage(photo))
    }

    @Test func emptyPageHasNoRegion() {
        let page = GeneratedPictures.flat(width: 1_200, height: 800)
        #expect(PageLayout.isPage(page))
        #expect(PageLayout.regions(of: page, most: 24).isEmpty)
    }

    @Test func linesOfTextHaveNoRegion() {
        var pixels = [UInt8](repeating: 255, count: 1_200 * 400)
        for line in stride(from: 20, to: 360, by: 36) {
            for x in 40..<1_100 where x % 9 < 5 {
                for y in line..<line + 14 { pixels[y * 1_200 + x] = 20 }
            }
        }
        let page = GrayImage(width: 1_200, height: 400, pixels: pixels)
        #expect(PageLayout.regions(of: page, most: 24).isEmpty)
    }

    @Test func regionsAreBounded() {
        var pixels = [UInt8](repeating: 240, count: 1_600 * 1_600)
        let picture = GeneratedPictures.shapes(seed: 3, width: 64, height: 64, count: 60)
        for row in 0..<16 {
            for column in 0..<16 {
                Self.put(
                    picture, x: column * 100 + 18, y: row * 100 + 18, on: &pixels, width: 1_600)
            }
        }
        let page = GrayImage(width: 1_600, height: 1_600, pixels: pixels)
        #expect(PageLayout.regions(of: page, most: 24).count == 24)
    }

    /// Exactly one region holds each place, and holds no other one.
    private func expectEachPlaceAlone(_ regions: [PageRegion]) {
        for place in Self.places {
            let holding = regions.filter { region in
                abs(region.x - place.x) <= 24 && abs(region.y - place.y) <= 24
                    && abs(region.x + region.width - place.x - place.width) <= 24
                    && abs(region.y + region.height - place.y - place.height) <= 24
            }
            #expect(holding.count == 1, "\(place): \(regions)")
        }
    }

    /// A white page with four pictures that stand 12 pixels apart or more, and if asked for with
    /// lines that run around all of it and around the pictures together.
    private static func page(framed: Bool) -> GrayImage {
        let (width, height) = (1_600, 900)
        var pixels = [UInt8](repeating: 250, count: width * height)
        for (number, place) in places.enumerated() {
            let picture = GeneratedPictures.shapes(
                seed: UInt64(200 + number), width: place.width, height: place.height, count: 120)
            put(picture, x: place.x, y: place.y, on: &pixels, width: width)
        }
        if framed {
            for (left, top, right, bottom) in [(8, 8, 1_590, 890), (860, 40, 1_270, 500)] {
                for x in left..<right { for y in [top, bottom] { pixels[y * width + x] = 0 } }
                for y in top..<bottom { for x in [left, right] { pixels[y * width + x] = 0 } }
            }
        }
        return GrayImage(width: width, height: height, pixels: pixels)
    }

    private static func put(
        _ picture: GrayImage, x: Int, y: Int, on pixels: inout [UInt8], width: Int
    ) {
        for row in 0..<picture.height {
            for column in 0..<picture.width {
                pixels[(y + row) * width + x + column] =
                    picture.pixels[row * picture.width + column]
            }
        }
    }
}
