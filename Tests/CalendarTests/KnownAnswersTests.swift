import TestSupport
import Testing

/// Real calendars whose number of occurrences several engines agree on.
struct KnownAnswersTests {
    @Test(.needsShared)
    func rowsOnWhichTestsAndEnginesAgreeAreRight() throws {
        let answers = try KnownAnswer.expected().filter { $0.status == "agree" }
        #expect(answers.count > 400)
        #expect(wrong(answers).isEmpty)
    }

    /// The one window is a coincidence: both engines give a Saturday and a Sunday to a rule that has
    /// Saturdays alone, as the table of libical's own tests says of the same file.
    @Test(.needsShared)
    func windowsOnWhichEnginesAgreeAreRight() throws {
        let answers = try KnownAnswer.agreed()
        #expect(answers.count > 1_000)
        #expect(
            wrong(answers) == [
                "libical-recur/r106.ics 2014-01-10T00:00:00+00:00 2014-04-10T00:00:00+00:00 "
                    + "expects 2, is 1"
            ])
    }

    /// Where engines differ, what is right is a decision: `DECISIONS.md` has the reason of each row
    /// that is not as its source says.
    @Test(.needsShared)
    func rowsOnWhichEnginesDifferStayAsDecided() throws {
        let answers = try KnownAnswer.expected().filter { $0.status != "agree" }
        let others = try answers.compactMap { answer -> String? in
            let count = try answer.count()
            let name = answer.file.split(separator: "/").last ?? ""
            return count == answer.expected
                ? nil : "\(name) \(answer.from.prefix(10)): \(answer.expected), is \(count)"
        }
        #expect(others == Self.decided)
    }

    private static let decided = [
        "issue_61_time_zone_error.ics 2021-12-15: 1, is 0",
        "bad_rrule_missing_until_event.ics 2019-03-01: 0, is 1",
        "031.ics 2011-03-29: 27, is 26",
        "044.ics 2024-10-24: 4, is 3",
        "054.ics 1996-03-29: 88, is 84",
        "058.ics 2015-02-17: 2, is 1",
        "087.ics 2018-03-25: 14, is 1",
        "087.ics 2018-04-29: 13, is 0",
        "088.ics 2021-10-30: 4, is 1",
        "089.ics 2015-06-30: 13, is 14",
        "093.ics 2015-01-19: 1, is 0",
        "096.ics 2011-12-30: 1, is 0",
        "097.ics 2011-12-30: 1, is 0",
        "201.ics 2005-04-09: 6, is 5",
        "207.ics 2005-04-23: 6, is 5",
        "211.ics 1997-06-01: 2, is 1",
        "236.ics 1997-10-13: 1, is 0",
        "236.ics 1998-02-11: 1, is 0",
        "298.ics 2024-03-28: 20, is 18",
    ]

    @Test(.needsShared)
    func allBugReportsAreRight() throws {
        let answers = try KnownAnswer.expected().filter { $0.file.hasPrefix("bugs/") }
        #expect(answers.count == 27)
        #expect(wrong(answers).isEmpty)
    }

    private func wrong(_ answers: [KnownAnswer]) -> [String] {
        answers.compactMap { answer in
            do {
                let count = try answer.count()
                return count == answer.expected ? nil : "\(answer.summary), is \(count)"
            } catch {
                return "\(answer.summary), is refused: \(error)"
            }
        }
    }
}
