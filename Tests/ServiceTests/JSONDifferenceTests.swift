import Messages
import Service
import Testing

struct JSONDifferenceTests {
    private func lines(_ old: String, _ new: String) throws -> [String] {
        try JSONDifference.lines(
            from: JSONValue(parsing: Array(old.utf8)), to: JSONValue(parsing: Array(new.utf8)))
    }

    @Test func equalDocumentsHaveNone() throws {
        #expect(try lines(#"[{"a":1}]"#, #"[{"a":1}]"#).isEmpty)
    }

    @Test func eachPlaceIsNamed() throws {
        #expect(
            try lines(#"[{"a":1,"b":{"c":"x"}},2]"#, #"[{"a":1,"b":{"c":"y"}}]"#)
                == [#"[0].b.c: "x" → "y""#, "[1]: 2 → nothing"])
    }

    @Test func manyDifferencesAreCut() throws {
        let old = "[" + (0..<50).map(String.init).joined(separator: ",") + "]"
        let new = "[" + (1..<51).map(String.init).joined(separator: ",") + "]"
        let found = try lines(old, new)
        #expect(found.count == Limits.differencesShown + 1)
        #expect(found.last == "… 50 differences in all")
    }
}
