import Calendar
import TestSupport
import Testing

struct ResourcesTests {
    @Test func componentWithAnotherEndIsReadAgainAsItWas() throws {
        let text = Array(
            "BEGIN:VEVENT\nUID:a\nDTSTART:20260601T180000Z\nEND:VCALENDAR\n".utf8)
        let resources = try ICalendar.resources(in: text, bytesMax: 1_000)
        #expect(try CalendarSeries(#require(resources.first)).uid == "a")
        #expect(try Samples.expand(text).occurrences.count == 1)
    }

    private let zone = """
        BEGIN:VTIMEZONE
        TZID:Here
        BEGIN:STANDARD
        DTSTART:19700101T000000
        TZOFFSETFROM:+0500
        TZOFFSETTO:+0500
        END:STANDARD
        END:VTIMEZONE
        """

    private func event(_ uid: String, _ lines: String = "DTSTART:20260601T180000Z") -> String {
        "BEGIN:VEVENT\nUID:\(uid)\n\(lines)\nEND:VEVENT"
    }

    private func resources(_ parts: [String]) throws -> [CalendarResource] {
        try ICalendar.resources(
            in: Samples.calendar(parts.joined(separator: "\n")), bytesMax: 1 << 16)
    }

    @Test func eventsOfOneUIDAreOneResource() throws {
        let found = try resources([event("a"), event("b"), event("a", "RECURRENCE-ID:20260601")])
        #expect(found.map(\.uid) == ["a", "b"])
        let text = String(decoding: found[0].text, as: UTF8.self)
        #expect(text.ranges(of: "BEGIN:VEVENT").count == 2)
        #expect(text.hasPrefix("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n"))
        #expect(text.hasSuffix("END:VEVENT\r\nEND:VCALENDAR\r\n"))
    }

    @Test func resourceHasTheZonesThatItNamesAndNoOthers() throws {
        let found = try resources([
            event("a", "DTSTART;TZID=\"Here\":20260601T180000"), event("b"), zone,
        ])
        #expect(String(decoding: found[0].text, as: UTF8.self).contains("TZID:Here"))
        #expect(!String(decoding: found[1].text, as: UTF8.self).contains("VTIMEZONE"))
    }

    @Test func resourceSplitAgainIsTheSame() throws {
        let found = try resources([
            zone, event("a", "DTSTART;TZID=Here:20260601T180000"), event("b"),
        ])
        for resource in found {
            #expect(try ICalendar.resources(in: resource.text, bytesMax: 1 << 16) == [resource])
        }
    }

    @Test func uidOfAnAlarmIsNotTheEvents() throws {
        let alarm = "BEGIN:VALARM\nUID:alarm\nEND:VALARM\nDTSTART:20260601T180000Z"
        let found = try resources(["BEGIN:VEVENT\n\(alarm)\nUID:a\\,b\nEND:VEVENT"])
        #expect(found.map(\.uid) == ["a,b"])
    }

    @Test func eventWithoutUIDGetsOneFromItsBytes() throws {
        let nameless = "BEGIN:VEVENT\nDTSTART:20260601T180000Z\nEND:VEVENT"
        let other = "BEGIN:VEVENT\nDTSTART:20260602T180000Z\nEND:VEVENT"
        let found = try resources([nameless, other])
        #expect(found.count == 2)
        #expect(found.map(\.uid) == (try resources([nameless, other]).map(\.uid)))
        #expect(found.allSatisfy { $0.uid.hasPrefix("no-uid-") })
    }

    @Test func otherComponentsAreLeftOut() throws {
        #expect(try resources(["BEGIN:VTODO\nUID:t\nEND:VTODO", zone]).isEmpty)
    }

    @Test func zoneThatSaysNothingDoesNotHideAnotherOfItsName() throws {
        let empty = "BEGIN:VTIMEZONE\nTZID:Here\nEND:VTIMEZONE"
        let real = """
            BEGIN:VTIMEZONE\nTZID:Here\nBEGIN:STANDARD\nDTSTART:20000101T000000
            TZOFFSETFROM:+0300\nTZOFFSETTO:+0300\nEND:STANDARD\nEND:VTIMEZONE
            """
        let event = "BEGIN:VEVENT\nUID:a\nDTSTART;TZID=Here:20260601T120000\nEND:VEVENT"
        for order in [[empty, real, empty], [real, empty], [empty, empty, real]] {
            let text = Samples.calendar((order + [event]).joined(separator: "\n"))
            let resources = try ICalendar.resources(in: text, bytesMax: 10_000)
            let found = ICalendar.occurrences(
                of: resources, from: 0, to: 2_000_000_000_000, zone: "UTC", occurrencesMax: 10)
            #expect(found.occurrences.map { Samples.written($0.start) } == ["20260601T090000"])
            #expect(found.faults.isEmpty)
        }
    }

    @Test func bareCarriageReturnsAreLineEnds() throws {
        let text = Array("BEGIN:VCALENDAR\rBEGIN:VEVENT\rUID:a\rEND:VEVENT\rEND:VCALENDAR\r".utf8)
        #expect(try ICalendar.resources(in: text, bytesMax: 1_000).map(\.uid) == ["a"])
    }

