import Matching
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PrintCollectionTests {
    @Test func identicalPictureIsAtDistanceZero() throws {
        let print = try FeaturePrint(of: GeneratedPictures.shapes(seed: 1))
        var collection = PrintCollection()
        collection.put([print], for: 7)
        let match = try #require(collection.search(print, maxDistance: 0).matches.first)
        #expect(match.entry == 7)
        #expect(match.distance == 0)
        #expect(match.outline?.map(\.x) == [0, 320, 320, 0])
        #expect(match.outline?.map(\.y) == [0, 0, 240, 240])
    }

    @Test func oneDifferentPixelIsNotIdentical() throws {
        let picture = GeneratedPictures.shapes(seed: 1)
        var pixels = picture.pixels
        pixels[5_000] ^= 1
        let other = GrayImage(width: picture.width, height: picture.height, pixels: pixels)
        let match = try #require(try search(other, in: [picture]).first)
        #expect(match.distance > 0)
        #expect(match.distance < 50_000)
    }

    @Test func flatPictureMatchesOnlyItsIdenticalCopy() throws {
        let flat = GeneratedPictures.flat(width: 100, height: 80)
        let other = GeneratedPictures.flat(width: 100, height: 80, value: 91)
        let rich = GeneratedPictures.shapes(seed: 1)
        let matches = try search(flat, in: [other, flat, rich])
        #expect(matches.map(\.entry) == [1])
        #expect(matches.map(\.distance) == [0])
        #expect(try search(rich, in: [flat, other]).isEmpty)
    }

    @Test func entryMatchesByItsBestPicture() throws {
        let prints = try (1...3).map { try FeaturePrint(of: GeneratedPictures.shapes(seed: $0)) }
        var collection = PrintCollection()
        collection.put([prints[0], prints[1]], for: 4)
        collection.put([prints[2]], for: 5)
        let outcome = collection.search(prints[1], maxDistance: 1_000_000)
        #expect(outcome.matches.map(\.entry) == [4])
        #expect(outcome.checked == 2)
    }

    @Test func putReplacesAndRemoveTakesOut() throws {
        let prints = try (1...2).map { try FeaturePrint(of: GeneratedPictures.shapes(seed: $0)) }
        var collection = PrintCollection()
        collection.put([prints[0]], for: 1)
        collection.put([prints[1]], for: 1)
        #expect(collection.count == 1)
        #expect(collection.search(prints[0], maxDistance: 0).matches.isEmpty)
        #expect(collection.search(prints[1], maxDistance: 0).matches.count == 1)
        collection.remove(entry: 2)
        #expect(collection.count == 1)
        collection.remove(entry: 1)
        #expect(collection.count == 0)
        collection.put([prints[0]], for: 3)
        collection.put([], for: 3)
        #expect(collection.count == 0)
    }

    @Test func snapshotKeepsWhatItHad() throws {
        let print = try FeaturePrint(of: GeneratedPictures.shapes(seed: 1))
        var collection = PrintCollection()
        collection.put([print], for: 1)
        let snapshot = collection
        collection.remove(entry: 1)
        #expect(snapshot.search(print, maxDistance: 0).matches.count == 1)
    }

    @Test(arguments: 1..<6 as Range<UInt64>)
    func orderOfPuttingDoesNotMatter(seed: UInt64) throws {
        let prints = try (0..<8).map {
            try FeaturePrint(of: GeneratedPictures.shapes(seed: UInt64($0 % 5), width: 200))
        }
        let query = try FeaturePrint(
            of: GeneratedPictures.noisy(
                GeneratedPictures.shapes(seed: 2, width: 200), size: 6, seed: 1))
        var random = Sequence64(state: seed)
        var order = Array(prints.indices)
        for index in order.indices.reversed() {
            order.swapAt(index, random.next(below: index + 1))
        }
        var sorted = PrintCollection()
        for index in prints.indices { sorted.put([prints[index]], for: index) }
        var shuffled = PrintCollection()
        for index in order { shuffled.put([prints[index]], for: index) }
        let matches = shuffled.search(query, maxDistance: 2_000_000).matches
        #expect(matches == sorted.search(query, maxDistance: 2_000_000).matches)
        // Entries 2 and 7 have the same picture: equally far, the lower number first.
        #expect(matches.prefix(2).map(\.entry) == [2, 7])
    }

    @Test func onlyAcceptedEntriesAreCompared() throws {
        let print = try FeaturePrint(of: GeneratedPictures.shapes(seed: 1))
        var collection = PrintCollection()
        for entry in 0..<6 { collection.put([print], for: entry) }
        let outcome = collection.search(
            print, maxDistance: 1_000_000, accepts: { $0.isMultiple(of: 2) })
        #expect(outcome.matches.map(\.entry) == [0, 2, 4])
        #expect(outcome.checked == 3)
        #expect(outcome.isComplete)
    }

    @Test func stopKeepsWhatWasCompared() throws {
        let print = try FeaturePrint(of: GeneratedPictures.shapes(seed: 1))
        var collection = PrintCollection()
        for entry in 0..<6 { collection.put([print], for: entry) }
        var asked = 0
        let outcome = collection.search(
            print, maxDistance: 1_000_000,
            shouldStop: {
                asked += 1
                return asked > 2
            })
        #expect(outcome.matches.map(\.entry) == [0, 1])
        #expect(outcome.checked == 2)
        #expect(!outcome.isComplete)
    }

    @Test func emptyCollectionAnswersEmptyAndComplete() throws {
        let print = try FeaturePrint(of: GeneratedPictures.shapes(seed: 1))
        let outcome = PrintCollection().search(print, maxDistance: 2_000_000)
        #expect(outcome.matches.isEmpty)
        #expect(outcome.isComplete)
    }

    private func search(_ query: GrayImage, in catalog: [GrayImage]) throws -> [Match] {
        var collection = PrintCollection()
        for (entry, picture) in catalog.enumerated() {
            collection.put([try FeaturePrint(of: picture)], for: entry)
        }
        return collection.search(try FeaturePrint(of: query), maxDistance: 2_000_000).matches
    }
}
