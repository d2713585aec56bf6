import Calendar
import TestSupport
import Testing

/// Faults of synchronisation that users of other programs reported; the number is the report's.
struct SyncReportTests {
    private func event(_ uid: String, _ lines: String = "DTSTART:20260601T180000Z") -> [UInt8] {
        Samples.calendar("BEGIN:VEVENT\nUID:\(uid)\n\(lines)\nEND:VEVENT")
    }

    private func held(_ updates: [CalendarUpdate]) -> HeldCalendar {
        var held = HeldCalendar()
        for update in updates { _ = held.apply(update, bytesMax: 10_000) }
        return held
    }

    private func uids(_ held: HeldCalendar) -> [String] { held.resources.keys.sorted() }

    private func occurrences(_ held: HeldCalendar) throws -> [Occurrence] {
        let resources = held.resources.map { CalendarResource(uid: $0.key, text: $0.value.text) }
        return ICalendar.occurrences(
            of: resources, from: try Samples.instant("20260101T000000"),
            to: try Samples.instant("20270101T000000"), zone: "UTC", occurrencesMax: 100
        ).occurrences
    }

    // MARK: Reports

    @Test("S1: a bad item is reported, the others are applied, and the token does not pass it")
    func badItemOfABatch() {
        var held = held([CalendarUpdate(revision: 1, syncToken: "t1", put: [event("z")])])
        let outcome = held.apply(
            CalendarUpdate(
                revision: 2, syncToken: "t2",
                put: [event("a"), Array("BEGIN:VEVENT\nUID:b".utf8), event("c")]),
            bytesMax: 10_000)
        #expect(outcome.put == ["a", "c"])
        #expect(outcome.refused.map(\.place) == [1])
        #expect(outcome.refused.map(\.error.code) == [.unbalanced])
        #expect(uids(held) == ["a", "c", "z"])
        #expect(held.syncToken == "t1")
    }

    @Test("S2: a token without data does not move the one that is held")
    func tokenWithoutData() {
        let held = held([
            CalendarUpdate(revision: 1, syncToken: "t1", put: [event("a")]),
            CalendarUpdate(revision: 2, syncToken: "t2"),
        ])
        #expect(held.syncToken == "t1")
        #expect(held.revision == 2)
    }

    @Test("S3: the first page of two has its own token, and the calendar is not complete")
    func firstPageOfTwo() {
        var held = held([
            CalendarUpdate(
                revision: 1, isReset: true, isComplete: false, syncToken: "page 1",
                put: [event("a")])
        ])
        #expect(held.syncToken == "page 1")
        #expect(!held.isComplete)
        _ = held.apply(
            CalendarUpdate(revision: 2, syncToken: "page 2", put: [event("b")]), bytesMax: 10_000)
        #expect(held.syncToken == "page 2")
        #expect(held.isComplete)
        #expect(uids(held) == ["a", "b"])
    }

    @Test("S4: a change that puts and removes does both")
    func putAndRemove() {
        let held = held([
            CalendarUpdate(revision: 1, put: [event("a"), event("b")]),
            CalendarUpdate(revision: 2, put: [event("c")], removed: ["a"]),
        ])
        #expect(uids(held) == ["b", "c"])
    }

    @Test("S5: what is removed is gone from the list")
    func removedIsGone() throws {
        let held = held([
            CalendarUpdate(revision: 1, put: [event("a")]),
            CalendarUpdate(revision: 2, removed: ["a"]),
        ])
        #expect(try occurrences(held).isEmpty)
    }

    @Test("S6: after a dead token the calendar begins anew")
    func resetDropsWhatWasHeld() {
        let held = held([
            CalendarUpdate(revision: 1, syncToken: "t1", put: [event("a"), event("b")]),
            CalendarUpdate(
                revision: 5, isReset: true, syncToken: "t5", put: [event("b"), event("c")]),
        ])
        #expect(uids(held) == ["b", "c"])
        #expect(held.syncToken == "t5")
    }

    @Test("S7: a UID that was removed and put again stays, whatever is delivered once more")
    func removedAndPutAgain() {
        let removal = CalendarUpdate(revision: 5, removed: ["a"])
        let held = held([
            CalendarUpdate(revision: 4, put: [event("a")]), removal,
            CalendarUpdate(revision: 6, put: [event("a")]), removal,
        ])
        #expect(uids(held) == ["a"])
    }

