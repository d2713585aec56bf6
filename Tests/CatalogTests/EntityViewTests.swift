import Catalog
import Messages
import Testing

struct EntityViewTests {
    private static func movie(_ properties: [String: JSONValue], id: String = "m 1") throws -> (
        Entity, EntityType
    ) {
        let types = try Fixtures.shippedTypes()
        return (
            try Fixtures.entity("movie", id, properties, types: types), try #require(types["movie"])
        )
    }

    @Test(arguments: [
        (["director": JSONValue.string("Ida Roe"), "year": .number(1999)], "Ida Roe, 1999"),
        (["director": .string("Ida Roe")], "Ida Roe"),
        (["year": .number(1999)], "1999"),
        ([:], ""),
    ])
    func separatorIsLeftOutWithWhatItSeparates(
        properties: [String: JSONValue], subtitle: String
    ) throws {
        let (entity, type) = try Self.movie(
            properties.merging(["title": .string("x")]) { first, _ in first })
        #expect(EntityView.display(of: entity, type: type, locale: nil).subtitle == subtitle)
    }

    @Test func displayIsInTheLanguageOfTheLocale() throws {
        let (entity, type) = try Self.movie([
            "title": .object(["en": .string("The Sea"), "de": .string("Das Meer")])
        ])
        let german = EntityView.display(of: entity, type: type, locale: "de_CH")
        #expect(german.type == "Film")
        #expect(german.title == "Das Meer")
        let english = EntityView.display(of: entity, type: type, locale: "sv_SE")
        #expect(english.type == "Movie")
        #expect(english.title == "The Sea")
    }

    @Test func concertSaysDateVenueAndCity() throws {
        let types = try Fixtures.shippedTypes()
        let entity = try Fixtures.entity(
            "concert", "1",
            [
                "name": .string("Night"), "artistName": .string("Ana"), "city": .string("Berlin"),
                "date": .string("2026-12-05T20:00:00+01:00"),
            ], types: types)
        let display = EntityView.display(
            of: entity, type: try #require(types["concert"]), locale: nil)
        #expect(display.subtitle == "2026-12-05 20:00, Berlin")
    }

    @Test func idStandsInForATitleWithoutText() throws {
        let types = try Fixtures.types([
            """
            {"type":"t","version":1,"display":{"name":"T","title":"{n}"},"open":"t:{id}",
             "properties":{"n":{"kind":"string"}}}
            """
        ])
        let entity = try Fixtures.entity("t", "seven", [:], types: types)
        let display = EntityView.display(of: entity, type: try #require(types["t"]), locale: nil)
        #expect(display.title == "seven")
    }

    @Test(arguments: [
        ("1", "sightline://movie/1"),
        ("a/b?c#d", "sightline://movie/a%2Fb%3Fc%23d"),
        ("100 %", "sightline://movie/100%20%25"),
        ("é", "sightline://movie/%C3%A9"),
        ("A-z_0.9~", "sightline://movie/A-z_0.9~"),
    ])
    func routeEncodesValues(id: String, route: String) throws {
        let (entity, type) = try Self.movie(["title": .string("x")], id: id)
        #expect(EntityView.route(of: entity, type: type) == route)
    }

    @Test func getAnswersInTheOrderAskedAndMarksUnknownOnes() throws {
        let types = try Fixtures.shippedTypes()
        let content = Fixtures.content([
            try Fixtures.album("1", by: "Ana", types: types, labels: ["vinyl"]),
            try Fixtures.album("2", by: "Bo", types: types),
        ])
        let keys = ["2", "9", "1", "2"].map { EntityKey(type: "album", id: $0) }
        let items = EntityView.items(get: keys, content: content, types: types, locale: nil)
        #expect(items.map(\.name) == ["album/2", "album/9", "album/1"])
        #expect(items.map(\.sortKey) == [[0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 2]])
        #expect(
            try items[1].document() == Fixtures.json(#"{"type":"album","id":"9","unknown":true}"#))
        #expect(
            try items[2].document()
                == Fixtures.json(
                    """
                    {"type":"album","id":"1","route":"sightline://album/1","labels":["vinyl"],
                     "display":{"type":"Album","title":"Album 1","subtitle":"Ana"},
                     "properties":{"name":"Album 1","artistName":"Ana"}}
                    """))
    }

    @Test func listKeepsTheOrderOfTypesAndIds() throws {
        let types = try Fixtures.shippedTypes()
        let content = Fixtures.content([
            try Fixtures.concert("1", by: "Ana", types: types),
            try Fixtures.album("2", by: "Bo", types: types),
            try Fixtures.album("10", by: "Bo", types: types),
        ])
        let items = EntityView.items(list: content.list(limit: 10), types: types, locale: nil)
        #expect(items.map(\.name) == ["album/10", "album/2", "concert/1"])
        #expect(
            items.map(\.sortKey)
                == items.map(\.sortKey).sorted(by: { $0.lexicographicallyPrecedes($1) }))
    }

    @Test func openItemHasTheRoute() throws {
        let (entity, type) = try Self.movie(["title": .string("x")])
        #expect(
            EntityView.openItem(of: entity, type: type)
                == .object([
                    "type": .string("movie"), "id": .string("m 1"),
                    "route": .string("sightline://movie/m%201"),
                ]))
    }

    @Test func referenceHasTitleAndRoute() throws {
        let (entity, type) = try Self.movie(["title": .string("x")], id: "1")
        let reference = EntityView.reference(to: entity, type: type, locale: nil)
        #expect(reference["title"]?.text == "x")
        #expect(reference["route"]?.text == "sightline://movie/1")
    }
}
