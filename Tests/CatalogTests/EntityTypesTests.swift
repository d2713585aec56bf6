import Catalog
import Messages
import Testing

struct EntityTypesTests {
    private static func type(
        _ name: String, version: Int, title: String = "{n}", relation: String? = nil
    ) throws -> EntityType {
        let relations = relation.map { #","relations":[\#($0)]"# } ?? ""
        return try EntityType(
            parsing: Fixtures.json(
                """
                {"type":"\(name)","version":\(version),
                 "display":{"name":"T","title":"\(title)"},"open":"t:{id}",
                 "properties":{"n":{"kind":"string"}}\(relations)}
                """))
    }

    @Test func lowerVersionIsRefused() throws {
        var types = EntityTypes()
        try types.declare(Self.type("t", version: 2))
        let error = #expect(throws: CatalogError.self) {
            try types.declare(Self.type("t", version: 1))
        }
        #expect(error?.code == .oldVersion)
        #expect(types["t"]?.version == 2)
    }

    @Test func sameVersionMustBeEqual() throws {
        var types = EntityTypes()
        try types.declare(Self.type("t", version: 1))
        try types.declare(Self.type("t", version: 1))
        let error = #expect(throws: CatalogError.self) {
            try types.declare(Self.type("t", version: 1, title: "{id}"))
        }
        #expect(error?.code == .sameVersion)
    }

    @Test func higherVersionReplaces() throws {
        var types = EntityTypes()
        try types.declare(Self.type("t", version: 1))
        try types.declare(Self.type("t", version: 7, title: "{id}"))
        #expect(types["t"]?.version == 7)
        #expect(types.all.count == 1)
    }

    @Test func allAreInTheOrderOfTheirNames() throws {
        var types = EntityTypes()
        for name in ["b", "a.b", "B", "a"] { try types.declare(Self.type(name, version: 1)) }
        #expect(types.all.map(\.name) == ["B", "a", "a.b", "b"])
    }

    @Test func numberOfTypesIsBounded() throws {
        var types = EntityTypes()
        for number in 0..<Limits.typesMax {
            try types.declare(Self.type("t\(number)", version: 1))
        }
        let error = #expect(throws: CatalogError.self) {
            try types.declare(Self.type("other", version: 1))
        }
        #expect(error?.code == .tooManyTypes)
        try types.declare(Self.type("t0", version: 2))
    }

    @Test(arguments: [
        (#"{"name":"r","to":"other","match":{"n":"n"}}"#, "leads to other"),
        (#"{"name":"r","to":"t","match":{"n":"m"}}"#, "compares m of t"),
        (
            #"{"name":"r","to":"t","match":{"n":"n"},"days":{"property":"n","next":1}}"#,
            "does not hold a date"
        ),
        (
            #"{"name":"r","to":"t","match":{"n":"n"},"within":{"property":"n","kilometers":1}}"#,
            "does not hold a geoPoint"
        ),
    ])
    func openRelationIsReported(relation: String, part: String) throws {
        var types = EntityTypes()
        try types.declare(Self.type("t", version: 1, relation: relation))
        let problem = try #require(types.openRelations.first)
        #expect(types.openRelations.count == 1)
        #expect(problem.code == .openRelation)
        #expect(problem.context.contains(part))
        #expect(types.misfitRelations == (part == "leads to other" ? [] : [problem]))
    }
}
