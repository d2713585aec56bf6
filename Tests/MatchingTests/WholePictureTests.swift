import Matching
import Testing

/// Pictures with too few features to be told by them: flat logos, near-white covers.
@Suite(.timeLimit(.minutes(5)))
struct WholePictureTests {
    /// Flat drawings of two or three shapes.
    private static func logo(_ seed: UInt64) -> GrayImage {
        GeneratedPictures.shapes(seed: 700 + seed, width: 300, height: 240, count: 3)
    }

    /// A catalog of many such drawings, so large that not all are compared.
    private static func catalog() throws -> PrintCollection {
        var collection = PrintCollection()
        for number in 0..<60 {
            collection.put([try FeaturePrint(of: logo(UInt64(number)))], for: number)
        }
        return collection
    }

    @Test func aCopyOfAFlatLogoIsFoundNearZero() throws {
        let collection = try Self.catalog()
        for number in 0..<60 {
            let logo = Self.logo(UInt64(number))
            let pale = GrayImage(
                width: logo.width, height: logo.height, pixels: logo.pixels.map { $0 / 2 + 90 })
            let query = try FeaturePrint(of: GeneratedPictures.noisy(pale, size: 4, seed: 3))
            let best = collection.search(query, maxDistance: 1_000_000).matches.first
            #expect(best?.entry == number)
            #expect(best?.distance ?? .max < 50_000)
        }
    }

    @Test func anotherFlatLogoIsNotAccepted() throws {
        let collection = try Self.catalog()
        for number in 100..<160 {
            let query = try FeaturePrint(of: Self.logo(UInt64(number)))
            #expect(collection.search(query, maxDistance: 1_000_000).matches.isEmpty)
        }
    }

    @Test func aMirroredFlatLogoIsNotAccepted() throws {
        let collection = try Self.catalog()
        for number in 0..<60 {
            let mirrored = GeneratedPictures.mirrored(Self.logo(UInt64(number)))
            let found = collection.search(
                try FeaturePrint(of: mirrored), maxDistance: 1_000_000)
            #expect(!found.matches.map(\.entry).contains(number))
        }
    }

    @Test func theWholeOutlivesTheEncoding() throws {
        let print = try FeaturePrint(of: Self.logo(1))
        #expect(print.whole != nil)
        #expect(try FeaturePrint(decoding: print.encoded()) == print)
        let rich = try FeaturePrint(of: GeneratedPictures.shapes(seed: 2))
        #expect(rich.whole == nil)
    }
}
