import Catalog
import Messages
import Testing

/// Which routes a type may lead to, and what stands in them.
struct RouteSchemesTests {
    private static func type(open: String) throws -> EntityType {
        try EntityType(
            parsing: Fixtures.json(
                """
                {"type":"t","version":1,"display":{"name":"T","title":"{id}"},"open":"\(open)",
                 "properties":{"n":{"kind":"string","required":true}}}
                """))
    }

    @Test(arguments: [
        ("sightline://album/{id}", true), ("https://example.org/{id}", true),
        ("HTTPS://example.org/{id}", true), ("com.example.app:album/{id}", true),
        ("javascript:alert({id})", false), ("data:text/html,{id}", false),
        ("file:///etc/{id}", false), ("vbscript:{id}", false), ("http://example.org/{id}", false),
        ("tel:{id}", false), ("shop://product/{id}", false),
    ])
    func schemeIsOfTheAllowList(open: String, isAllowed: Bool) throws {
        let type = try Self.type(open: open)
        if isAllowed {
            try RouteSchemes().check(type)
        } else {
            let error = #expect(throws: CatalogError.self) { try RouteSchemes().check(type) }
            #expect(error?.code == .badType)
            let scheme = String(open.prefix { $0 != ":" })
            #expect(
                error?.context.hasPrefix(
                    "/open of t has the scheme \"\(scheme)\"; allowed are https, sightline and")
                    == true)
        }
    }

    @Test func deploymentAllowsMore() throws {
        let type = try Self.type(open: "shop://product/{id}")
        try RouteSchemes(more: ["Shop"]).check(type)
        #expect(!RouteSchemes(more: ["Shop"]).allows("javascript"))
        #expect(RouteSchemes.isScheme("web+shop") && !RouteSchemes.isScheme("1shop"))
        #expect(!RouteSchemes.isScheme("shop:") && !RouteSchemes.isScheme(""))
    }

    @Test(arguments: [
        "https://{n}/{id}", "https://{n}.example.org/{id}", "https://example.org{n}/{id}",
        "http://example.{n}", "https:///{id}",
    ])
    func hostIsNeverAnEntitysValue(open: String) throws {
        let error = #expect(throws: CatalogError.self) { try Self.type(open: open) }
        #expect(error?.context.hasPrefix("/open must name its host itself") == true)
    }

    @Test(arguments: [
        ("a/b?c#d", "https://example.org/p/a%2Fb%3Fc%23d?n=x%26y"),
        ("../..", "https://example.org/p/..%2F..?n=x%26y"),
        ("日本 100%", "https://example.org/p/%E6%97%A5%E6%9C%AC%20100%25?n=x%26y"),
        ("\u{202E}gpj", "https://example.org/p/%E2%80%AEgpj?n=x%26y"),
    ])
    func valuesAreEncodedWhateverTheyHold(id: String, route: String) throws {
        let type = try Self.type(open: "https://example.org/p/{id}?n={n}")
        let entity = try Entity(
            parsing: .object([
                "type": .string("t"), "id": .string(id),
                "properties": .object(["n": .string("x&y")]),
            ]), type: type)
        #expect(EntityView.route(of: entity, type: type) == route)
    }
}
