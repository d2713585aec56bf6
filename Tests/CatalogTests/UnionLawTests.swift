import Catalog
import Messages
import TestSupport
import Testing

/// What holds for every list of results, on random catalogs whose relations go in circles.
struct UnionLawTests {
    private static let documents = ["p", "q"].map { type in
        """
        {"type":"\(type)","version":1,"display":{"name":"T","title":"{id}"},"open":"t:{id}",
         "properties":{"n":{"kind":"string"},"m":{"kind":"string"}},
         "relations":[
            {"name":"one","to":"p","match":{"n":"m"},"weight":5,"most":4},
            {"name":"two","to":"q","match":{"n":"n"},"weight":9,"most":3},
            {"name":"all","to":"q","match":{"m":"m"},"placement":"grouped"}]}
        """
    }

    private struct Sample {
        let types: EntityTypes
        let content: CatalogContent
        let matches: [UnionMatch]
        let limit: Int

        init(seed: UInt64) throws {
            var random = SeededRandom(seed: seed)
            types = try Fixtures.types(documents)
            var entities: [Entity] = []
            for id in 0..<40 {
                let properties: [String: JSONValue] = [
                    "n": .string("\(Int.random(in: 0..<9, using: &random))"),
                    "m": .string("\(Int.random(in: 0..<9, using: &random))"),
                ]
                let type = Bool.random(using: &random) ? "p" : "q"
                entities.append(try Fixtures.entity(type, "\(id)", properties, types: types))
            }
            content = Fixtures.content(entities)
            matches = entities.shuffled(using: &random).prefix(15).map { entity in
                UnionMatch(key: entity.key, distance: Int.random(in: 0..<5, using: &random))
            }
            limit = Int.random(in: 1..<20, using: &random)
        }

