import Foundation
import Messages
import Service
import TestSupport
import Testing

/// What may differ in a replay, and how its result is written.
struct ReplayRulesTests {
    private func rules(_ text: String) throws -> ComparisonRules {
        try ComparisonRules(JSONValue(parsing: Array(text.utf8)))
    }

    private func difference(
        _ path: String, _ old: JSONValue? = .integer(1), _ new: JSONValue? = .integer(2)
    ) -> JSONDifference {
        JSONDifference(path: path, old: old, new: new)
    }

    @Test(arguments: [
        ("[0].a", "[0].a", true), ("[12].a.b", "[*].a.b", true), ("[12].a.b", "*", true),
        ("[12].a.b", "*.b", true), ("[12].a.b", "[*].b", false), ("", "", true),
        ("", "**", true), ("a", "", false), ("aab", "a*ab", true), ("ab", "a*ab", false),
        ("[0].ä", "[0].ä", true),
    ])
    func aStarStandsForAnyCharacters(path: String, pattern: String, matches: Bool) {
        #expect(ComparisonRules.matches(path, pattern) == matches)
    }

    @Test func rulesAreForTheirServiceAndTolerance() throws {
        let rules = try rules(
            #"[{"path":"[*].x","ignore":true},{"service":"s","path":"[*].d","tolerance":5}]"#)
        #expect(rules.allows(difference("[3].x"), service: "other"))
        #expect(!rules.allows(difference("[3].y"), service: "other"))
        #expect(rules.allows(difference("[3].d", .integer(10), .integer(5)), service: "s"))
        #expect(!rules.allows(difference("[3].d", .integer(10), .integer(4)), service: "s"))
        #expect(!rules.allows(difference("[3].d", .integer(10), .integer(9)), service: "t"))
        #expect(!rules.allows(difference("[3].d", .integer(10), nil), service: "s"))
        #expect(!ComparisonRules.none.allows(difference("[3].x"), service: "s"))
    }

    @Test(arguments: [
        "{}", "[1]", #"[{"path":"a"}]"#, #"[{"ignore":true}]"#,
        #"[{"path":"a","ignore":true,"tolerance":1}]"#, #"[{"path":"a","tolerance":-1}]"#,
        #"[{"path":"a","ignore":true,"servce":"s"}]"#,
        #"[{"path":"a","ignore":true,"service":1}]"#,
    ])
    func wrongRulesAreRefused(text: String) throws {
        #expect(throws: ConfigurationError.self) { _ = try rules(text) }
    }

    @Test func reportIsWellFormedWhateverTheTexts() throws {
        try withTemporaryDirectory { folder in
            let path = "\(folder)/report.xml"
            let report = try JUnitReport(path: path)
            let outcomes: [ReplayOutcome] = [
                .same, .different(["[0].t: \"<&>'\u{1}\" → nothing"]), .failed("a \"b\" ]]>"),
                .notCompared("<x>"), .erased,
            ]
            for (index, outcome) in outcomes.enumerated() {
                let exchange = ReplayedExchange(
                    number: UInt64(index + 1), service: "a&b", outcome: outcome)
                try report.add(exchange)
            }
            try report.finish(seconds: 0, faults: ["<damaged>"])
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(
                text.contains(#"tests="6" failures="1" errors="2" skipped="2" time="0.000""#))
            #expect(text.contains("&lt;&amp;&gt;&apos;\u{FFFD}&quot; → nothing</failure>"))
            #expect(text.contains(##"<testcase classname="a&amp;b" name="#1 a&amp;b""##))
            #expect(text.components(separatedBy: "<testcase ").count == 7)
            #expect(text.contains(#"<error message="&lt;damaged&gt;"/></testcase>"#))
            #expect(!text.contains("\u{1}"))
            #expect(text.hasSuffix("</testsuite>\n"))
        }
    }

    @Test func streamIsInTheOrderOfTheRecording() throws {
        try withTemporaryDirectory { folder in
            let path = "\(folder)/stream"
            let stream = try CanonicalStream(path: path)
            for number: UInt64 in [3, 1, 12, 2] {
                let reply = Message(
                    Header(.final, flags: .complete), body: Array("[\(number)]".utf8))
                try stream.add(
                    ReplayedExchange(number: number, service: "s", outcome: .same, reply: reply))
            }
            try stream.add(
                ReplayedExchange(
                    number: 5, service: "s", outcome: .same,
                    reply: .error(.notFound, "who is that?")))
            try stream.add(ReplayedExchange(number: 4, service: "s", outcome: .erased))
            try stream.finish()
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(
                text
                    == "1\tcomplete\t[1]\n2\tcomplete\t[2]\n3\tcomplete\t[3]\n5\tNOT_FOUND\t\n12\tcomplete\t[12]\n"
            )
        }
    }
}
