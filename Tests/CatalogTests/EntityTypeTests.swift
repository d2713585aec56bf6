import Catalog
import Foundation
import Messages
import TestSupport
import Testing

struct EntityTypeTests {
    private static let folder = "schemas/examples/type.declare"
    private static let examples: [String] = {
        let names = try? FileManager.default.contentsOfDirectory(
            atPath: PackageRoot.path(folder))
        // A missing folder gives no example, which the first test sees.
        return (names ?? []).sorted()
    }()

    @Test func thereAreExamplesOfBothSorts() {
        #expect(Self.examples.count { $0.hasPrefix("valid-") } >= 4)
        #expect(Self.examples.count { $0.hasPrefix("invalid-") } >= 30)
    }

    @Test(arguments: examples.filter { $0.hasPrefix("valid-") })
    func validExampleSurvivesARoundTrip(name: String) throws {
        let document = try JSONValue(parsing: PackageRoot.bytes("\(Self.folder)/\(name)"))
        let type = try EntityType(parsing: document)
        #expect(try EntityType(parsing: type.json) == type)
        let canonical = type.json.canonical()
        #expect(
            try EntityType(parsing: JSONValue(parsing: canonical)).json.canonical() == canonical)
    }

    @Test(arguments: examples.filter { $0.hasPrefix("invalid-") })
    func invalidExampleIsRefused(name: String) throws {
        let document = try JSONValue(parsing: PackageRoot.bytes("\(Self.folder)/\(name)"))
        let error = #expect(throws: CatalogError.self) { try EntityType(parsing: document) }
        #expect(error?.code == .badType)
    }

    @Test func everyShippedFileIsTested() throws {
        let files = try FileManager.default.contentsOfDirectory(
            atPath: PackageRoot.path("deploy/entities"))
        #expect(files.sorted() == Fixtures.shippedNames.map { $0 + ".json" })
    }

    @Test(arguments: Fixtures.shippedNames)
    func shippedTypeHasTheNameOfItsFileAndAnExampleThatFits(name: String) throws {
        let type = try Fixtures.shippedType(name)
        #expect(type.name == name)
        let body = JSONValue.object([
            "type": .string(name), "id": .string("1"), "properties": type.exampleProperties,
        ])
        let entity = try Entity(parsing: body, type: type)
        #expect(entity.properties.count == type.properties.count)
        try RouteSchemes().check(type)
    }

    @Test func shippedTypesHaveNoOpenRelation() throws {
        #expect(try Fixtures.shippedTypes().openRelations == [])
    }

    @Test func shippedAlbumIsReadWhole() throws {
        let album = try Fixtures.shippedType("album")
        let relation = try #require(album.relations.first)
        #expect(album.calendarNameProperties == ["artistName"])
        #expect(album.dateProperties == ["releaseDate"])
        #expect(album.titleProperty == "name")
        #expect(relation.match == ["artistName": "artistName"])
        #expect(relation.within?.kilometers == 100)
        #expect(relation.days?.next == 90)
        #expect(relation.most == 3)
        #expect(relation.placement == .behind)
    }

    /// What a schema cannot say: what is changed in the album's document, and the error's start.
    @Test(arguments: [
        ("\"{name}\"", "\"{title}\"", "badType: /display/title names \"title\""),
        ("album/{id}", "album/{genres}", "badType: /open names \"genres\""),
        ("album/{id}", "album/{nothing}", "badType: /open names \"nothing\""),
        (
            "{ \"artistName\": \"artistName\" }", "{ \"releaseDate\": \"date\" }",
            "badType: /relations/0/match compares \"releaseDate\""
        ),
        (
            "{ \"artistName\": \"artistName\" }", "{ \"artist\": \"artistName\" }",
            "badType: /relations/0/match compares \"artist\""
        ),
        (
            "\"most\": 3", "\"most\": 0",
            "badType: /relations/0/most must be a whole number from 1 to 100"
        ),
        (
            "\"kind\": \"date\"", "\"kind\": \"datum\"",
            "badType: /properties/releaseDate/kind must be one of string, localizedString, number"
        ),
        (
            "\"version\": 1", "\"versoin\": 1",
            "badType: the document has the unknown member \"versoin\"; allowed are type, version"
        ),
    ])
    func errorNamesThePlaceAndWhatIsAllowed(old: String, new: String, start: String) throws {
        let shipped = String(
            decoding: try PackageRoot.bytes("deploy/entities/album.json"), as: UTF8.self)
        #expect(shipped.contains(old))
        let changed = try Fixtures.json(shipped.replacing(old, with: new, maxReplacements: 1))
        let error = #expect(throws: CatalogError.self) { try EntityType(parsing: changed) }
        #expect(error?.description.hasPrefix(start) == true, "\(error?.description ?? "none")")
    }

    @Test func twoRelationsOfOneNameAreRefused() throws {
        let relation = #"{"name":"r","to":"t","match":{"n":"n"}}"#
        let document = try Fixtures.json(
            """
            {"type":"t","version":1,"display":{"name":"T","title":"{n}"},"open":"t:{id}",
             "properties":{"n":{"kind":"string"}},"relations":[\(relation),\(relation)]}
            """)
        #expect(throws: CatalogError.self) { try EntityType(parsing: document) }
    }

    @Test func titleOfSeveralPropertiesIsNoTitleProperty() throws {
        let types = try Fixtures.types([
            """
            {"type":"t","version":1,"display":{"name":"T","title":"{n} {n}"},"open":"t:{id}",
             "properties":{"n":{"kind":"string"}}}
            """
        ])
        #expect(types["t"]?.titleProperty == nil)
    }
}
