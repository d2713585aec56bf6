import Messages
import Service
import TestSupport
import Testing

/// The answer to a change lists what of it is not applied, for each kind of store.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct NotAppliedTests {
    private typealias Part = ChangeAcknowledgement.Part

    private func withServer(_ body: (RouterConnection) async throws -> Void) async throws {
        let server = try EmbeddedServer.temporary(log: Log(threshold: .error))
        do {
            for kind in StoreKind.allCases { try await allow(kind.definition, server.connection) }
            try await body(server.connection)
            server.stop()
        } catch {
            server.stop()
            throw error
        }
    }

    private func allow<Definition: StoreDefinition>(
        _: Definition.Type, _ connection: RouterConnection
    ) async throws {
        try await connection.change(
            .change(
                Definition.access, StoreAccess<Definition>(status: .fullAccess).json,
                source: "test", id: Definition.access.rawValue, partitionKey: "ada",
                account: "ada", budgetMilliseconds: 5_000))
    }

    private func store<Definition: StoreDefinition>(
        _ change: StoreChange<Definition>, _ connection: RouterConnection
    ) async throws -> (position: Position, answer: ChangeAcknowledgement) {
        try await connection.store(
            .change(
                Definition.change, change.json, source: "test", id: "\(change.revision)",
                partitionKey: "ada", account: "ada", budgetMilliseconds: 5_000))
    }

    private func items(
        _ service: String, _ connection: RouterConnection, at position: Position
    ) async throws -> [JSONValue] {
        var message = Message.request(
            service, .object(service == ServiceName.contactQuery ? ["all": .bool(true)] : [:]),
            budgetMilliseconds: 5_000)
        message.fields.set(.account, text: "ada")
        message.fields.set(.limit, integer: UInt32(100))
        message.fields.leastPosition = position
        return try await connection.request(message).items
    }

    private func calendar(_ events: String...) -> String {
        "BEGIN:VCALENDAR\n" + events.joined(separator: "\n") + "\nEND:VCALENDAR\n"
    }
    private func event(_ uid: String, _ lines: String...) -> String {
        (["BEGIN:VEVENT", "UID:\(uid)"] + lines + ["END:VEVENT"]).joined(separator: "\n")
    }

    @Test func calendarsSayWhichEventsAndZonesDoNotCount() async throws {
        try await withServer { connection in
            let change = CalendarChange(
                calendar: "home", revision: 5, zone: "Mars/Olympus", syncToken: "t5",
                put: [
                    calendar(
                        event("good", "DTSTART:20260601T180000Z"),
                        event("trip", "DTSTART:20260601T180000Z", "RRULE:FREQ=DAILY;UNTL=1")),
                    "no calendar",
                    calendar(
                        event("far", "DTSTART;TZID=Nowhere:20260601T180000", "DTEND:yesterday"),
                        event("lost", "SUMMARY:without a start")),
                    calendar("BEGIN:VTODO\nUID:todo\nEND:VTODO"),
                    "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:open\n",
                ])
            let (position, answer) = try await store(change, connection)
            let parts = answer.notApplied
            #expect(answer.total == 8)
            #expect(
                parts.map { [$0.place.map { "\($0)" } ?? "", $0.id ?? "", $0.code] } == [
                    ["", "", "zoneUnknown"], ["0", "trip", "ruleInvalid"],
                    ["1", "", "notACalendar"], ["2", "far", "endInvalid"],
                    ["2", "far", "zoneUnknown"], ["2", "lost", "startMissing"],
                    ["3", "", "entryMissing"], ["4", "", "unbalanced"],
                ])
            #expect(parts[0].reason == "zone Mars/Olympus: the one before stays")
            #expect(parts[1].reason == "RRULE: there is no part UNTL")
            // All the rest is held, and what is held does not contradict the answer.
            let held = try await items(ServiceName.accountExport, connection, at: position)
            #expect(held.compactMap { $0["uid"]?.text } == ["far", "good", "lost", "trip"])
            let head = held.first { $0["calendar"]?.text == "home" && $0["uid"] == nil }
            #expect(head?["zone"]?.text == "UTC")
        }
    }

    @Test func theSameChangeAgainGetsTheSameAnswer() async throws {
        try await withServer { connection in
            let change = CalendarChange(calendar: "home", revision: 5, put: ["nothing"])
            let first = try await store(change, connection)
            let second = try await store(change, connection)
            #expect(first.position == second.position)
            #expect(first.answer == second.answer)
            #expect(first.answer.total == 1)
        }
    }

    @Test func whatIsAppliedWholeHasNoBody() async throws {
        try await withServer { connection in
            let change = CalendarChange(
                calendar: "home", revision: 5, put: [calendar(event("a", "DTSTART:20260601"))])
            let whole = try await store(change, connection).answer
            #expect(whole == ChangeAcknowledgement())
            // An older change does nothing, which is no fault.
            let older = CalendarChange(calendar: "home", revision: 4, remove: ["a"])
            let nothing = try await store(older, connection).answer
            #expect(nothing == ChangeAcknowledgement())
        }
    }

    @Test func contactsSayWhichCardsDoNotCount() async throws {
        try await withServer { connection in
            let good = "BEGIN:VCARD\nVERSION:4.0\nUID:one\nFN:One\nEND:VCARD\n"
            let old = "BEGIN:VCARD\nVERSION:2.1\nN:Old;Card\nEND:VCARD\n"
            let change = ContactChange(
                collection: "friends", revision: 5, put: [good + old, "no card", old])
            let (position, answer) = try await store(change, connection)
            #expect(
                answer.notApplied == [
                    Part(
                        place: 0, code: "versionUnsupported",
                        reason: "card 2: version 2.1; 3.0 and 4.0 are read"),
                    Part(place: 1, code: "notACard", reason: "the text has no BEGIN:VCARD"),
                    Part(
                        place: 2, code: "versionUnsupported",
                        reason: "version 2.1; 3.0 and 4.0 are read"),
                ])
            let held = try await items(ServiceName.contactQuery, connection, at: position)
            #expect(held.compactMap { $0["uid"]?.text } == ["one"])
        }
    }

    @Test func healthSaysWhichReadingsDoNotCount() async throws {
        try await withServer { connection in
            let good =
                #"{"id":"a","kind":"heartRate","start":1,"rate":{"value":60,"unit":"count/min"}}"#
            let half =
                #"{"id":"b","kind":"bloodPressure","start":1,"#
                + #""systolic":{"value":120,"unit":"mmHg"}}"#
            let change = HealthChange(collection: "watch", revision: 5, put: [half, good])
            let (position, answer) = try await store(change, connection)
            #expect(
                answer.notApplied == [
                    Part(place: 0, code: "entryInvalid", reason: "diastolic is missing")
                ])
            let held = try await items(ServiceName.healthQuery, connection, at: position)
            #expect(held.compactMap { $0["reading"]?["id"]?.text } == ["a"])
        }
    }
}
