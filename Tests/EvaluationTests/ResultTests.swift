import Evaluation
import Messages
import Testing

struct ResultTests {
    @Test func objectsAreFirstAmongTenAndAccepted() {
        let result = Answers.result([
            Answers.positive("q1", [["a"]], [("a", 400_000)]),
            Answers.positive("q2", [["a", "b"]], [("b", 1_000_001), ("a", 1_200_000)]),
            Answers.positive("q3", [["c"]], [("x", 900_000), ("c", 950_000)]),
            Answers.positive("q4", [["d"]], []),
        ])
        #expect(result.findings.map(\.rank) == [1, 1, 2, nil])
        #expect(result.recallAt1 == 0.5)
        #expect(result.recallAt10 == 0.75)
        #expect(result.accepted == 0.25)
        #expect(
            result.remarks == [
                "q2: a rank 1 at 1.000", "q3: c rank 2 at 0.950", "q4: d not found",
            ])
    }

    @Test func severalObjectsOfOneQueryShareTheFirstRanks() {
        let result = Answers.result([
            Answers.positive(
                "shelf", [["a"], ["b"], ["c"]],
                [("b", 1), ("x", 2), ("a", 3), ("c", 4)])
        ])
        #expect(result.findings.map(\.isFirst) == [true, true, false])
        #expect(result.recallAt10 == 1)
    }

    @Test func strangersAreAcceptedUpToTheCut() {
        let result = Answers.result([
            Answers.stranger(.listed, "s1", 1_000_000), Answers.stranger(.listed, "s2", 1_000_001),
            Answers.stranger(.otherSets, "s3", nil), Answers.stranger(.distorted, "s4", 20),
        ])
        #expect(result.strangers(.listed) == (2, 1))
        #expect(result.strangers(.otherSets) == (1, 0))
        #expect(result.strangers(.distorted) == (1, 1))
        #expect(result.json["negatives"]?.integer == 2)
        #expect(result.json["falseAccepts"]?.integer == 1)
        #expect(result.json["distortedStrangers"]?["rate"]?.double == 1)
        #expect(result.remarks.count == 2)
        #expect(result.incomplete == 0)
    }

    @Test func percentilesAreValuesThatStandThere() {
        #expect(EvaluationResult.percentile(0.5, of: [3, 1, 2]) == 2)
        #expect(EvaluationResult.percentile(0.99, of: [3, 1, 2]) == 3)
        #expect(EvaluationResult.percentile(0.5, of: []) == 0)
    }
}

/// Hand-made answers.
enum Answers {
    static func positive(
        _ picture: String, _ targets: [[String]], _ matches: [(String, Int)]
    ) -> EvaluatedQuery {
        query(.positive, picture, targets, matches)
    }

    static func stranger(
        _ kind: EvaluatedQuery.Kind, _ picture: String, _ distance: Int?
    ) -> EvaluatedQuery {
        query(kind, picture, [], distance.map { [("wrong", $0)] } ?? [])
    }

    static func result(_ queries: [EvaluatedQuery]) -> EvaluationResult {
        EvaluationResult(name: "made", queries: queries, notImported: [], cut: 1_000_000)
    }

    private static func query(
        _ kind: EvaluatedQuery.Kind, _ picture: String, _ targets: [[String]],
        _ matches: [(String, Int)]
    ) -> EvaluatedQuery {
        var answer = QueryAnswer()
        answer.isComplete = true
        answer.matches = matches.map { QueryAnswer.Match(id: $0.0, distance: $0.1) }
        return EvaluatedQuery(
            kind: kind, set: "made", picture: picture, targets: targets, answer: answer)
    }
}
