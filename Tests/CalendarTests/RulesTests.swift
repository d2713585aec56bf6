import Calendar
import Testing

struct RulesTests {
    @Test(arguments: [
        (
            "DTSTART:20260131T180000Z\nRRULE:FREQ=MONTHLY;COUNT=3",
            ["20260131T180000", "20260331T180000", "20260531T180000"]
        ),
        (
            "DTSTART:20260105T180000Z\nRRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=2",
            ["20260130T180000", "20260227T180000"]
        ),
        (
            "DTSTART:20260106T180000Z\nRRULE:FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=TU,SU;COUNT=4",
            ["20260106T180000", "20260118T180000", "20260120T180000", "20260201T180000"]
        ),
        (
            "DTSTART:20260106T180000Z\nRRULE:FREQ=WEEKLY;INTERVAL=2;WKST=MO;BYDAY=TU,SU;COUNT=4",
            ["20260106T180000", "20260111T180000", "20260120T180000", "20260125T180000"]
        ),
        (
            "DTSTART:20260102T090000Z\nRRULE:FREQ=DAILY;BYHOUR=9,21;BYMINUTE=0,30;"
                + "BYSETPOS=1,-1;COUNT=3",
            ["20260102T090000", "20260102T213000", "20260103T090000"]
        ),
        (
            "DTSTART:20260101T220000Z\nRRULE:FREQ=HOURLY;INTERVAL=5;BYHOUR=3,8,22;COUNT=3",
            ["20260101T220000", "20260102T030000", "20260102T080000"]
        ),
        ("DTSTART:20260511T120000Z\nRRULE:FREQ=YEARLY;BYWEEKNO=20", ["20260511T120000"]),
        (
            "DTSTART:20260101T120000Z\nRRULE:FREQ=YEARLY;BYYEARDAY=1,-1",
            ["20260101T120000", "20261231T120000"]
        ),
        (
            "DTSTART:20260213T120000Z\nRRULE:FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
            ["20260213T120000", "20260313T120000", "20261113T120000"]
        ),
        ("DTSTART:20200229T120000Z\nRRULE:FREQ=YEARLY", []),
        ("DTSTART:20250601T120000Z\nRRULE:FREQ=DAILY;INTERVAL=100;COUNT=4", ["20260328T120000"]),
    ])
    func ruleGivesItsInstances(lines: String, expected: [String]) throws {
        #expect(try Samples.starts(lines) == expected)
    }

    @Test(arguments: [
        ("DTSTART;TZID=Europe/Madrid:20260601T110000\nRRULE:FREQ=DAILY;UNTIL=20260603T090000Z", 3),
        ("DTSTART;TZID=Europe/Madrid:20260601T110000\nRRULE:FREQ=DAILY;UNTIL=20260603T085959Z", 2),
        ("DTSTART;TZID=Pacific/Auckland:20260601T090000\nRRULE:FREQ=DAILY;UNTIL=20260603", 3),
        ("DTSTART;VALUE=DATE:20260601\nRRULE:FREQ=DAILY;UNTIL=20260603T235959Z", 3),
        ("DTSTART:20260601T110000\nRRULE:FREQ=DAILY;UNTIL=20260603T110000", 3),
    ])
    func untilIsInclusive(lines: String, count: Int) throws {
        #expect(try Samples.starts(lines).count == count)
    }

    @Test func startThatTheRuleDoesNotHaveIsNoInstance() throws {
        let lines = "DTSTART:20260601T180000Z\nRRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=2"
        #expect(try Samples.starts(lines) == ["20260602T180000", "20260609T180000"])
    }

