import Matching
import Testing

/// Merging, storing and restoring segments changes nothing of what is found.
@Suite(.timeLimit(.minutes(5)))
struct SegmentMergeTests {
    /// Enough for segments of the second level.
    private static let count = 2_400

    @Test func mergesAtAnyTimeFindTheSame() throws {
        var merged = PrintCollection()
        var unmerged = PrintCollection(mergesWhenPutting: false)
        var late = PrintCollection(mergesWhenPutting: false)
        var running: SegmentMerge.Result?
        for step in steps() {
            apply(step, to: &merged)
            apply(step, to: &unmerged)
            apply(step, to: &late)
            // A merge that began earlier ends now, and the next one begins.
            if case .put(let entry) = step, entry.isMultiple(of: 300) {
                late.adopt(running)
                running = late.pendingMerge?.run()
            }
        }
        #expect(unmerged.unmergedSegments > 8)
        #expect(merged.unmergedSegments < unmerged.unmergedSegments)
        let collections = [merged, unmerged, late]
        #expect(Set(collections.map(\.count)).count == 1)
        for query in try queries() {
            let found = collections.map { $0.search(query, maxDistance: 2_000_000) }
            #expect(!found[0].matches.isEmpty)
            #expect(found.allSatisfy { $0.matches == found[0].matches })
            #expect(found.allSatisfy { $0.checked == found[0].checked })
        }
    }

    @Test func removedDuringAMergeStaysRemoved() throws {
        let picture = try FeaturePrint(of: GeneratedPictures.shapes(seed: 1))
        var collection = PrintCollection(mergesWhenPutting: false)
        collection.put([picture], for: 10_000)
        collection.put([picture], for: 10_001)
        for entry in 0..<Self.count { collection.put([SyntheticPrint.print(entry)], for: entry) }
        let merge = try #require(collection.pendingMerge)
        collection.remove(entry: 10_000)
        let result = merge.run()
        let before = collection.unmergedSegments
        let isAdopted = collection.adopt(result)
        #expect(isAdopted)
        #expect(collection.unmergedSegments < before)
        let matches = collection.search(picture, maxDistance: 1_000_000).matches
        #expect(matches.map(\.entry) == [10_001])
        // Its sources are gone: a second time it is refused.
        let isAdoptedAgain = collection.adopt(result)
        #expect(!isAdoptedAgain)
        #expect(collection.count == Self.count + 1)
    }

    @Test func stoppedMergeChangesNothing() {
        var collection = PrintCollection(mergesWhenPutting: false)
        for entry in 0..<Self.count { collection.put([SyntheticPrint.print(entry)], for: entry) }
        let result = collection.pendingMerge?.run(shouldStop: { true })
        #expect(result.map { _ in true } == nil)
        let isAdopted = collection.adopt(result)
        #expect(!isAdopted)
    }