        func items(_ matches: [UnionMatch]? = nil, limit: Int? = nil) -> [MergeItem] {
            Union.items(
                matches: matches ?? self.matches,
                request: UnionRequest(asOf: Fixtures.asOf, limit: limit ?? self.limit),
                content: content, types: types, calendarHas: { _ in false })
        }
    }

    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func keysAscendAndEveryChildStandsBehindItsParent(seed: UInt64) throws {
        let items = try Sample(seed: seed).items()
        var keys: [[UInt8]: [UInt8]] = [:]
        var previous: [UInt8] = []
        for item in items {
            #expect(previous.lexicographicallyPrecedes(item.sortKey))
            previous = item.sortKey
            #expect(keys.updateValue(item.sortKey, forKey: item.unionKey) == nil)
            guard !item.parentKey.isEmpty else { continue }
            let parent = try #require(keys[item.parentKey], "the parent stands before")
            let isGrouped = item.sortKey[0] == 1
            #expect(
                item.sortKey.dropFirst(isGrouped ? 1 : 0).starts(
                    with: parent.dropFirst(isGrouped ? 1 : 0)))
        }
    }

    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func everyMatchStandsAtItsOwnPlaceOrEarlier(seed: UInt64) throws {
        let sample = try Sample(seed: seed)
        let items = sample.items(limit: 100)
        for match in sample.matches {
            let item = try #require(items.first { $0.unionKey == match.key.unionKey })
            let own = [0] + bigEndianBytes(UInt32(match.distance)) + match.key.unionKey + [0]
            #expect(!own.lexicographicallyPrecedes(item.sortKey))
            let isMatch = try item.document()["kind"]?.text == "match"
            #expect(isMatch == (item.sortKey == own))
        }
    }

    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func limitNeverChangesWhatStandsBeforeTheCut(seed: UInt64) throws {
        let sample = try Sample(seed: seed)
        let whole = sample.items(limit: 100)
        let cut = sample.items().prefix(sample.limit)
        #expect(Array(cut) == Array(whole.prefix(sample.limit)))
    }

    /// Matches that stand alone can be found by different workers: the merged parts are the
    /// whole. (Merged as a router does: lowest key of each result.)
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func partsMergeToTheWhole(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let types = try Fixtures.shippedTypes()
        var entities: [Entity] = []
        var matches: [UnionMatch] = []
        for number in 0..<30 {
            let artist = "Artist \(Int.random(in: 0..<12, using: &random))"
            if Bool.random(using: &random) {
                let album = try Fixtures.album("\(number)", by: artist, types: types)
                entities.append(album)
                let distance = Int.random(in: 0..<6, using: &random)
                matches.append(UnionMatch(key: album.key, distance: distance))
            } else {
                entities.append(try Fixtures.concert("\(number)", by: artist, types: types))
            }
        }
        let content = Fixtures.content(entities)
        func items(_ matches: [UnionMatch]) -> [MergeItem] {
            Union.items(
                matches: matches, request: UnionRequest(asOf: Fixtures.asOf, limit: 100),
                content: content, types: types, calendarHas: { _ in false })
        }
        let half = matches.count / 2
        var lowest: [[UInt8]: MergeItem] = [:]
        for item in items(Array(matches[half...])) + items(Array(matches[..<half])) {
            if let known = lowest[item.unionKey],
                known.sortKey.lexicographicallyPrecedes(item.sortKey)
            {
                continue
            }
            lowest[item.unionKey] = item
        }
        let merged = lowest.values.sorted { $0.sortKey.lexicographicallyPrecedes($1.sortKey) }
        #expect(merged == items(matches))
    }

    /// Workers that match the entities of some slots each, and know of the others what is related to
    /// theirs, give together what one does that matches all.
    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func slotsMergeToTheWhole(seed: UInt64) throws {
        let sample = try Sample(seed: seed)
        let request = UnionRequest(asOf: Fixtures.asOf, limit: sample.limit)
        var lowest: [[UInt8]: MergeItem] = [:]
        for slots in [SlotRange(0, 20), SlotRange(21, 40), SlotRange(41, 63)].compactMap(\.self) {
            let own = sample.matches.filter { slots.contains(id: $0.key.id) }
            var known: [UnionMatch] = []
            for _ in 0..<Limits.relationLevelsMax {
                let related = Set(
                    Union.related(
                        to: own, known: known, request: request, content: sample.content,
                        types: sample.types))
                known = sample.matches.filter {
                    related.contains($0.key) && !slots.contains(id: $0.key.id)
                }
            }
            let items = Union.items(
                matches: own, known: known, request: request, content: sample.content,
                types: sample.types, calendarHas: { _ in false })
            for item in items {
                if let other = lowest[item.unionKey],
                    other.sortKey.lexicographicallyPrecedes(item.sortKey)
                {
                    continue
                }
                lowest[item.unionKey] = item
            }
        }
        let merged = lowest.values.sorted { $0.sortKey.lexicographicallyPrecedes($1.sortKey) }
        #expect(Array(merged.prefix(sample.limit)) == Array(sample.items().prefix(sample.limit)))
    }

    /// Each entity is related to the next, and all match: only so many stand behind one another.
    @Test func chainOfRelatedMatchesIsBounded() throws {
        let types = try Fixtures.types(Self.documents)
        let entities = try (0..<30).map { number in
            try Fixtures.entity(
                "p", "\(number)",
                ["n": .string("\(number + 1)"), "m": .string("\(number)")], types: types)
        }
        let items = Union.items(
            matches: entities.enumerated().map { UnionMatch(key: $1.key, distance: $0) },
            request: UnionRequest(asOf: Fixtures.asOf, limit: 100),
            content: Fixtures.content(entities), types: types, calendarHas: { _ in false })
        #expect(items.map(\.name) == (0..<30).map { "p/\($0)" })
        #expect(items.count { $0.parentKey.isEmpty } == 4)
        #expect(items.allSatisfy { $0.sortKey.count < 200 })
    }
}
