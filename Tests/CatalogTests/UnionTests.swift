import Bytes
import Catalog
import Messages
import Testing

struct UnionTests {
    private static func items(
        _ matches: [(EntityKey, Int)], _ entities: [Entity], types: EntityTypes,
        request: UnionRequest = UnionRequest(asOf: Fixtures.asOf),
        calendarHas: (Entity) -> Bool = { _ in false }
    ) -> [MergeItem] {
        Union.items(
            matches: matches.map { UnionMatch(key: $0.0, distance: $0.1) }, request: request,
            content: Fixtures.content(entities), types: types, calendarHas: calendarHas)
    }

    /// Ten albums by ten artists, two concerts each.
    private static func tenAlbums(
        _ types: EntityTypes
    ) throws -> (matches: [(EntityKey, Int)], entities: [Entity]) {
        var matches: [(EntityKey, Int)] = []
        var entities: [Entity] = []
        for number in 0..<10 {
            let album = try Fixtures.album("a\(number)", by: "Artist \(number)", types: types)
            matches.append((album.key, 1_000 * (10 - number)))
            entities.append(album)
            for id in ["y", "x"] {
                entities.append(
                    try Fixtures.concert("\(number)\(id)", by: "artist \(number)", types: types))
            }
        }
        return (matches, entities)
    }

