import Foundation
import Locking
import Messages
import Service
import Sightline
import TestSupport
import Testing

/// The client library against a server inside the process: real sockets, real files.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ClientTests {
    private struct Sign: Decodable, Sendable { let name: String }
    private struct Entity: Decodable, Sendable { let id: String }

    private func withClient(
        _ body: (SightlineClient, RouterConnection) async throws -> Void
    ) async throws {
        let server = try EmbeddedServer.temporary(log: Log(threshold: .error))
        do {
            try await fill(server.connection)
            try await body(SightlineClient(server.connection), server.connection)
            server.stop()
        } catch {
            server.stop()
            throw error
        }
    }

    /// A type and two entities of it, with a label.
    private func fill(_ connection: RouterConnection) async throws {
        let type = JSONValue.object([
            "type": .string("sign"), "version": .integer(1),
            "display": .object(["name": .string("Sign"), "title": .string("{name}")]),
            "open": .string("sightline://sign/{id}"), "labels": .array([.string("signage")]),
            "properties": .object([
                "name": .object([
                    "kind": .string("string"), "required": .bool(true),
                    "calendarName": .bool(true),
                ])
            ]),
        ])
        try await connection.change(
            .change(
                .typeDeclare, type, source: "test", id: "type", partitionKey: "sign",
                budgetMilliseconds: 5_000))
        for id in ["one", "two"] {
            let entity = EntityPut(
                entity: EntityName(type: "sign", id: id),
                properties: ["name": .string("Sign number \(id)")])
            let position = try await connection.change(
                .change(
                    .entityPut, entity.json, source: "test", id: id, partitionKey: id,
                    catalog: CatalogName.main, budgetMilliseconds: 5_000))
            var request = try ServiceRequest<Entity>("entity.list", body: [String: String]())
            request.leastPosition = JournalPosition(position)
            request.budget = .seconds(5)
            _ = try await SightlineClient(connection).send(request)
        }
    }

    /// What a body throws.
    private func failure(
        _ body: () async throws -> Void
    ) async -> SightlineError? {
        do {
            try await body()
            return nil
        } catch let error as SightlineError {
            return error
        } catch {
            Issue.record("\(error)")
            return nil
        }
    }

    @Test func resultsComeInTheCallersTypes() async throws {
        try await withClient { client, _ in
            let results = try await client.search(
                PictureSearch(labels: ["signage"]), as: Sign.self)
            #expect(results.isComplete)
            #expect(results.items.map(\.id) == ["one", "two"])
            let first = try #require(results.items.first)
            #expect(first.kind == .label)
            #expect(first.properties.name == "Sign number one")
            #expect(first.display.title == "Sign number one")
            #expect(first.route == "sightline://sign/one")
            #expect(first.distance == nil)
            #expect(try await albumIDs(client).isEmpty)
        }
    }

    @Test func aPropertyOfAnotherShapeIsSaid() async throws {
        struct Wrong: Decodable, Sendable { let name: Int }
        try await withClient { client, _ in
            let error = await failure {
                _ = try await client.search(PictureSearch(labels: ["signage"]), as: Wrong.self)
            }
            #expect(error?.code == .unreadable)
            #expect(error?.text.contains("name") == true)
        }
    }

    @Test func refusalsHaveTheirCodes() async throws {
        try await withClient { client, _ in
            let unknown = await failure {
                _ = try await client.send(
                    try ServiceRequest<Entity>("no.such", body: [String: String]()))
            }
            #expect(unknown?.code == .unknownService)
            let bad = await failure {
                _ = try await client.send(
                    try ServiceRequest<Entity>("entity.list", body: ["what": "is this"]))
            }
            #expect(bad?.code == .badRequest)
            let picture = await failure { _ = try await client.search(Data([1, 2, 3])) }
            #expect(picture?.code == .badPicture)
            #expect(picture?.isRetryable == false)
        }
        let nobody = await failure {
            _ = try await SightlineClient.connect(to: "127.0.0.1:1")
        }
        #expect(nobody?.code == .noServer)
        let address = await failure { _ = try await SightlineClient.connect(to: "a:b:c") }
        #expect(address?.code == .badRequest)
    }

    @Test func aDeadlineIsThatOfTheTaskAndOfItsChildren() async throws {
        try await withClient { client, _ in
            // A position that will not be there: the answer comes at the end of the budget.
            var request = try ServiceRequest<Entity>("entity.list", body: [String: String]())
            let known = try #require(try await client.send(request).position)
            request.leastPosition = JournalPosition(
                Position(epoch: known.position.epoch, sequence: known.position.sequence + 99))
            let clock = ContinuousClock()
            let start = clock.now
            let error = await failure { [request] in
                try await Deadline.within(.milliseconds(300)) {
                    // Neither a later deadline inside nor a child task adds to it.
                    try await Deadline.within(.seconds(20)) {
                        async let child = client.send(request)
                        _ = try await child
                    }
                }
            }
            #expect(error?.code == .positionNotReached)
            #expect(clock.now - start < .seconds(5))
            let over = await failure { [request] in
                try await Deadline.within(.zero) { _ = try await client.send(request) }
            }
            #expect(over?.code == .deadlineExceeded)
        }
    }

    @Test func aCancelledTaskCancelsItsRequest() async throws {
        try await withClient { client, connection in
            var request = try ServiceRequest<Entity>("entity.list", body: [String: String]())
            let known = try #require(try await client.send(request).position)
            request.leastPosition = JournalPosition(
                Position(epoch: known.position.epoch, sequence: known.position.sequence + 99))
            request.budget = .seconds(60)
            let task = Task { [request] in try await client.send(request) }
            try await Task.sleep(for: .milliseconds(100))
            task.cancel()
            let error = await failure { _ = try await task.value }
            #expect(error?.code == .cancelled)
            // The server has heard of it too.
            var cancelled = 0
            for _ in 0..<100 where cancelled == 0 {
                let status = try await connection.request(
                    .request(ServiceName.status, .object([:]), budgetMilliseconds: 2_000))
                let router = status.items.first { $0["role"]?.text == "router" }
                let service = router?["services"]?.array?.first {
                    $0["service"]?.text == "entity.list"
                }
                cancelled = service?["outcomes"]?["cancelled"]?.integer ?? 0
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(cancelled == 1)
            // One that is cancelled before it is sent ends as well.
            let early = Task { [request] in try await client.send(request) }
            early.cancel()
            #expect(await failure { _ = try await early.value }?.code == .cancelled)
        }
    }

    @Test func aDetachedRequestIsFetchedByItsID() async throws {
        try await withClient { client, _ in
            let request = try PictureSearch(labels: ["signage"]).request(as: Sign.self)
            let job = try await client.submit(request, key: "signs")
            let again = try await client.submit(request, key: "signs")
            #expect(job.id == again.id)
            let results = try await Deadline.within(.seconds(20)) { try await job.result() }
            #expect(results.items.map(\.properties.name) == ["Sign number one", "Sign number two"])
            let elsewhere = client.job(job.id, as: SearchResult<Sign>.self)
            #expect(try await elsewhere.resultNow().items.count == 2)
            let other = await failure {
                _ = try await client.submit(
                    try PictureSearch(labels: ["other"]).request(as: Sign.self), key: "signs")
            }
            #expect(other?.code == .badRequest)
            try await job.drop()
            #expect(await failure { _ = try await job.resultNow() }?.code == .notFound)
            let no = client.job("42", as: Sign.self)
            #expect(await failure { _ = try await no.resultNow() }?.code == .badRequest)
        }
    }

    @Test func calendarsArePublishedAndFollowed() async throws {
        try await withClient { client, _ in
            let early = await failure {
                _ = try await client.upcoming(UpcomingQuery(account: "ada"))
            }
            #expect(early?.code == .accessRequired)
            try await client.stateAccess(of: "ada", .fullAccess)
            let titles = Locked<[[String]]>([])
            let following = Task {
                for try await list in client.followUpcoming(UpcomingQuery(account: "ada")) {
                    guard case .events(let events, _) = list else { continue }
                    titles.withLock { $0.append(events.map(\.title)) }
                }
            }
            let start = Date(timeIntervalSinceNow: 5 * 86_400)
            var update = CalendarUpdate(account: "ada", calendar: "home", revision: 1)
            update.put = [Self.event("Sign number one, unveiled", start)]
            try await client.publish(update)
            for _ in 0..<200 where titles.withLock({ $0.last })?.isEmpty ?? true {
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(titles.withLock { $0.last } == ["Sign number one, unveiled"])
            following.cancel()
            let list = try await client.upcoming(UpcomingQuery(account: "ada"))
            let event = try #require(list.items.first)
            #expect(abs(event.start.timeIntervalSince(start)) < 1)
            #expect(event.matches.first?.entities.map(\.id) == ["one"])
        }
    }

    private static func event(_ title: String, _ start: Date) -> String {
        let stamp =
            start.formatted(
                Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day()
                    .dateSeparator(.omitted).time(includingFractionalSeconds: false)
                    .timeSeparator(.omitted)) + "Z"
        return [
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN", "BEGIN:VEVENT", "UID:one",
            "DTSTAMP:20261101T000000Z", "DTSTART:\(stamp)", "SUMMARY:\(title)", "END:VEVENT",
            "END:VCALENDAR", "",
        ].joined(separator: "\r\n")
    }
}
