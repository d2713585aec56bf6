import Catalog
import Messages
import Testing

struct UnionLabelTests {
    private static func names(
        _ labels: [String], matches: [EntityKey] = [], limit: Int = 10
    ) throws -> [String] {
        let types = try Fixtures.shippedTypes()
        let content = Fixtures.content([
            try Fixtures.album("b", by: "Bo", types: types, labels: ["Building", "night"]),
            try Fixtures.album("a", by: "Ana", types: types, labels: ["building"]),
            try Fixtures.entity("movie", "m", ["title": .string("x")], types: types),
            try Fixtures.entity(
                "movie", "n", ["title": .string("y")], types: types, labels: ["building"]),
        ])
        let items = Union.items(
            matches: matches.map { UnionMatch(key: $0, distance: 3) },
            request: UnionRequest(asOf: Fixtures.asOf, labels: labels, limit: limit),
            content: content, types: types, calendarHas: { _ in false })
        return try items.map { "\($0.name) \(try $0.document()["kind"]?.text ?? "")" }
    }

    @Test func entitiesThatCarryALabelAreAddedByTypeAndId() throws {
        #expect(
            try Self.names([" BUILDING"]) == ["album/a label", "album/b label", "movie/n label"])
    }

    @Test func entitiesOfATypeThatCarriesALabelAreAdded() throws {
        #expect(
            try Self.names(["movie", "night"])
                == ["album/b label", "movie/m label", "movie/n label"])
    }

    @Test func matchesStandFirstAndOnce() throws {
        let match = EntityKey(type: "movie", id: "n")
        #expect(
            try Self.names(["building"], matches: [match])
                == ["movie/n match", "album/a label", "album/b label"])
    }

    @Test func additionsAreAsManyAsTheLimitSays() throws {
        let match = EntityKey(type: "album", id: "a")
        #expect(
            try Self.names(["building", "movie"], matches: [match], limit: 2)
                == ["album/a match", "album/b label", "movie/m label"])
    }

    @Test func neitherMatchNorLabelIsAnEmptyList() throws {
        #expect(try Self.names([]) == [])
        #expect(try Self.names(["", "unknown"]) == [])
    }
}
