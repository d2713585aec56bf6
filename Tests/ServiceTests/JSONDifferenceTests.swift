import Messages
import Service
import Testing

struct JSONDifferenceTests {
    private func all(_ old: String, _ new: String) throws -> [JSONDifference] {
        try JSONDifference.all(
            from: JSONValue(parsing: Array(old.utf8)), to: JSONValue(parsing: Array(new.utf8)))
    }

    @Test func equalDocumentsHaveNone() throws {
        #expect(try all(#"[{"a":1}]"#, #"[{"a":1}]"#).isEmpty)
    }

    @Test func eachPlaceIsNamed() throws {
        let found = try all(#"[{"a":1,"b":{"c":"x"}},2]"#, #"[{"a":1,"b":{"c":"y"}}]"#)
        #expect(JSONDifference.lines(found) == [#"[0].b.c: "x" → "y""#, "[1]: 2 → nothing"])
    }

    @Test func aFieldIsTheSameInEveryElement() throws {
        let found = try all(#"[{"a":[1,2]},{"a":[1,2]}]"#, #"[{"a":[1,3]},{"a":[0,2]}]"#)
        #expect(found.map(\.path) == ["[0].a[1]", "[1].a[0]"])
        #expect(Set(found.map(\.field)) == ["[*].a[*]"])
    }

    @Test func manyDifferencesAreCut() throws {
        let old = "[" + (0..<50).map(String.init).joined(separator: ",") + "]"
        let new = "[" + (1..<51).map(String.init).joined(separator: ",") + "]"
        let found = JSONDifference.lines(try all(old, new))
        #expect(found.count == Limits.differencesShown + 1)
        #expect(found.last == "… 50 differences in all")
    }
}