    @Test func twoRulesAreTakenTogether() throws {
        let lines =
            "DTSTART:20260601T180000Z\nRRULE:FREQ=DAILY;COUNT=2\nRRULE:FREQ=WEEKLY;COUNT=2"
        #expect(
            try Samples.starts(lines) == ["20260601T180000", "20260602T180000", "20260608T180000"])
    }

    /// libical's own iterator takes minutes for the second of these.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31", "FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=31",
            "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;COUNT=3",
            "FREQ=SECONDLY;INTERVAL=2;BYSECOND=1", "FREQ=WEEKLY;BYSETPOS=5;BYDAY=MO",
            "FREQ=HOURLY;INTERVAL=24;BYHOUR=3;COUNT=2",
        ])
    func ruleThatNeverMatchesEnds(rule: String) throws {
        #expect(try Samples.starts("DTSTART:20260102T180000Z\nRRULE:" + rule).isEmpty)
    }

    @Test(.timeLimit(.minutes(1)))
    func ruleThatTakesTooManyStepsIsAFault() throws {
        let text = Samples.event(
            "DTSTART:19700101T000000Z\nRRULE:FREQ=SECONDLY;BYSECOND=1,2;COUNT=200000000")
        let answer = try Samples.expand(text)
        #expect(answer.occurrences.isEmpty)
        #expect(answer.faults.map(\.code) == [.ruleTooLong])
    }

    @Test func countOfAPlainRuleIsReachedWithoutSteps() throws {
        let lines = "DTSTART:20260101T000000Z\nRRULE:FREQ=SECONDLY;INTERVAL=2;COUNT=7884003"
        let starts = try Samples.starts(lines, "20260702T115958", "20270101T000000")
        #expect(
            starts == ["20260702T115958", "20260702T120000", "20260702T120002", "20260702T120004"])
    }

    /// The examples of RFC 7529, section 4.1, and days before a month.
    @Test(arguments: [
        ("20260131", "FREQ=MONTHLY;RSCALE=GREGORIAN;SKIP=OMIT", ["0131", "0331", "0531"]),
        ("20260131", "FREQ=MONTHLY;RSCALE=GREGORIAN;SKIP=BACKWARD", ["0131", "0228", "0331"]),
        ("20260131", "FREQ=MONTHLY;RSCALE=gregorian;SKIP=FORWARD", ["0131", "0301", "0331"]),
        ("20260101", "FREQ=MONTHLY;SKIP=FORWARD;BYMONTHDAY=1,31", ["0101", "0131", "0201"]),
        ("20260130", "FREQ=MONTHLY;SKIP=BACKWARD;BYMONTHDAY=30,31", ["0130", "0131", "0228"]),
        ("20260201", "FREQ=MONTHLY;SKIP=BACKWARD;BYMONTHDAY=-31", ["0301", "0331", "0501"]),
        ("20240229", "FREQ=YEARLY;SKIP=FORWARD", ["0301"]),
        ("20240229", "FREQ=YEARLY;SKIP=BACKWARD", ["0228"]),
        ("20241231", "FREQ=YEARLY;SKIP=FORWARD;BYYEARDAY=366", ["0101"]),
    ])
    func dayThatIsMissingIsSkipped(start: String, rule: String, expected: [String]) throws {
        let starts = try Samples.starts("DTSTART:\(start)T180000Z\nRRULE:\(rule)")
        #expect(starts.prefix(3) == expected.map { "2026\($0)T180000" }[...])
    }

    @Test(arguments: [
        ("FREQ=YEARLY;RSCALE=CHINESE", "RSCALE"), ("FREQ=YEARLY;BYEASTER=1", "BYEASTER"),
        ("FREQ=WEEKLY;UNTL=20260701", "UNTL"), ("COUNT=3", "FREQ"), ("FREQ=DAILY;COUNT=0", "COUNT"),
        ("FREQ=DAILY;INTERVAL=0", "INTERVAL"), ("FREQ=DAILY;BYDAY=", "BYDAY"),
        ("FREQ=MONTHLY;BYMONTHDAY=32", "BYMONTHDAY"), ("FREQ=DAILY;SKIP=SIDEWARD", "SKIP"),
    ])
    func unreadableRuleSaysWhichPart(rule: String, part: String) throws {
        let answer = try Samples.expand(
            Samples.event("DTSTART:20260601T180000Z\nRRULE:" + rule))
        #expect(answer.occurrences.count == 1)
        #expect(answer.faults.map(\.code) == [.ruleInvalid])
        #expect(answer.faults.first?.context.contains(part) == true)
    }

    @Test(arguments: [
        "RRULE:FREQ=SOMETIMES", "RRULE:FREQ=DAILY;UNTIL=20261399",
        "RRULE:FREQ=YEARLY;BYYEARDAY=" + String(repeating: "1,", count: 3_000) + "1",
    ])
    func unreadableRuleIsAFaultAndTheEventStandsOnce(line: String) throws {
        let answer = try Samples.expand(Samples.event("DTSTART:20260601T180000Z\n" + line))
        #expect(answer.occurrences.count == 1)
        #expect(answer.faults.map(\.code) == [.ruleInvalid])
    }
}
