import Catalog
import Messages
import Testing

/// What an album brings along, by the shipped relation unless a test says otherwise.
struct RelationTests {
    private static func related(
        to artist: String = "Ana", _ concerts: (EntityTypes) throws -> [Entity],
        near: GeoPoint? = Fixtures.berlin, asOf: Timestamp = Fixtures.asOf
    ) throws -> [String] {
        let types = try Fixtures.shippedTypes()
        let album = try Fixtures.album("a", by: artist, types: types)
        let items = Union.items(
            matches: [UnionMatch(key: album.key, distance: 5)],
            request: UnionRequest(asOf: asOf, near: near),
            content: Fixtures.content([album] + (try concerts(types))), types: types,
            calendarHas: { _ in false })
        return items.dropFirst().map(\.name)
    }

    @Test(arguments: [
        ("Ana Lund", "ana lund", true),
        ("  Ana   Lund ", "ANA LUND", true),
        ("Straße", "STRASSE", true),
        ("ΟΔΟΣ", "οδος", true),
        ("Caf\u{E9}", "cafe\u{301}", true),
        ("Café", "Cafe", false),
        ("Ana", "Ana Lund", false),
    ])
    func namesAreComparedFolded(own: String, other: String, isRelated: Bool) throws {
        let names = try Self.related(to: own) { [try Fixtures.concert("c", by: other, types: $0)] }
        #expect(names == (isRelated ? ["concert/c"] : []))
    }

    @Test(arguments: [
        ("2026-11-01T00:00:00Z", true), ("2026-10-31T23:59:59Z", false),
        ("2027-01-30T00:00:00Z", true), ("2027-01-30T00:00:01Z", false),
        ("2026-11-01T00:30:00+01:00", false), ("2026-11-01", true), ("2026-10-31", false),
        ("2027-01-30", true), ("2027-01-31", false),
    ])
    func dateIsWithinNinetyDaysOfAsOf(date: String, isRelated: Bool) throws {
        let names = try Self.related {
            [try Fixtures.concert("c", by: "Ana", date: date, types: $0)]
        }
        #expect(names == (isRelated ? ["concert/c"] : []))
    }

    @Test(arguments: [Int64.min, Int64.max])
    func extremeAsOfIsNoFault(milliseconds: Int64) throws {
        let names = try Self.related(
            { [try Fixtures.concert("c", by: "Ana", types: $0)] },
            asOf: Timestamp(milliseconds: milliseconds))
        #expect(names == [])
    }

    @Test func placeIsWithinAHundredKilometersOfTheCaller() throws {
        let potsdam = GeoPoint(latitude: 52.39, longitude: 13.06)
        let hamburg = GeoPoint(latitude: 53.55, longitude: 9.99)
        func concerts(_ types: EntityTypes) throws -> [Entity] {
            [
                try Fixtures.concert("far", by: "Ana", at: hamburg, types: types),
                try Fixtures.concert("near", by: "Ana", at: potsdam, types: types),
                try Fixtures.concert("nowhere", by: "Ana", at: nil, types: types),
            ]
        }
        #expect(try Self.related(concerts) == ["concert/near"])
        #expect(
            try Self.related(concerts, near: nil)
                == ["concert/far", "concert/near", "concert/nowhere"])
    }

    @Test func soonestAreKeptAndStandById() throws {
        let names = try Self.related { types in
            try [("e", 5), ("a", 4), ("d", 3), ("b", 2), ("c", 1)].map { id, day in
                try Fixtures.concert(id, by: "Ana", date: "2026-12-0\(day)", types: types)
            }
        }
        #expect(names == ["concert/b", "concert/c", "concert/d"])
    }

    @Test func ofThoseAtOneTimeTheNearestAreKept() throws {
        let names = try Self.related { types in
            try [("a", 52.9), ("b", 52.5), ("c", 52.8), ("d", 52.6)].map { id, latitude in
                try Fixtures.concert(
                    id, by: "Ana", at: GeoPoint(latitude: latitude, longitude: 13.4), types: types)
            }
        }
        #expect(names == ["concert/b", "concert/c", "concert/d"])
    }

    private static let songTypes = [
        """
        {"type":"song","version":1,"display":{"name":"Song","title":"{title}"},"open":"s:{id}",
         "properties":{"title":{"kind":"localizedString","required":true},
                       "artists":{"kind":"stringList"},"label":{"kind":"string"}},
         "relations":[{"name":"same","to":"song","weight":1,
                       "match":{"artists":"artists","label":"label"}},
                      {"name":"covers","to":"song","match":{"title":"title"}}]}
        """
    ]

    private static func songs(_ others: [(String, [String: JSONValue])]) throws -> [String] {
        let types = try Fixtures.types(songTypes)
        let song = try Fixtures.entity(
            "song", "own",
            [
                "title": .object(["en": .string("Sea"), "de": .string("Meer")]),
                "artists": .array([.string("Ana"), .string("Bo")]), "label": .string("North"),
            ], types: types)
        let entities = try others.map { try Fixtures.entity("song", $0.0, $0.1, types: types) }
        let items = Union.items(
            matches: [UnionMatch(key: song.key, distance: 5)],
            request: UnionRequest(asOf: Fixtures.asOf),
            content: Fixtures.content([song] + entities),
            types: types, calendarHas: { _ in false })
        return try items.map { item in
            "\(item.name) \(try item.document()["relation"]?.text ?? "-")"
        }
    }

    @Test func everyPairMustShareAName() throws {
        let bo = JSONValue.array([.string("bo"), .string("Cy")])
        let names = try Self.songs([
            ("both", ["title": .string("x"), "artists": bo, "label": .string("north")]),
            ("one", ["title": .string("y"), "artists": bo, "label": .string("South")]),
            ("missing", ["title": .string("z"), "artists": bo]),
        ])
        #expect(names == ["song/own -", "song/both same"])
    }

    @Test func anyLanguageOfALocalisedNameCounts() throws {
        let names = try Self.songs([
            ("plain", ["title": .string("meer")]),
            ("swedish", ["title": .object(["sv": .string("SEA")])]),
            ("other", ["title": .string("Ocean")]),
        ])
        #expect(names == ["song/own -", "song/plain covers", "song/swedish covers"])
    }

    @Test func heavierRelationStandsFirstAndNamesWhatFollowsByBoth() throws {
        let both: [String: JSONValue] = [
            "title": .string("Sea"), "artists": .array([.string("Ana")]),
            "label": .string("North"),
        ]
        let names = try Self.songs([("a", ["title": .string("Sea")]), ("b", both)])
        #expect(names == ["song/own -", "song/b same", "song/a covers"])
    }
}