    @Test func textForThoseWhoTakeUTF8AloneIsReadAsTheSame() throws {
        // A fold inside a character, and a byte of Windows-1252.
        let text =
            Array("BEGIN:VEVENT\r\nUID:a\r\nDTSTART:20260601T180000Z\r\nSUMMARY:K".utf8)
            + [0xC3, 0x0D, 0x0A, 0x20, 0xB6] + Array("ln ".utf8) + [0x96]
            + Array(" live\r\nEND:VEVENT\r\n".utf8)
        let resource = try #require(try ICalendar.resources(in: text, bytesMax: 1_000).first)
        let valid = CalendarResource(uid: "a", text: Array(resource.unicodeText.utf8))
        for one in [resource, valid] {
            let found = ICalendar.occurrences(
                of: [one], from: 0, to: 2_000_000_000_000, zone: "UTC", occurrencesMax: 10)
            #expect(found.occurrences.map(\.title) == ["Köln – live"])
        }
        let plain = CalendarResource(uid: "b", text: Array("BEGIN:VEVENT\n b\n".utf8))
        #expect(plain.unicodeText == "BEGIN:VEVENT\n b\n")
    }

    @Test func byteOrderMarkAndBareLineFeedsAreTaken() throws {
        let text =
            [0xEF, 0xBB, 0xBF] + [UInt8]("begin:vcalendar\n\(event("a"))\nend:vcalendar".utf8)
        #expect(try ICalendar.resources(in: text, bytesMax: 1_000).map(\.uid) == ["a"])
    }

    @Test(arguments: [
        ("<html>no calendar</html>", CalendarError.Code.notACalendar),
        ("", .notACalendar),
        ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\n", .unbalanced),
        ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nEND:VCALENDAR\n", .unbalanced),
        (String(repeating: "BEGIN:VEVENT\n", count: 100), .tooLarge),
        (String(repeating: "X", count: 2_001), .tooLarge),
    ])
    func badTextIsRefused(text: String, code: CalendarError.Code) throws {
        #expect {
            try ICalendar.resources(in: [UInt8](text.utf8), bytesMax: 2_000)
        } throws: {
            ($0 as? CalendarError)?.code == code
        }
    }

    @Test func zonesRepeatedInTooManyResourcesAreRefused() throws {
        let large = zone.replacing(
            "TZID:Here", with: "TZID:Here\nX-NOTE:" + String(repeating: "x", count: 8_000))
        let events = (0..<100).map { event("\($0)", "DTSTART;TZID=Here:20260601T180000") }
        let text = Samples.calendar(([large] + events).joined(separator: "\n"))
        #expect {
            try ICalendar.resources(in: text, bytesMax: text.count)
        } throws: {
            ($0 as? CalendarError)?.code == .tooLarge
        }
        #expect(try ICalendar.resources(in: text, bytesMax: 1 << 20).count == 100)
    }

    @Test func faultOfOneResourceLeavesTheOthers() throws {
        let bad = CalendarResource(
            uid: "bad", text: [UInt8](String(repeating: "BEGIN:VEVENT\n", count: 20).utf8))
        let good = try resources([event("a"), event("b", "DTSTART:whenever"), event("c")])
        let answer = ICalendar.occurrences(
            of: [bad] + good, from: 0, to: .max, zone: "UTC", occurrencesMax: .max)
        #expect(answer.occurrences.map(\.uid) == ["a", "c"])
        #expect(answer.faults.map(\.uid) == ["bad", "b"])
        #expect(answer.faults.map(\.code) == [.resourceUnreadable, .startMissing])
    }

    /// Any bytes get an answer or an error, the same one twice.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func damagedTextIsAnsweredOrRefused(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let rules = "RRULE:FREQ=YEARLY;BYMONTH=1,6;BYDAY=-1SU,2MO;BYSETPOS=1;UNTIL=20280101T000000Z"
        let lines =
            "DTSTART;TZID=Here:20260601T180000\nDURATION:P1DT2H\n\(rules)\n"
            + "EXDATE;TZID=Here:20260701T180000,20260801T180000\n"
            + "RDATE;VALUE=PERIOD:20260601T180000Z/PT1H\nSUMMARY:a\\, b"
        let original = Samples.calendar(
            [zone, event("a", lines), event("a", "RECURRENCE-ID:20260601T130000Z")]
                .joined(separator: "\n"))
        let letters = [UInt8](":;=,\"\r\n \\0129-TZWMDBEGINND".utf8) + [0, 0x80, 0xFF]
        for _ in 0..<50 {
            var text = original
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let place = Int.random(in: 0..<text.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: text[place] = letters.randomElement(using: &random) ?? 0
                case 1: text.remove(at: place)
                default: text.insert(letters.randomElement(using: &random) ?? 0, at: place)
                }
            }
            guard let first = try? Samples.expand(text) else { continue }
            let second = try Samples.expand(text)
            #expect(first.occurrences == second.occurrences)
            #expect(first.faults == second.faults)
            #expect(first.occurrences.allSatisfy { $0.start <= $0.end })
        }
    }
}
