import Evaluation
import Messages
import Testing

struct ComparisonTests {
    private static let before = [
        Answers.positive("q1", [["a"]], [("a", 300_000)]),
        Answers.positive("q2", [["a"]], [("a", 1_300_000)]),
        Answers.positive("q3", [["a"]], []),
        Answers.positive("q4", [["a"]], [("a", 700_000)]),
        Answers.stranger(.listed, "s1", 900_000), Answers.stranger(.listed, "s2", nil),
        Answers.positive("gone", [["a"]], []),
    ]
    private static let now = [
        Answers.positive("q1", [["a"]], [("a", 200_000)]),
        Answers.positive("q2", [["a"]], [("a", 900_000)]),
        Answers.positive("q3", [["a"]], [("a", 1_100_000)]),
        Answers.positive("q4", [["a"]], [("b", 10), ("a", 700_000)]),
        Answers.stranger(.listed, "s1", nil), Answers.stranger(.listed, "s2", 999_999),
        Answers.positive("new", [["a"]], []),
    ]

    @Test func queriesThatChangedAreListed() {
        let comparison = RunComparison(of: Self.now, with: Self.before, cut: 1_000_000)
        #expect(comparison.compared == 6)
        #expect(comparison.notCompared == 2)
        #expect(
            comparison.better == [
                "made: q2: a: first, beyond the cut at 1.300 → accepted at 0.900",
                "made: q3: a: missed → first, beyond the cut at 1.100",
                "made: s1: wrong at 0.900 is not accepted falsely any more",
            ])
        #expect(
            comparison.worse == [
                "made: q4: a: accepted at 0.700 → missed at 0.700",
                "made: s2: wrong at 1.000 is accepted falsely now",
            ])
        #expect(comparison.distances == RunComparison.SignTest(better: 2, worse: 0))
        #expect(comparison.meanChange == -250_000)
    }

    @Test func theSignTestIsThatOfACoin() {
        func chance(_ better: Int, _ worse: Int) -> Double {
            RunComparison.SignTest(better: better, worse: worse).chance
        }
        #expect(chance(0, 0) == 1)
        #expect(chance(3, 3) == 1)
        #expect(abs(chance(5, 0) - 2.0 / 32) < 1e-12)
        #expect(abs(chance(1, 7) - 2.0 * 9 / 256) < 1e-12)
        #expect(chance(900, 1_400) < 1e-20)
    }

    @Test func aRunComesBackFromItsFile() throws {
        let file = RunFile(printVersion: "sl7", queries: Self.now)
        let bytes = file.json(measured: .object([:])).canonical()
        let read = try RunFile(JSONValue(parsing: bytes))
        #expect(read.printVersion == "sl7")
        #expect(read.queries.map(\.picture) == Self.now.map(\.picture))
        #expect(read.queries.map(\.targets) == Self.now.map(\.targets))
        #expect(read.queries.map(\.answer.matches) == Self.now.map(\.answer.matches))
        #expect(read.queries.map(\.kind) == Self.now.map(\.kind))
    }

    @Test(arguments: [
        "{}", "{\"printVersion\":\"a\"}", "{\"printVersion\":\"a\",\"queries\":[{}]}",
        "{\"printVersion\":\"a\",\"queries\":[{\"kind\":\"odd\",\"set\":\"\",\"picture\":\"\",\"targets\":[],\"matches\":[]}]}",
    ])
    func anythingElseIsRefused(text: String) throws {
        let document = try JSONValue(parsing: Array(text.utf8))
        #expect(throws: EvaluationError.self) { try RunFile(document) }
    }
}
