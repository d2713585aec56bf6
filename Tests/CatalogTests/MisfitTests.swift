import Catalog
import Messages
import Testing

/// A type that changes while there are entities of it.
struct MisfitTests {
    private static func type(_ version: Int, _ properties: String) throws -> EntityType {
        try EntityType(
            parsing: Fixtures.json(
                """
                {"type":"movie","version":\(version),"display":{"name":"M","title":"{id}"},
                 "open":"sightline://movie/{id}","properties":{\(properties)}}
                """))
    }

    private static let first = #""title":{"kind":"string"},"year":{"kind":"number"}"#

    private static func content() throws -> CatalogContent {
        var types = EntityTypes()
        try types.declare(type(1, first))
        return Fixtures.content([
            try Fixtures.entity("movie", "a", ["title": .string("A")], types: types),
            try Fixtures.entity(
                "movie", "b", ["title": .string("B"), "year": .integer(1999)], types: types),
        ])
    }

    /// The change, and what is said of which entity.
    @Test(arguments: [
        (
            #""title":{"kind":"string"},"year":{"kind":"number","required":true}"#,
            ["movie/a: /properties lacks the required property \"year\""]
        ),
        (
            #""title":{"kind":"string"},"year":{"kind":"date"}"#,
            [
                "movie/b: /properties/year must be a day (2026-12-05) or an instant with its "
                    + "offset (2026-12-05T20:00:00+01:00, a zone in brackets may follow)"
            ]
        ),
        (
            #""title":{"kind":"string"}"#,
            ["movie/b: /properties has the unknown member \"year\"; allowed are title"]
        ),
        (
            #""year":{"kind":"number"}"#,
            [
                "movie/a: /properties has the unknown member \"title\"; allowed are year",
                "movie/b: /properties has the unknown member \"title\"; allowed are year",
            ]
        ),
    ])
    func misfitNamesEntityAndProperty(properties: String, said: [String]) throws {
        var content = try Self.content()
        let changed = try Self.type(2, properties)
        #expect(content.misfits(with: changed, limit: 10).map(\.description) == said)
        #expect(content.misfits(with: changed, limit: 1).map(\.description) == [said[0]])
        let error = #expect(throws: CatalogError.self) { try content.refit(to: changed) }
        #expect(error == CatalogError(.misfit, said[0]))
        #expect(content.list(limit: 9) == (try Self.content().list(limit: 9)))
    }

    @Test func aTextBecomesATextInLanguages() throws {
        var content = try Self.content()
        let changed = try Self.type(
            2, #""title":{"kind":"localizedString","required":true},"year":{"kind":"number"}"#)
        #expect(content.misfits(with: changed, limit: 10) == [])
        try content.refit(to: changed)
        let entity = try #require(content[EntityKey(type: "movie", id: "a")])
        #expect(entity.properties["title"] == .localizedString(.plain("A")))
    }

    @Test func otherTypesAreNotLookedAt() throws {
        let content = try Self.content()
        let other = try EntityType(
            parsing: Fixtures.json(
                """
                {"type":"mov","version":1,"display":{"name":"M","title":"{id}"},
                 "open":"sightline://mov/{id}","properties":{"x":{"kind":"date"}}}
                """))
        #expect(content.misfits(with: other, limit: 10) == [])
    }
}
