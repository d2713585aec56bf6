import TestSupport
import Testing

/// Real calendars whose number of occurrences several engines agree on.
struct KnownAnswersTests {
    /// All but `046.ics`: two calendars in one file with the same UID, which are one event here.
    @Test(.needsShared)
    func rowsOnWhichTestsAndEnginesAgreeAreRight() throws {
        try check(try KnownAnswer.expected().filter { $0.status == "agree" }, rightMin: 417)
    }

    /// All but `046.ics` again and `r106.ics`, where the table of libical's own tests, which has
    /// one instance in the window, speaks against both engines.
    @Test(.needsShared)
    func windowsOnWhichEnginesAgreeAreRight() throws {
        try check(try KnownAnswer.agreed(), rightMin: 1_095)
    }

    /// Where engines differ, what is right is a decision; this holds ours where they are.
    @Test(.needsShared)
    func rowsOnWhichEnginesDifferStayAsDecided() throws {
        try check(try KnownAnswer.expected().filter { $0.status != "agree" }, rightMin: 62)
    }

    @Test(.needsShared)
    func allBugReportsAreRight() throws {
        let answers = try KnownAnswer.expected().filter { $0.file.hasPrefix("bugs/") }
        #expect(answers.count == 27)
        try check(answers, rightMin: 27)
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
        let list = wrong.joined(separator: "\n")
        #expect(right >= rightMin, "\(right) of \(answers.count) are right; not:\n\(list)")
    }
}
