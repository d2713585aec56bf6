import Testing
import TestSupport

/// Real calendars whose number of occurrences several engines agree on.
struct KnownAnswersTests {
    @Test(.needsShared)
    func rowsOnWhichTestsAndEnginesAgreeAreRight() throws {
        try check(try KnownAnswer.expected().filter { $0.status == "agree" }, rightMin: 1)
    }

    @Test(.needsShared)
    func windowsOnWhichEnginesAgreeAreRight() throws {
        try check(try KnownAnswer.agreed(), rightMin: 1)
    }

    @Test(.needsShared)
    func rowsOnWhichEnginesDifferAreMostlyRight() throws {
        try check(try KnownAnswer.expected().filter { $0.status != "agree" }, rightMin: 1)
    }

    private func check(_ answers: [KnownAnswer], rightMin: Int) throws {
        var wrong: [String] = []
        for answer in answers {
            do {
                let count = try answer.count()
                if count != answer.expected { wrong.append("\(answer.summary), is \(count)") }
            } catch {
                wrong.append("\(answer.summary), is refused: \(error)")
            }
        }
        let right = answers.count - wrong.count
        print("\(right) of \(answers.count)"); print(wrong.joined(separator: "\n"))
        #expect(right >= rightMin, "\(right) of \(answers.count): \(wrong.joined(separator: "\n"))")
    }
}
