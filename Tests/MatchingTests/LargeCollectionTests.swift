import Matching
import Testing

/// Collections with so many pictures that a search looks only at a shortlist.
@Suite(.timeLimit(.minutes(5)))
struct LargeCollectionTests {
    private static let count = 700

    @Test func entryIsFoundAmongManyAndFewAreChecked() throws {
        let picture = GeneratedPictures.shapes(seed: 1)
        var collection = strangers()
        collection.put([try FeaturePrint(of: picture)], for: 350)
        let query = try FeaturePrint(of: GeneratedPictures.noisy(picture, size: 6, seed: 2))
        let outcome = collection.search(query, maxDistance: 1_000_000)
        #expect(outcome.matches.map(\.entry) == [350])
        #expect(outcome.isComplete)
        #expect(outcome.checked < 100)
        #expect(collection.count == Self.count)
    }

    @Test func removedEntryIsNeverFoundAgain() throws {
        let picture = try FeaturePrint(of: GeneratedPictures.shapes(seed: 1))
        var collection = strangers()
        collection.put([picture], for: 10_000)
        let snapshot = collection
        collection.remove(entry: 10_000)
        #expect(collection.search(picture, maxDistance: 1_000_000).matches.isEmpty)
        for entry in 20_000..<20_300 {
            collection.put([SyntheticPrint.print(entry)], for: entry)
        }
        #expect(collection.search(picture, maxDistance: 1_000_000).matches.isEmpty)
        #expect(snapshot.search(picture, maxDistance: 1_000_000).matches.map(\.entry) == [10_000])
        #expect(collection.count == Self.count + 300)
    }

    @Test func replacedEntryIsFoundByItsNewPictureOnly() throws {
        let prints = try (1...2).map { try FeaturePrint(of: GeneratedPictures.shapes(seed: $0)) }
        var collection = strangers()
        collection.put([prints[0]], for: 5)
        for entry in 20_000..<20_300 {
            collection.put([SyntheticPrint.print(entry)], for: entry)
        }
        collection.put([prints[1]], for: 5)
        #expect(collection.search(prints[0], maxDistance: 1_000_000).matches.isEmpty)
        #expect(collection.search(prints[1], maxDistance: 1_000_000).matches.map(\.entry) == [5])
    }

    @Test func emptiedCollectionIsEmpty() {
        var collection = strangers()
        for entry in 0..<Self.count { collection.remove(entry: entry) }
        #expect(collection.count == 0)
        let outcome = collection.search(SyntheticPrint.print(3), maxDistance: 2_000_000)
        #expect(outcome.matches.isEmpty)
        #expect(outcome.checked == 0)
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func orderOfPuttingDoesNotMatter(seed: UInt64) throws {
        let picture = GeneratedPictures.shapes(seed: 1)
        let print = try FeaturePrint(of: picture)
        var random = Sequence64(state: seed)
        var order = Array(0..<Self.count)
        for index in order.indices.reversed() {
            order.swapAt(index, random.next(below: index + 1))
        }
        var shuffled = PrintCollection()
        for entry in order {
            shuffled.put([entry % 300 == 7 ? print : SyntheticPrint.print(entry)], for: entry)
        }
        var sorted = strangers()
        for entry in [7, 307, 607] { sorted.put([print], for: entry) }
        let query = try FeaturePrint(of: GeneratedPictures.noisy(picture, size: 6, seed: 2))
        let found = shuffled.search(query, maxDistance: 2_000_000)
        let expected = sorted.search(query, maxDistance: 2_000_000)
        #expect(found.matches == expected.matches)
        #expect(found.checked == expected.checked)
        #expect(found.matches.prefix(3).map(\.entry) == [7, 307, 607])
    }

    @Test func whoIsLeftOutOfManyAlikeDoesNotDependOnTheirNumbers() throws {
        let picture = GeneratedPictures.shapes(seed: 1)
        let print = try FeaturePrint(of: picture)
        let query = try FeaturePrint(of: GeneratedPictures.noisy(picture, size: 6, seed: 2))
        // Sixty entries with one picture, numbered upwards in one collection, downwards in the other.
        let found = [{ $0 }, { 59 - $0 }].map { (number: (Int) -> Int) -> Set<Int> in
            var collection = PrintCollection()
            for name in 0..<60 {
                collection.put([print], for: number(name), order: UInt64(name))
            }
            let matches = collection.search(query, maxDistance: 2_000_000).matches
            return Set(matches.map { number($0.entry) })
        }
        #expect(found[0].count == 30)
        #expect(found[0] == found[1])
    }

    @Test func featurelessPictureIsFoundByItsIdenticalCopy() throws {
        let flat = try FeaturePrint(of: GeneratedPictures.flat(width: 100, height: 80))
        var collection = strangers()
        collection.put([flat], for: 3)
        let matches = collection.search(flat, maxDistance: 1_000_000).matches
        #expect(matches.map(\.entry) == [3])
        #expect(matches.map(\.distance) == [0])
    }

    @Test func onlyAcceptedEntriesAreFound() throws {
        let print = try FeaturePrint(of: GeneratedPictures.shapes(seed: 1))
        var collection = strangers()
        for entry in 600..<640 { collection.put([print], for: entry) }
        let matches = collection.search(
            print, maxDistance: 1_000_000, accepts: { $0.isMultiple(of: 10) }
        ).matches
        #expect(matches.map(\.entry) == [600, 610, 620, 630])
    }

    @Test func kernelsFindTheSame() throws {
        let picture = GeneratedPictures.shapes(seed: 1)
        var collection = strangers()
        for entry in 0..<40 {
            collection.put(
                [try FeaturePrint(of: GeneratedPictures.shapes(seed: UInt64(entry)))],
                for: 1_000 + entry)
        }
        let query = try FeaturePrint(of: GeneratedPictures.noisy(picture, size: 6, seed: 2))
        let found = CodeKernel.allCases.map { kernel in
            collection.search(
                query, maxDistance: 2_000_000, accepts: { _ in true }, shouldStop: { false },
                kernel: kernel
            ).matches
        }
        #expect(found[0].first?.entry == 1_001)
        #expect(found.allSatisfy { $0 == found[0] })
    }

    @Test(arguments: [0, 1, 20])
    func stopsWhenAskedAndSaysSo(after questions: Int) throws {
        let print = try FeaturePrint(of: GeneratedPictures.shapes(seed: 1))
        var asked = 0
        let outcome = strangers().search(
            print, maxDistance: 2_000_000,
            shouldStop: {
                asked += 1
                return asked > questions
            })
        #expect(outcome.end == .stopped)
        #expect(asked == questions + 1)
    }

    /// Entries 0..<count, none of which is a picture that the tests look for.
    private func strangers() -> PrintCollection {
        var collection = PrintCollection()
        for entry in 0..<Self.count { collection.put([SyntheticPrint.print(entry)], for: entry) }
        return collection
    }
}