    @Test func restoredCollectionFindsTheSame() throws {
        let keeper = MemoryKeeper()
        var collection = PrintCollection(keeper: keeper)
        for step in steps() { apply(step, to: &collection) }
        #expect(!keeper.segments.isEmpty)

        var restoration = PrintRestoration(keeper.segments)
        // Entries are numbered otherwise after a restart.
        var restored: [Int: Int] = [:]
        var missing: [Int] = []
        for (number, entry) in present.enumerated() {
            restored[entry] = number
            let isStored = restoration.claim(
                names(of: entry), for: number, order: UInt64(entry))
            if !isStored { missing.append(entry) }
        }
        var second = restoration.collection(keeper: keeper, mergesWhenPutting: true)
        for entry in missing {
            second.put(
                prints(of: entry), names: names(of: entry), for: restored[entry] ?? -1,
                order: UInt64(entry))
        }
        #expect(second.count == collection.count)
        #expect(missing.count < 600)
        for query in try queries() {
            let found = collection.search(query, maxDistance: 2_000_000)
            let again = second.search(query, maxDistance: 2_000_000)
            #expect(again.checked == found.checked)
            #expect(
                again.matches
                    == found.matches.map { match in
                        Match(
                            entry: restored[match.entry] ?? -1, distance: match.distance,
                            inliers: match.inliers, outline: match.outline)
                    }.sorted { ($0.distance, $0.entry) < ($1.distance, $1.entry) })
        }
    }

    @Test func whatIsNotClaimedIsNotThere() throws {
        let keeper = MemoryKeeper()
        var collection = PrintCollection(keeper: keeper)
        for step in steps() { apply(step, to: &collection) }
        var restoration = PrintRestoration(keeper.segments)
        var answers: [Bool] = []
        for (names, order) in [
            (names(of: 407), 406), (names(of: 407), 407), (names(of: 407), 407),
            ([SyntheticPrint.name(99_999)], 407), (names(of: 408) + names(of: 407), 408), ([], 408),
        ] {
            answers.append(restoration.claim(names, for: 0, order: UInt64(order)))
        }
        #expect(answers == [false, true, false, false, false, false])
        let restored = restoration.collection(keeper: nil, mergesWhenPutting: true)
        #expect(restored.count == 1)
        let matches = restored.search(prints(of: 407)[0], maxDistance: 1_000_000).matches
        #expect(matches.map(\.entry) == [0])
        #expect(restored.search(prints(of: 409)[0], maxDistance: 1_000_000).matches.isEmpty)
    }

    @Test func entriesWithOnePictureClaimTheirOwn() throws {
        let keeper = MemoryKeeper()
        var collection = PrintCollection(keeper: keeper)
        // The first has a picture more than the others, which all have the same one.
        let shared = SyntheticPrint.name(0)
        let names = { (entry: Int) in
            entry == 0 ? [shared, SyntheticPrint.name(1)] : [shared]
        }
        for entry in 0..<Self.count {
            collection.put(
                names(entry).map { _ in Self.synthetic[0] }, names: names(entry), for: entry,
                order: UInt64(entry))
        }
        var restoration = PrintRestoration(keeper.segments)
        var claimed: [Int] = []
        for entry in (0..<Self.count).reversed()
        where restoration.claim(names(entry), for: entry, order: UInt64(entry)) {
            claimed.append(entry)
        }
        #expect(claimed == Array((0..<claimed.count).reversed()))
        #expect(claimed.count > 2_000)
        #expect(collection.unkeptNames == (claimed.count < Self.count ? [shared] : []))
    }

    @Test func bytesOfAnotherVersionAreLeftOut() throws {
        let keeper = MemoryKeeper()
        var collection = PrintCollection(keeper: keeper)
        for step in steps() { apply(step, to: &collection) }
        let segment = try #require(keeper.segments.first)
        let changes: [(at: Int, to: UInt8)] = [(0, 0), (4, 1), (8, 1), (16, 1), (24, 1), (34, 0)]
        for change in changes {
            var restoration = PrintRestoration([segment.changed(change.at, to: change.to)])
            let isStored = restoration.claim(names(of: 7), for: 0, order: 7)
            #expect(!isStored, "byte \(change.at)")
        }
        var restoration = PrintRestoration([segment.cut(to: 100_000)])
        let isStored = restoration.claim(names(of: 7), for: 0, order: 7)
        #expect(!isStored)
    }

    @Test func segmentThatCannotBeReadMakesASearchIncomplete() throws {
        let keeper = MemoryKeeper()
        var collection = PrintCollection(keeper: keeper)
        for step in steps() { apply(step, to: &collection) }
        for segment in keeper.segments { segment.breakPictures() }
        let outcome = collection.search(prints(of: 7)[0], maxDistance: 1_000_000)
        #expect(outcome.end == .unreadable)
        #expect(outcome.matches.isEmpty)
    }

    // MARK: What is put and removed

    private enum Step {
        case put(Int)
        case remove(Int)
    }

    /// Puts every entry, some twice, and removes every fifth a while later.
    private func steps() -> [Step] {
        (0..<Self.count).flatMap { entry -> [Step] in
            var steps = [Step.put(entry)]
            if entry.isMultiple(of: 7) { steps.append(.put(entry / 7)) }
            if entry >= 300, (entry - 300).isMultiple(of: 5) { steps.append(.remove(entry - 300)) }
            return steps
        }
    }

    /// What is there after all steps, ascending.
    private var present: [Int] {
        var present: Set<Int> = []
        for step in steps() {
            switch step {
            case .put(let entry): present.insert(entry)
            case .remove(let entry): present.remove(entry)
            }
        }
        return present.sorted()
    }

    private func apply(_ step: Step, to collection: inout PrintCollection) {
        switch step {
        case .put(let entry):
            collection.put(
                prints(of: entry), names: names(of: entry), for: entry, order: UInt64(entry))
        case .remove(let entry): collection.remove(entry: entry)
        }
    }

    /// Every 400th entry has a picture that features of the queries are of, and a second picture.
    private func prints(of entry: Int) -> [FeaturePrint] {
        guard hasPicture(entry) else { return [Self.synthetic[entry]] }
        return Self.pictures[entry / 400 % Self.pictures.count] + [Self.synthetic[entry]]
    }

    private func hasPicture(_ entry: Int) -> Bool { entry % 400 == 7 }

    private func names(of entry: Int) -> [PrintName] {
        (hasPicture(entry) ? [0, 1] : [0]).map { SyntheticPrint.name(10 * entry + $0) }
    }

    private static let synthetic = (0..<count).map { SyntheticPrint.print($0, features: 16) }

    private static let pictures: [[FeaturePrint]] = (1...3).map { seed in
        [try? FeaturePrint(of: GeneratedPictures.shapes(seed: UInt64(seed)))].compactMap(\.self)
    }

    private func queries() throws -> [FeaturePrint] {
        try (1...3).map { seed in
            try FeaturePrint(
                of: GeneratedPictures.noisy(
                    GeneratedPictures.shapes(seed: UInt64(seed)), size: 6, seed: 9))
        }
    }
}
