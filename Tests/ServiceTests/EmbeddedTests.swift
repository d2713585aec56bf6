import Journal
import Messages
import Queue
import Raster
import Service
import TestSupport
import Testing

/// Requests and changes through a server inside the process: real sockets, real files.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct EmbeddedTests {
    private let type = JSONValue.object([
        "type": .string("sign"), "version": .integer(1),
        "display": .object(["name": .string("Sign"), "title": .string("{name}")]),
        "open": .string("sightline://sign/{id}"), "labels": .array([.string("signage")]),
        "properties": .object([
            "name": .object(["kind": .string("string"), "required": .bool(true)])
        ]),
    ])

    private func withServer(_ body: (RouterConnection) async throws -> Void) async throws {
        let server = try EmbeddedServer.temporary(log: Log(threshold: .error))
        do {
            try await body(server.connection)
            server.stop()
        } catch {
            server.stop()
            throw error
        }
    }

    private func declare(_ connection: RouterConnection) async throws {
        try await connection.change(
            .change(
                .typeDeclare, type, source: "test", id: "type", partitionKey: "sign",
                budgetMilliseconds: 5_000))
    }

    private func put(
        _ id: String, changeID: String? = nil, labels: [String] = [],
        _ connection: RouterConnection
    ) async throws -> Position {
        let entity = EntityPut(
            entity: EntityName(type: "sign", id: id),
            properties: ["name": .string("Sign \(id)")], labels: labels)
        return try await connection.change(
            .change(
                .entityPut, entity.json, source: "test", id: changeID ?? id, partitionKey: id,
                catalog: CatalogName.main, budgetMilliseconds: 5_000))
    }

    private func request(
        _ service: String, _ body: JSONValue, at position: Position? = nil,
        attachments: [[UInt8]] = [], budget: UInt32 = 5_000
    ) -> Message {
        var message = Message.request(
            service, body, attachments: attachments, budgetMilliseconds: budget)
        message.fields.leastPosition = position
        return message
    }

    private func failure(
        _ message: Message, _ connection: RouterConnection
    ) async -> (code: ErrorCode, text: String)? {
        guard case .error(let code, let text, _, _) = await connection.send(message) else {
            return nil
        }
        return (code, text)
    }

    @Test("Report 18: eight tasks share one connection, whose socket one thread has")
    func manyTasksShareOneConnection() async throws {
        try await withServer { connection in
            let answered = await withTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        var count = 0
                        for _ in 0..<50 {
                            let message = Message.request(
                                ServiceName.status, .object([:]), budgetMilliseconds: 10_000)
                            if case .final = await connection.send(message) { count += 1 }
                        }
                        return count
                    }
                }
                return await group.reduce(0, +)
            }
            #expect(answered == 400)
        }
    }

    @Test func aRequestThatDemandsAPositionSeesIt() async throws {
        try await withServer { connection in
            try await declare(connection)
            for number in 1...20 {
                let position = try await put("s\(number)", connection)
                let reply = try await connection.request(
                    request(
                        ServiceName.intentOpen, EntityName(type: "sign", id: "s\(number)").json,
                        at: position))
                #expect(reply.items.first?["route"]?.text == "sightline://sign/s\(number)")
                #expect(reply.position == position)
            }
        }
    }

    @Test func aDuplicateChangeGetsTheFirstPosition() async throws {
        try await withServer { connection in
            try await declare(connection)
            let first = try await put("a", changeID: "same", connection)
            let second = try await put("b", changeID: "same", connection)
            #expect(first == second)
            let reply = try await connection.request(
                request(ServiceName.entityList, .object([:]), at: first))
            #expect(reply.items.map { $0["id"]?.text } == ["a"])
        }
    }

    @Test func aRecordThatCannotBeAppliedIsPutAsideAndStopsNothing() async throws {
        try await withServer { connection in
            // The type is not declared yet, so the first entity cannot be applied.
            _ = try await put("early", connection)
            try await declare(connection)
            let position = try await put("later", connection)
            let list = try await connection.request(
                request(ServiceName.entityList, .object([:]), at: position))
            #expect(list.items.map { $0["id"]?.text } == ["later"])
            let status = try await connection.request(request(ServiceName.status, .object([:])))
            let worker = status.items.first { $0["role"]?.text == "worker" }
            #expect(worker?["putAside"]?.integer == 1)
            let reason = worker?["putAsideLast"]?.array?.first?["reason"]?.text ?? ""
            #expect(reason.contains("'sign' is not declared"))
        }
    }

    @Test func neitherPictureNorLabelIsAnEmptyCompleteReply() async throws {
        try await withServer { connection in
            let reply = try await connection.request(request(ServiceName.imageSearch, .object([:])))
            #expect(reply.isComplete)
            #expect(reply.items.isEmpty)
            #expect(reply.message.body == Array("[]".utf8))
        }
    }

    @Test func labelsAddWhatCarriesThem() async throws {
        try await withServer { connection in
            try await declare(connection)
            _ = try await put("a", labels: ["building"], connection)
            let position = try await put("b", connection)
            let own = try await connection.request(
                request(
                    ServiceName.imageSearch,
                    SearchRequest(subject: .none, labels: ["building"]).json,
                    at: position))
            #expect(own.items.map { $0["id"]?.text } == ["a"])
            #expect(own.items.first?["kind"]?.text == "label")
            let types = try await connection.request(
                request(
                    ServiceName.imageSearch,
                    SearchRequest(subject: .none, labels: ["signage"]).json,
                    at: position))
            #expect(types.items.map { $0["id"]?.text } == ["a", "b"])
        }
    }

    @Test func rawPixelsFindTheirPicture() async throws {
        try await withServer { connection in
            var random = SeededRandom(seed: 7)
            let gray = random.bytes(200 * 150)
            let rgba = gray.flatMap { [$0, $0, $0, 255] as [UInt8] }
            func print(_ bytes: [UInt8], _ layout: PixelDescription.Layout) async throws -> String?
            {
                let pixels = try PixelDescription(
                    hash: ContentHash.of(bytes), layout: layout, width: 200, height: 150)
                let made = try await connection.request(
                    request(
                        ServiceName.printMake,
                        PrintRequest(
                            subject: .pixels(pixels), region: nil, source: false, thumbnail: false
                        ).json, attachments: [bytes]))
                return made.items.first?["print"]?.text
            }
            let first = try await print(gray, .gray)
            #expect(first != nil)
            #expect(try await print(rgba, .rgba) == first)
            #expect(try await print(rgba, .bgra) == first)
        }
    }

    @Test func wrongRequestsAreToldWhatIsAllowed() async throws {
        try await withServer { connection in
            let distance = await failure(
                request(ServiceName.imageSearch, .object(["maxDistance": .integer(2_000_001)])),
                connection)
            #expect(distance?.code == .badRequest)
            #expect(distance?.text.contains("2000000") == true)
            let unknown = await failure(request("image.guess", .object([:])), connection)
            #expect(unknown?.code == .unknownService)
            let picture = Array("no picture".utf8)
            let bad = await failure(
                request(
                    ServiceName.imageSearch,
                    SearchRequest(subject: .picture(ContentHash.of(picture))).json,
                    attachments: [picture]), connection)
            #expect(bad?.code == .badPicture)
            let missing = await failure(
                request(
                    ServiceName.imageSearch,
                    SearchRequest(subject: .picture(ContentHash.of(picture))).json), connection)
            #expect(missing?.code == .badRequest)
            let epoch = await failure(
                request(
                    ServiceName.entityList, .object([:]), at: Position(epoch: 1, sequence: 1)),
                connection)
            #expect(epoch?.code == .epochChanged)
        }
    }

    @Test func printsOfAnotherVersionAreNeverCompared() async throws {
        try await withServer { connection in
            let bytes: [UInt8] = [1, 2, 3]
            var message = request(
                ServiceName.imageSearch, SearchRequest(subject: .print(ContentHash.of(bytes))).json,
                attachments: [bytes])
            message.fields.set(.printVersion, text: "zz9")
            #expect(await failure(message, connection)?.code == .printVersion)
        }
    }

    @Test func aPositionThatDoesNotComeIsSaidAtTheDeadline() async throws {
        try await withServer { connection in
            try await declare(connection)
            let position = try await put("a", connection)
            let later = Position(epoch: position.epoch, sequence: position.sequence + 100)
            let begin = ContinuousClock().now
            let outcome = await connection.send(
                request(ServiceName.entityList, .object([:]), at: later, budget: 1_000))
            #expect(ContinuousClock().now - begin < .milliseconds(2_500))
            if case .error(let code, _, _, _) = outcome {
                #expect(code == .positionNotReached)
            } else if case .final(let reply) = outcome {
                #expect(!reply.header.flags.contains(.complete))
            } else {
                Issue.record("neither an error nor an incomplete reply: \(outcome)")
            }
        }
    }

    @Test func keptResultsContinueForTheSameClientAlone() async throws {
        try await withServer { connection in
            try await declare(connection)
            let position = try await put("a", labels: ["x"], connection)
            let reply = try await connection.request(
                request(
                    ServiceName.imageSearch, SearchRequest(subject: .none, labels: ["x"]).json,
                    at: position))
            let token = try #require(reply.message.fields.continueToken)
            #expect(reply.continueRoute?.hasSuffix("\(token)") == true)
            let kept = try await connection.request(
                request(ServiceName.searchContinue, ContinueRequest(token: token).json))
            #expect(kept.message.body == reply.message.body)
            let foreign = ContentHash.of([1])
            let none = await failure(
                request(ServiceName.searchContinue, ContinueRequest(token: foreign).json),
                connection)
            #expect(none?.code == .notKept)
        }
    }
}