    @Test("S8: the cancellation of one instance leaves the others")
    func cancellationOfAnInstance() throws {
        let cancellation = Samples.calendar(
            "METHOD:CANCEL\nBEGIN:VEVENT\nUID:a\nSEQUENCE:1\n"
                + "RECURRENCE-ID:20260608T180000Z\nDTSTART:20260608T180000Z\nEND:VEVENT")
        var held = held([
            CalendarUpdate(
                revision: 1,
                put: [event("a", "DTSTART:20260601T180000Z\nRRULE:FREQ=WEEKLY;COUNT=3")]),
            CalendarUpdate(revision: 2, put: [cancellation]),
        ])
        #expect(try occurrences(held).map(\.isCancelled) == [false, true, false])
        let once = held
        _ = held.apply(CalendarUpdate(revision: 2, put: [cancellation]), bytesMax: 10_000)
        #expect(held == once)
        let all = Samples.calendar(
            "METHOD:CANCEL\nBEGIN:VEVENT\nUID:a\nSEQUENCE:2\nDTSTART:20260601T180000Z\nEND:VEVENT")
        _ = held.apply(CalendarUpdate(revision: 3, put: [all]), bytesMax: 10_000)
        #expect(try occurrences(held).allSatisfy(\.isCancelled))
    }

    @Test("S9: occurrences of a series are told apart by their original start")
    func occurrencesOfASeries() throws {
        let held = held([
            CalendarUpdate(
                revision: 1,
                put: [event("a", "DTSTART:20260601T180000Z\nRRULE:FREQ=WEEKLY;COUNT=3")])
        ])
        let found = try occurrences(held)
        #expect(found.map(\.uid) == ["a", "a", "a"])
        #expect(Set(found.map(\.originalStart)).count == 3)
    }

    // MARK: Order

    /// Every order of the same changes ends in the same calendar, as long as each UID's last change
    /// is among them.
    @Test(arguments: 0..<50 as Range<UInt64>)
    func orderAndRepetitionDoNotMatter(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let updates = (1...12).map { revision in
            let uid = "u\(Int.random(in: 0..<4, using: &random))"
            return Bool.random(using: &random)
                ? CalendarUpdate(
                    revision: revision, put: [event(uid, "DTSTART:202606\(revision + 10)T180000Z")])
                : CalendarUpdate(revision: revision, removed: [uid])
        }
        let expected = held(updates)
        let shuffled = (updates + updates.prefix(5)).shuffled(using: &random)
        #expect(held(shuffled) == expected)
    }

    @Test func unknownZoneIsReportedAndTheRestApplied() {
        var held = held([CalendarUpdate(revision: 1, zone: "Europe/Berlin")])
        let outcome = held.apply(
            CalendarUpdate(revision: 2, zone: "Mars/Olympus", put: [event("a")]), bytesMax: 10_000)
        #expect(outcome.refused.map(\.error.code) == [.zoneUnknown])
        #expect(held.zone == "Europe/Berlin")
        #expect(uids(held) == ["a"])
    }

    @Test func changesOfTheCalendarBeforeAResetAreStale() {
        let held = held([
            CalendarUpdate(revision: 9, isReset: true, put: [event("b")]),
            CalendarUpdate(revision: 4, put: [event("a")], removed: ["b"]),
        ])
        #expect(uids(held) == ["b"])
    }

    @Test func oldEventsStayUntilTheNewSetIsComplete() {
        var held = held([
            CalendarUpdate(revision: 1, put: [event("a")]),
            CalendarUpdate(revision: 2, isReset: true, isComplete: false, put: [event("b")]),
        ])
        #expect(uids(held) == ["a", "b"])
        _ = held.apply(CalendarUpdate(revision: 3, put: [event("c")]), bytesMax: 10_000)
        #expect(uids(held) == ["b", "c"])
    }

    @Test func removalsAreBounded() {
        let many = (0..<HeldCalendar.removalsMax + 100).map { "u\($0)" }
        let held = held([
            CalendarUpdate(revision: 1, removed: Array(many.prefix(200))),
            CalendarUpdate(revision: 2, removed: Array(many.dropFirst(200))),
        ])
        #expect(held.removals.count == HeldCalendar.removalsMax)
        #expect(held.removals["u0"] == nil)
        #expect(held.removals[many[many.count - 1]] == 2)
    }
}