    @Test func tenAlbumsWithTwoConcertsEachMixDirectlyBehind() throws {
        let types = try Fixtures.shippedTypes()
        let (matches, entities) = try Self.tenAlbums(types)
        let items = Self.items(matches, entities, types: types)
        // A router cuts at the limit of 10; the whole list is kept for going on with the search.
        #expect(
            items.prefix(10).map(\.name) == [
                "album/a9", "concert/9x", "concert/9y", "album/a8", "concert/8x", "concert/8y",
                "album/a7", "concert/7x", "concert/7y", "album/a6",
            ])
        #expect(items.count == 30)
    }

    @Test func groupedRelationStandsAfterAllMatches() throws {
        let shipped = String(
            decoding: try Fixtures.shippedType("album").json.canonical(), as: UTF8.self)
        let grouped = shipped.replacing(#""most":3"#, with: #""most":3,"placement":"grouped""#)
        #expect(grouped != shipped)
        let concert = String(
            decoding: try Fixtures.shippedType("concert").json.canonical(), as: UTF8.self)
        let types = try Fixtures.types([grouped, concert])
        let (matches, entities) = try Self.tenAlbums(types)
        let items = Self.items(matches, entities, types: types)
        #expect(items.prefix(10).map(\.name) == (0..<10).reversed().map { "album/a\($0)" })
        #expect(
            items.dropFirst(10).prefix(3).map(\.name) == ["concert/9x", "concert/9y", "concert/8x"])
        #expect(items[10].parentKey == items[0].unionKey)
        #expect(Array(items[10].sortKey.dropFirst()).starts(with: items[0].sortKey.dropFirst()))
    }

    @Test func sortKeyIsLaidOutAsDocumented() throws {
        let types = try Fixtures.shippedTypes()
        let album = try Fixtures.album("a", by: "Ana", types: types, labels: ["disc"])
        let concert = try Fixtures.concert("c", by: "Ana", types: types)
        let other = try Fixtures.album("b", by: "Bo", types: types, labels: ["Disc"])
        let items = Self.items(
            [(album.key, 0x0102)], [album, concert, other], types: types,
            request: UnionRequest(asOf: Fixtures.asOf, labels: ["DISC"]))
        let parent = [0, 0, 0, 1, 2] + Array("album".utf8) + [0] + Array("a".utf8) + [0]
        #expect(items[0].sortKey == parent)
        // The shipped relation's weight is 100: FFFFFFFF - 64.
        #expect(
            items[1].sortKey
                == parent + [0xFF, 0xFF, 0xFF, 0x9B] + Array("concert".utf8) + [0, 0x63, 0])
        #expect(items[1].parentKey == items[0].unionKey)
        #expect(items[2].sortKey == [2] + Array("album".utf8) + [0, 0x62, 0])
        #expect(items[2].parentKey == [])
    }

    @Test func itemsAreCanonicalDocuments() throws {
        let types = try Fixtures.shippedTypes()
        let album = try Fixtures.album("a", by: "Ana", types: types)
        let concert = try Fixtures.concert("c", by: "Ana", at: nil, types: types)
        let items = Union.items(
            matches: [
                UnionMatch(
                    key: album.key, distance: 310_000, inliers: 42,
                    outline: [[0, 1], [200, 2], [201, 199], [-3, 198]])
            ], request: UnionRequest(asOf: Fixtures.asOf, locale: "de_DE"),
            content: Fixtures.content([album, concert]), types: types, calendarHas: { _ in true })
        #expect(
            items.map { String(decoding: $0.json, as: UTF8.self) } == [
                #"{"display":{"subtitle":"Ana","title":"Album a","type":"Album"},"#
                    + #""distance":310000,"#
                    + #""id":"a","inliers":42,"kind":"match","outline":[[0,1],[200,2],[201,199],"#
                    + #"[-3,198]],"properties":{"artistName":"Ana","name":"Album a"},"#
                    + #""route":"sightline://album/a","type":"album"}"#,
                #"{"display":{"subtitle":"2026-11-15 20:00","title":"Concert c","type":"Konzert"},"#
                    + #""id":"c","inCalendar":true,"kind":"related","#
                    + #""parent":{"id":"a","type":"album"},"properties":{"artistName":"Ana","#
                    + #""date":"2026-11-15T20:00:00+01:00","name":"Concert c"},"#
                    + #""relation":"concerts","route":"sightline://concert/c","type":"concert"}"#,
            ])
    }

    @Test func tiesStandByTypeAndId() throws {
        let types = try Fixtures.shippedTypes()
        let entities =
            try ["b", "a", "\u{E9}", "e\u{301}"].map {
                try Fixtures.album($0, by: "x", types: types)
            }
            + [try Fixtures.entity("movie", "0", ["title": .string("m")], types: types)]
        let items = Self.items(entities.map { ($0.key, 7) }, entities, types: types)
        let ids = items.map { Array($0.name.utf8) }
        #expect(
            ids
                == ["album/a", "album/b", "album/e\u{301}", "album/\u{E9}", "movie/0"].map {
                    Array($0.utf8)
                })
    }

    @Test func orderOfTheMatchesGivenDoesNotMatter() throws {
        let types = try Fixtures.shippedTypes()
        let (matches, entities) = try Self.tenAlbums(types)
        let items = Self.items(matches, entities, types: types)
        for shift in 1..<10 {
            let turned = Array(matches[shift...] + matches[..<shift])
            #expect(Self.items(turned, entities.reversed(), types: types) == items)
        }
    }

    @Test func concertOfTwoAlbumsStandsBehindTheFirstOnce() throws {
        let types = try Fixtures.shippedTypes()
        let first = try Fixtures.album("z", by: "Ana", types: types)
        let second = try Fixtures.album("a", by: "Ana", types: types)
        let concert = try Fixtures.concert("c", by: "Ana", types: types)
        let items = Self.items(
            [(second.key, 9), (first.key, 8)], [first, second, concert], types: types)
        #expect(items.map(\.name) == ["album/z", "concert/c", "album/a"])
        #expect(try items[1].document()["parent"]?["id"]?.text == "z")
    }

    @Test func betterMatchOfARelatedEntityStandsAsMatch() throws {
        let types = try Fixtures.shippedTypes()
        let album = try Fixtures.album("a", by: "Ana", types: types)
        let concert = try Fixtures.concert("c", by: "Ana", types: types)
        let items = Self.items([(album.key, 9), (concert.key, 8)], [album, concert], types: types)
        #expect(items.map(\.name) == ["concert/c", "album/a"])
        #expect(try items[0].document()["kind"]?.text == "match")
        #expect(items[0].parentKey == [])
    }

    @Test func worseMatchOfARelatedEntityStandsBehindItsAlbum() throws {
        let types = try Fixtures.shippedTypes()
        let album = try Fixtures.album("a", by: "Ana", types: types)
        let between = try Fixtures.album("b", by: "Bo", types: types)
        let concert = try Fixtures.concert("c", by: "Ana", types: types)
        let items = Self.items(
            [(album.key, 1), (between.key, 2), (concert.key, 3)], [album, between, concert],
            types: types)
        #expect(items.map(\.name) == ["album/a", "concert/c", "album/b"])
        #expect(try items[1].document()["kind"]?.text == "related")
    }

    @Test func nearestOfSeveralMatchesOfOneEntityCounts() throws {
        let types = try Fixtures.shippedTypes()
        let album = try Fixtures.album("a", by: "Ana", types: types)
        let items = Self.items(
            [(album.key, 9), (album.key, 4), (album.key, 6)], [album], types: types)
        #expect(items.count == 1)
        #expect(try items[0].document()["distance"]?.integer == 4)
    }

    @Test(arguments: [(0, 0), (-1, 0), (1, 3), (2, 6), (10, 30), (50, 30)])
    func listBeginsFromAsManyMatchesAsTheLimitSays(limit: Int, count: Int) throws {
        let types = try Fixtures.shippedTypes()
        let (matches, entities) = try Self.tenAlbums(types)
        let items = Self.items(
            matches, entities, types: types,
            request: UnionRequest(asOf: Fixtures.asOf, limit: limit))
        #expect(items.count == count)
    }

    @Test func listNeverExceedsWhatOnePartMayHold() throws {
        let types = try Fixtures.shippedTypes()
        let albums = try (0..<4_000).map { try Fixtures.album("\($0)", by: "\($0)", types: types) }
        let concerts = try (0..<8_000).map {
            try Fixtures.concert("\($0)", by: "\($0 % 4_000)", types: types)
        }
        let items = Self.items(
            albums.map { ($0.key, 1) }, albums + concerts, types: types,
            request: UnionRequest(asOf: Fixtures.asOf, limit: Limits.resultsMax))
        #expect(items.count == Limits.resultsMax)
        let (list, body) = MergeItem.encode(items)
        #expect(try MergeItem.decode(list: list[...], body: SharedBytes(body)) == items)
    }

    @Test func wantedTypesRestrictAllResults() throws {
        let types = try Fixtures.shippedTypes()
        let album = try Fixtures.album("a", by: "Ana", types: types)
        let concert = try Fixtures.concert("c", by: "Ana", types: types)
        let movie = try Fixtures.entity("movie", "m", ["title": .string("x")], types: types)
        func names(_ wanted: [String]?) -> [String] {
            Self.items(
                [(album.key, 1), (movie.key, 2)], [album, concert, movie], types: types,
                request: UnionRequest(
                    asOf: Fixtures.asOf, types: wanted, labels: ["concert", "movie"])
            ).map(\.name)
        }
        #expect(names(nil) == ["album/a", "concert/c", "movie/m"])
        #expect(names(["album"]) == ["album/a"])
        #expect(names(["album", "concert"]) == ["album/a", "concert/c"])
        #expect(names(["concert"]) == ["concert/c"])
        #expect(names(["movie"]) == ["movie/m"])
        #expect(names([]) == [])
    }

    @Test func calendarIsAskedForEntitiesWithNameAndDateOnly() throws {
        let types = try Fixtures.shippedTypes()
        let album = try Fixtures.album("a", by: "Ana", types: types)
        let concert = try Fixtures.concert("c", by: "Ana", types: types)
        var asked: [String] = []
        _ = Self.items([(album.key, 1)], [album, concert], types: types) {
            asked.append($0.key.description)
            return true
        }
        #expect(asked == ["concert/c"])
    }

    @Test func matchOfAnUnknownEntityIsLeftOut() throws {
        let types = try Fixtures.shippedTypes()
        let album = try Fixtures.album("a", by: "Ana", types: types)
        let gone = EntityKey(type: "album", id: "gone")
        #expect(Self.items([(gone, 1), (album.key, 2)], [album], types: types).count == 1)
        #expect(Self.items([(album.key, 2)], [album], types: EntityTypes()).isEmpty)
    }

    @Test(arguments: [true, false])
    func thumbnailIsAttachedWhenAskedFor(isWanted: Bool) throws {
        let types = try Fixtures.shippedTypes()
        let hash = String(repeating: "ab", count: 32)
        let movie = try Fixtures.entity(
            "movie", "m", ["title": .string("x")], types: types,
            pictures: [
                .object(["picture": .string(String(repeating: "cd", count: 32))]),
                .object(["thumbnail": .string(hash)]),
            ])
        let item = try #require(
            Self.items(
                [(movie.key, 1)], [movie], types: types,
                request: UnionRequest(asOf: Fixtures.asOf, wantsThumbnails: isWanted)
            ).first)
        #expect(item.attachments.map(\.description) == (isWanted ? [hash] : []))
        #expect(try item.document()["thumbnail"]?.text == (isWanted ? hash : nil))
    }
}
