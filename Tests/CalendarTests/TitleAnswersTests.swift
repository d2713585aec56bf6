import Calendar
import Testing

/// Both ways of finding names against titles whose answers are known.
struct TitleAnswersTests {
    /// How often an answer was yes, and should have been.
    struct Counts {
        var right = 0
        var wrong = 0
        var missed = 0
        var precision: Double { Double(right) / Double(max(right + wrong, 1)) }
        var recall: Double { Double(right) / Double(max(right + missed, 1)) }

        mutating func take(_ answer: Bool, expected: Bool) {
            if answer && expected { right += 1 }
            if answer && !expected { wrong += 1 }
            if !answer && expected { missed += 1 }
        }
    }

    @Test func containsAnswersTheTable() {
        check("contains", expected: \.isContained) { answer in
            !NameMatcher(names: [answer.name], locale: nil).matches(title: answer.title).isEmpty
        }
    }

    @Test func namesAnswersTheTable() {
        check("names", expected: \.isNamed) { answer in
            !NameIndex(names: [answer.name]).matches(in: answer.title).isEmpty
        }
    }

    /// All names at once: a longer one may hide a shorter one, and nothing else changes.
    @Test func namesBesideEachOtherHideOnlyWhatTheyCover() {
        let answers = TitleAnswer.all
        let index = NameIndex(names: answers.map(\.name))
        for (id, answer) in answers.enumerated() where answer.isNamed {
            let found = index.explained(in: answer.title).filter { $0.id == id }
            let isThere = found.contains { $0.isMatch || $0.rejection == .insideLongerName }
            #expect(isThere, "\(answer.id)")
        }
    }

    private func check(
        _ mode: String, expected: (TitleAnswer) -> Bool, answered: (TitleAnswer) -> Bool
    ) {
        let answers = TitleAnswer.all
        #expect(answers.count > 110)
        var counts = Counts()
        var unlike: [String] = []
        for answer in answers {
            let isFound = answered(answer)
            counts.take(isFound, expected: expected(answer))
            if isFound != expected(answer) { unlike.append(answer.id) }
        }
        print(
            "\(mode): \(answers.count) titles, precision \(counts.precision), recall \(counts.recall)"
        )
        #expect(unlike.isEmpty, "\(mode)")
    }
}
