import Journal
import Matching
import Messages
import Service
import TestSupport
import Testing

/// Prints that are made in the background and put beside those that there are.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct PrintPutTests {
    private let type = JSONValue.object([
        "type": .string("sign"), "version": .integer(1),
        "display": .object(["name": .string("Sign"), "title": .string("{name}")]),
        "open": .string("sightline://sign/{id}"),
        "properties": .object(["name": .object(["kind": .string("string")])]),
    ])
    private let picture = Array("the source copy".utf8)
    private let old = Array("a print of another version".utf8)
    private let new = SyntheticPrint.print(1).encoded()

    private func change(
        _ kind: RecordKind, _ body: JSONValue, _ id: String,
        blobs: [(role: BlobReference.Role, bytes: [UInt8])] = [], _ connection: RouterConnection
    ) async throws -> Position {
        try await connection.change(
            .change(
                kind, body, source: "test", id: id, partitionKey: id, catalog: CatalogName.main,
                blobs: blobs, budgetMilliseconds: 5_000))
    }

    private func put(
        _ name: String, _ id: String, _ connection: RouterConnection
    ) async throws -> Position {
        let entity = EntityPut(
            entity: EntityName(type: "sign", id: "s"), properties: ["name": .string(name)],
            pictures: [
                EntityPut.Picture(
                    picture: ContentHash.of(picture), prints: ["slx": ContentHash.of(old)])
            ])
        return try await change(
            .entityPut, entity.json, id, blobs: [(.picture, picture), (.print, old)], connection)
    }

    private func putPrint(
        of picture: [UInt8], id: String = "s", drop: [String] = [], _ change: String,
        _ connection: RouterConnection
    ) async throws -> Position {
        let body = PrintPut(
            entity: EntityName(type: "sign", id: id),
            pictures: [
                PrintPut.Picture(
                    picture: ContentHash.of(picture),
                    prints: [FeaturePrint.version: ContentHash.of(new)])
            ], drop: drop)
        return try await self.change(
            .printPut, body.json, change, blobs: [(.print, new)], connection)
    }

    private func found(
        at position: Position, _ connection: RouterConnection
    ) async throws -> [String] {
        var message = Message.request(
            ServiceName.imageSearch, SearchRequest(subject: .print(ContentHash.of(new))).json,
            attachments: [new], budgetMilliseconds: 5_000)
        message.fields.set(.printVersion, text: FeaturePrint.version)
        message.fields.leastPosition = position
        return try await connection.request(message).items.compactMap {
            $0["display"]?["title"]?.text
        }
    }

    @Test func aPrintIsAddedToThePictureThatItIsOfAndToNoOther() async throws {
        let server = try EmbeddedServer.temporary(log: Log(threshold: .error))
        defer { server.stop() }
        let connection = server.connection
        _ = try await change(.typeDeclare, type, "type", connection)
        var position = try await put("first", "1", connection)
        #expect(try await found(at: position, connection).isEmpty)
        // Neither another picture nor another entity is there; both are no fault.
        _ = try await putPrint(of: Array("gone".utf8), "2", connection)
        position = try await putPrint(of: picture, id: "gone", "3", connection)
        #expect(try await found(at: position, connection).isEmpty)
        position = try await putPrint(of: picture, "4", connection)
        #expect(try await found(at: position, connection) == ["first"])
        // What was put meanwhile stays, and has to get its prints again.
        position = try await put("second", "5", connection)
        #expect(try await found(at: position, connection).isEmpty)
        position = try await putPrint(of: picture, "6", connection)
        #expect(try await found(at: position, connection) == ["second"])
        let status = try await connection.request(
            .request(ServiceName.status, .object([:]), budgetMilliseconds: 5_000))
        let worker = status.items.first { $0["role"]?.text == "worker" }
        #expect(worker?["putAside"]?.integer == 0)
        #expect(worker?["printVersion"]?.text == FeaturePrint.version)
    }

    @Test func theComparedVersionIsNeverDropped() async throws {
        let server = try EmbeddedServer.temporary(log: Log(threshold: .error))
        defer { server.stop() }
        let connection = server.connection
        _ = try await change(.typeDeclare, type, "type", connection)
        _ = try await put("first", "1", connection)
        _ = try await change(
            .printUse, PrintUse(version: FeaturePrint.version).json, "2", connection)
        _ = try await putPrint(of: picture, "3", connection)
        let body = PrintPut(
            entity: EntityName(type: "sign", id: "s"), pictures: [],
            drop: [FeaturePrint.version, "slx"])
        let position = try await change(.printPut, body.json, "4", connection)
        #expect(try await found(at: position, connection) == ["first"])
    }
}
