import Matching
import Testing

/// Pictures found again in views whose geometry is known.
@Suite(.timeLimit(.minutes(5)))
struct PerspectiveTests {
    /// How a view of 480 x 400 pixels shows a picture of 320 x 240.
    struct View: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Takes a pixel of the view to one of the picture.
        let inverse: [Double]
    }

    static let views = [
        View(testDescription: "shifted", inverse: [1, 0, -60, 0, 1, -70, 0, 0, 1]),
        View(testDescription: "enlarged", inverse: [0.72, 0, -10, 0, 0.72, -20, 0, 0, 1]),
        View(testDescription: "reduced", inverse: [1.7, 0, -200, 0, 1.7, -150, 0, 0, 1]),
        View(testDescription: "turned", inverse: [0.8, 0.6, -120, -0.6, 0.8, 60, 0, 0, 1]),
        View(
            testDescription: "upside down", inverse: [-1, 0, 400, 0, -1, 320, 0, 0, 1]),
        View(
            testDescription: "tilted",
            inverse: [0.95, 0.1, -50, -0.08, 1.1, -40, 0.000_9, 0.000_3, 0.75]),
    ]

    @Test(arguments: views)
    func viewIsFoundWithItsOutline(view: View) throws {
        let pictures = (10..<16).map { GeneratedPictures.shapes(seed: $0) }
        let query = GeneratedPictures.noisy(
            GeneratedPictures.view(of: pictures[3], inverse: view.inverse, width: 480, height: 400),
            size: 3, seed: 4)
        let matches = try search(query, in: pictures)
        #expect(matches.map(\.entry) == [3])
        let outline = try #require(matches.first?.outline)
        let corners: [(Double, Double)] = [(0, 0), (320, 0), (320, 240), (0, 240)]
        for (point, corner) in zip(outline, corners) {
            let source = applied(view.inverse, point.x, point.y)
            #expect(abs(source.0 - corner.0) < 6)
            #expect(abs(source.1 - corner.1) < 6)
        }
    }

    @Test func partOfAPictureIsFound() throws {
        let pictures = (20..<24).map { GeneratedPictures.shapes(seed: $0) }
        let part = GeneratedPictures.view(
            of: pictures[1], inverse: [0.5, 0, 80, 0, 0.5, 60, 0, 0, 1], width: 320, height: 240)
        #expect(try search(part, in: pictures).map(\.entry) == [1])
    }

    @Test(arguments: 100..<112 as Range<UInt64>)
    func strangerIsNotAccepted(seed: UInt64) throws {
        let pictures = (30..<40).map { GeneratedPictures.shapes(seed: $0) }
        #expect(try search(GeneratedPictures.shapes(seed: seed), in: pictures).isEmpty)
    }

    @Test func allObjectsOfAPhotoAreFoundEachWithItsOutline() throws {
        let pictures = (80..<88).map { GeneratedPictures.shapes(seed: $0) }
        var pixels = [UInt8](repeating: 70, count: 640 * 480)
        // Left edge, top edge and size of three of them.
        let places = [(1, 10, 8, 0.8), (4, 330, 60, 0.9), (6, 40, 240, 0.95)]
        for (number, left, top, size) in places {
            let view = GeneratedPictures.view(
                of: pictures[number],
                inverse: [
                    1 / size, 0, -Double(left) / size, 0, 1 / size, -Double(top) / size, 0, 0, 1,
                ],
                width: 640, height: 480)
            for at in pixels.indices where view.pixels[at] != 60 { pixels[at] = view.pixels[at] }
        }
        let photo = GrayImage(width: 640, height: 480, pixels: pixels)
        let matches = try search(photo, in: pictures)
        #expect(Set(matches.map(\.entry)) == [1, 4, 6])
        for (number, left, top, size) in places {
            let outline = try #require(matches.first { $0.entry == number }?.outline)
            #expect(abs(outline[0].x - Double(left)) < 5 && abs(outline[0].y - Double(top)) < 5)
            #expect(abs(outline[2].x - Double(left) - 320 * size) < 5)
            #expect(abs(outline[2].y - Double(top) - 240 * size) < 5)
        }
    }

    @Test func whatRepeatsItselfAgreesTooOnceItsPlaceIsKnown() throws {
        // The right half is one tile over and over: no feature there has a nearest one of its own.
        let (picture, tile) = (
            GeneratedPictures.shapes(seed: 60),
            GeneratedPictures.shapes(seed: 61, width: 40, height: 40, count: 8)
        )
        var pixels = picture.pixels
        for y in 0..<picture.height {
            for x in picture.width / 2..<picture.width {
                pixels[y * picture.width + x] = tile.pixels[y % 40 * 40 + x % 40]
            }
        }
        let mixed = GrayImage(width: picture.width, height: picture.height, pixels: pixels)
        let query = GeneratedPictures.noisy(
            GeneratedPictures.view(
                of: mixed, inverse: [0.9, 0.1, -50, -0.1, 0.9, 0, 0, 0, 1], width: 480, height: 400),
            size: 3, seed: 5)
        let match = try #require(try search(query, in: [mixed]).first)
        let print = try FeaturePrint(of: mixed)
        let alone = print.features.count {
            Int($0.x) < picture.width / 2 * LocalFeature.unitsPerPixel
        }
        #expect(print.features.count > alone + 60)
        #expect(match.inliers > alone)
    }

    @Test func mirrorImageIsNotAccepted() throws {
        let picture = GeneratedPictures.shapes(seed: 40)
        #expect(try search(GeneratedPictures.mirrored(picture), in: [picture]).isEmpty)
    }

    @Test func sharedStickerIsNotAccepted() throws {
        let sticker = GeneratedPictures.shapes(seed: 70, width: 60, height: 48, count: 30)
        let one = stuck(sticker, on: GeneratedPictures.shapes(seed: 71, width: 640, height: 480))
        let two = stuck(sticker, on: GeneratedPictures.shapes(seed: 72, width: 640, height: 480))
        #expect(try search(one, in: [two]).isEmpty)
    }

    @Test func moreNoiseIsFartherAway() throws {
        let picture = GeneratedPictures.shapes(seed: 50)
        let distances = try [2, 12, 30].map { size in
            let noisy = GeneratedPictures.noisy(picture, size: size, seed: 1)
            return try #require(try search(noisy, in: [picture]).first).distance
        }
        #expect(distances == distances.sorted())
        #expect(Set(distances).count == 3)
        #expect(distances[0] < 60_000)
    }

    private func stuck(_ sticker: GrayImage, on picture: GrayImage) -> GrayImage {
        var pixels = picture.pixels
        for y in 0..<sticker.height {
            for x in 0..<sticker.width {
                pixels[(y + 400) * picture.width + x + 540] =
                    sticker.pixels[y * sticker.width + x]
            }
        }
        return GrayImage(width: picture.width, height: picture.height, pixels: pixels)
    }

    private func applied(_ m: [Double], _ x: Double, _ y: Double) -> (Double, Double) {
        let w = m[6] * x + m[7] * y + m[8]
        return ((m[0] * x + m[1] * y + m[2]) / w, (m[3] * x + m[4] * y + m[5]) / w)
    }

    private func search(_ query: GrayImage, in catalog: [GrayImage]) throws -> [Match] {
        var collection = PrintCollection()
        for (entry, picture) in catalog.enumerated() {
            collection.put([try FeaturePrint(of: picture)], for: entry)
        }
        return collection.search(try FeaturePrint(of: query), maxDistance: 1_000_000).matches
    }
}
