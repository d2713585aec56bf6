import Catalog
import Messages
import Testing

struct EntityTests {
    private static let hash = String(repeating: "0a", count: 32)

    @Test func bodySurvivesARoundTrip() throws {
        let types = try Fixtures.shippedTypes()
        let body = try Fixtures.json(
            """
            {"type":"concert","id":"ü/1","labels":["music","stage"],
             "pictures":[{"picture":"\(Self.hash)","thumbnail":"\(Self.hash)",
                          "prints":{"local-1":"\(Self.hash)","local-2":"\(Self.hash)"}}],
             "properties":{"name":{"en":"Night","de":"Nacht"},"artistName":"Ana",
                           "date":"2026-12-05T20:00:00+01:00[Europe/Berlin]","venue":"Hall",
                           "city":"Berlin","location":{"latitude":52.5,"longitude":13.4}}}
            """)
        let entity = try Entity(parsing: body, type: #require(types["concert"]))
        #expect(entity.json == body)
        #expect(entity.key == EntityKey(type: "concert", id: "ü/1"))
        #expect(entity.thumbnail == ContentHash(hex: Self.hash))
        #expect(entity.pictures.first?.prints.keys.sorted() == ["local-1", "local-2"])
    }

    /// A body of an album, and the start of the error.
    @Test(arguments: [
        (#"[]"#, "the document must be an object"),
        (#"{"id":"1","properties":{}}"#, "the document lacks the member \"type\""),
        (#"{"type":"movie","id":"1","properties":{}}"#, "/type must be album"),
        (#"{"type":"album","id":"","properties":{}}"#, "/id must not be blank"),
        (#"{"type":"album","id":7,"properties":{}}"#, "/id must be a text"),
        (#"{"type":"album","id":"a\u0000b","properties":{}}"#, "/id must not contain control"),
        (#"{"type":"album","id":"1"}"#, "the document lacks the member \"properties\""),
        (
            #"{"type":"album","id":"1","properties":{"name":"x"}}"#,
            "/properties lacks the required property \"artistName\""
        ),
        (
            #"{"type":"album","id":"1","properties":{"name":"x","artistName":"y","year":1}}"#,
            "/properties has the unknown member \"year\"; allowed are artistName, genres, name"
        ),
        (
            #"{"type":"album","id":"1","properties":{"name":["x"],"artistName":"y"}}"#,
            "/properties/name must be a text"
        ),
        (
            #"{"type":"album","id":"1","properties":{"name":"x","artistName":" "}}"#,
            "/properties/artistName must not be blank"
        ),
        (
            #"{"type":"album","id":"1","properties":{"name":"x","artistName":"y""#
                + #","genres":["a",1]}}"#,
            "/properties/genres/1 must be a text"
        ),
        (
            #"{"type":"album","id":"1","properties":{"name":"x","artistName":"y""#
                + #","releaseDate":"May"}}"#,
            "/properties/releaseDate must be a day (2026-12-05)"
        ),
        (
            #"{"type":"album","id":"1","properties":{"name":"x","artistName":"y""#
                + #"},"pictures":[{}]}"#,
            "/pictures/0 must have a picture, prints or a thumbnail"
        ),
        (
            #"{"type":"album","id":"1","properties":{"name":"x","artistName":"y""#
                + #"},"pictures":[{"picture":"0A"}]}"#,
            "/pictures/0/picture must be a SHA-256"
        ),
        (
            #"{"type":"album","id":"1","properties":{"name":"x","artistName":"y""#
                + #"},"label":[]}"#,
            "the document has the unknown member \"label\""
        ),
    ])
    func errorNamesThePlaceAndWhatIsAllowed(body: String, start: String) throws {
        let album = try Fixtures.shippedType("album")
        let document = try Fixtures.json(body)
        let error = #expect(throws: CatalogError.self) {
            try Entity(parsing: document, type: album)
        }
        #expect(error?.code == .badEntity)
        #expect(error?.context.hasPrefix(start) == true, "\(error?.context ?? "none")")
    }

    @Test func numbersAndPlacesAreChecked() throws {
        let types = try Fixtures.shippedTypes()
        #expect(throws: CatalogError.self) {
            try Fixtures.entity(
                "movie", "1", ["title": .string("x"), "year": .string("1999")], types: types)
        }
        #expect(throws: CatalogError.self) {
            try Fixtures.entity(
                "concert", "1",
                [
                    "name": .string("x"), "artistName": .string("y"), "date": .string("2026-12-05"),
                    "location": .object(["latitude": .number(91), "longitude": .number(0)]),
                ], types: types)
        }
    }

    @Test(arguments: [(Limits.propertyBytesMax, true), (Limits.propertyBytesMax + 1, false)])
    func bytesOfATextAreBounded(count: Int, isAllowed: Bool) throws {
        let types = try Fixtures.shippedTypes()
        let properties = ["title": JSONValue.string(String(repeating: "x", count: count))]
        // Refused is what is asked here.
        let entity = try? Fixtures.entity("movie", "1", properties, types: types)
        #expect((entity != nil) == isAllowed)
    }

    @Test func picturesAreBounded() throws {
        let types = try Fixtures.shippedTypes()
        let picture = JSONValue.object(["picture": .string(Self.hash)])
        let error = #expect(throws: CatalogError.self) {
            try Fixtures.entity(
                "movie", "1", ["title": .string("x")], types: types,
                pictures: Array(repeating: picture, count: Limits.picturesPerEntityMax + 1))
        }
        #expect(error?.context == "/pictures has 9 elements; at most 8 are allowed")
    }

    @Test func keysThatDifferInBytesOnlyAreTwo() {
        let composed = EntityKey(type: "album", id: "\u{E9}")
        let decomposed = EntityKey(type: "album", id: "e\u{301}")
        #expect(composed.id == decomposed.id)
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
        #expect(decomposed < composed)
    }
}
