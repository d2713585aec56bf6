import Journal
import Matching
import Messages
import Service
import TestSupport
import Testing

/// Reports about other search services (`research/visual.md`, section 4), each as a test of a
/// collection or of a whole server.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct VisualReportTests {
    // MARK: Server

    private struct Bench {
        let connection: RouterConnection

        func declare(_ name: String) async throws {
            let type = JSONValue.object([
                "type": .string(name), "version": .integer(1),
                "display": .object(["name": .string("T"), "title": .string("{name}")]),
                "open": .string("sightline://t/{id}"),
                "properties": .object(["name": .object(["kind": .string("string")])]),
            ])
            try await connection.change(
                .change(
                    .typeDeclare, type, source: "test", id: name, partitionKey: name,
                    budgetMilliseconds: 5_000))
        }

        @discardableResult
        func put(
            _ type: String, _ id: String, prints: [[UInt8]],
            version: String = FeaturePrint.version
        ) async throws -> Position {
            let entity = EntityPut(
                entity: EntityName(type: type, id: id), properties: ["name": .string(id)],
                pictures: prints.map {
                    EntityPut.Picture(picture: nil, prints: [version: ContentHash.of($0)])
                })
            return try await connection.change(
                .change(
                    .entityPut, entity.json, source: "test", id: "\(type)/\(id)",
                    partitionKey: id, catalog: CatalogName.main,
                    blobs: prints.map { (.print, $0) }, budgetMilliseconds: 5_000))
        }

        func remove(_ type: String, _ id: String) async throws -> Position {
            try await connection.change(
                .entityRemove(
                    EntityName(type: type, id: id), catalog: CatalogName.main,
                    budgetMilliseconds: 5_000))
        }

        func search(
            _ print: [UInt8], at position: Position?, limit: UInt32 = 10,
            types: [String]? = nil, maxDistance: Int = Limits.distanceDefault
        ) async throws -> Reply {
            var body = SearchRequest(subject: .print(ContentHash.of(print)))
            body.types = types
            body.maxDistance = maxDistance
            var message = Message.request(
                ServiceName.imageSearch, body.json, attachments: [print],
                budgetMilliseconds: 10_000)
            message.fields.set(.printVersion, text: FeaturePrint.version)
            message.fields.set(.limit, integer: limit)
            message.fields.leastPosition = position
            return try await connection.request(message)
        }

        func ids(
            _ print: [UInt8], at position: Position?, limit: UInt32 = 10,
            types: [String]? = nil, maxDistance: Int = Limits.distanceDefault
        ) async throws -> [String] {
            try await search(
                print, at: position, limit: limit, types: types, maxDistance: maxDistance
            ).items.compactMap { $0["id"]?.text }
        }
    }

    private func withBench(_ body: (Bench) async throws -> Void) async throws {
        let server = try EmbeddedServer.temporary(log: Log(threshold: .error))
        do {
            try await body(Bench(connection: server.connection))
            server.stop()
        } catch {
            server.stop()
            throw error
        }
    }

    @Test("R14: a cut of 0 gives identical prints alone, and no cut is silently another")
    func cutOfZero() async throws {
        try await withBench { bench in
            try await bench.declare("t")
            try await bench.put("t", "same", prints: [SyntheticPrint.print(1).encoded()])
            let position = try await bench.put(
                "t", "alike", prints: [SyntheticPrint.alike(1).encoded()])
            let query = SyntheticPrint.print(1).encoded()
            #expect(try await bench.ids(query, at: position, maxDistance: 0) == ["same"])
            #expect(try await bench.ids(query, at: position) == ["same", "alike"])
            let distance = try #require(
                try await bench.search(query, at: position).items.last?["distance"]?.integer)
            // What is exactly at the cut is within it, each time.
            for _ in 0..<5 {
                #expect(
                    try await bench.ids(query, at: position, maxDistance: distance).count == 2)
                #expect(
                    try await bench.ids(query, at: position, maxDistance: distance - 1).count == 1)
            }
        }
        for bad in [-1, 2_000_001] {
            #expect(throws: JSONError.self) {
                try SearchRequest(parsing: .object(["maxDistance": .integer(bad)]))
            }
        }
        #expect(throws: JSONError.self) {
            try SearchRequest(parsing: .object(["maxDistance": .number(0.5)]))
        }
    }

    @Test("R15, R25: what is no print is put aside and never compared; as a query it is an error")
    func noPrint() async throws {
        try await withBench { bench in
            try await bench.declare("t")
            for (index, bytes) in [[UInt8](repeating: 0, count: 400), [], [1, 2, 3]].enumerated() {
                #expect(throws: MatchingError.self) { try FeaturePrint(decoding: bytes) }
                guard !bytes.isEmpty else { continue }
                try await bench.put("t", "bad-\(index)", prints: [bytes])
                let error = await #expect(throws: RequestFailure.self) {
                    try await bench.search(bytes, at: nil)
                }
                #expect(error?.code == .badRequest || error?.code == .printVersion)
            }
            let position = try await bench.put(
                "t", "good", prints: [SyntheticPrint.print(1).encoded()])
            let query = SyntheticPrint.print(1).encoded()
            #expect(
                try await bench.ids(query, at: position, maxDistance: Limits.distanceMax)
                    == ["good"])
        }
    }

    @Test("R16: what was removed is never returned again, and the others are, all of them")
    func removed() async throws {
        try await withBench { bench in
            try await bench.declare("t")
            var position: Position?
            for number in 0..<12 {
                position = try await bench.put(
                    "t", "e\(number)", prints: [SyntheticPrint.print(number).encoded()])
            }
            for number in 0..<12 {
                let query = SyntheticPrint.print(number).encoded()
                #expect(try await bench.ids(query, at: position) == ["e\(number)"])
                guard number.isMultiple(of: 2) else { continue }
                position = try await bench.remove("t", "e\(number)")
                #expect(try await bench.ids(query, at: position).isEmpty)
            }
            for number in 0..<12 where !number.isMultiple(of: 2) {
                let query = SyntheticPrint.print(number).encoded()
                #expect(try await bench.ids(query, at: position) == ["e\(number)"])
            }
        }
    }

    @Test("R18: equal distances come in the order of their ids, however they were put")
    func ties() async throws {
        var random = SeededRandom(seed: 18)
        let print = SyntheticPrint.print(3).encoded()
        let expected = (10..<20).map { "id-\($0)" }
        for _ in 0..<2 {
            try await withBench { bench in
                try await bench.declare("t")
                var position: Position?
                for number in (10..<30).shuffled(using: &random) {
                    position = try await bench.put("t", "id-\(number)", prints: [print])
                }
                let begin = position
                try await withThrowingTaskGroup(of: [String].self) { group in
                    for _ in 0..<8 { group.addTask { try await bench.ids(print, at: begin) } }
                    for try await ids in group { #expect(ids == expected) }
                }
                #expect(
                    try await bench.ids(print, at: begin, limit: 3) == Array(expected.prefix(3)))
            }
        }
    }

    @Test("R19: an entity with several alike pictures stands once")
    func onceEach() async throws {
        try await withBench { bench in
            try await bench.declare("t")
            let prints = [SyntheticPrint.print(1), SyntheticPrint.alike(1)].map { $0.encoded() }
            let position = try await bench.put("t", "both", prints: prints)
            #expect(try await bench.ids(prints[0], at: position) == ["both"])
        }
    }

    @Test("R23: prints of another version are never compared, stored or asked with")
    func otherVersion() async throws {
        try await withBench { bench in
            try await bench.declare("t")
            let print = SyntheticPrint.print(1).encoded()
            try await bench.put("t", "old", prints: [print], version: "sl1")
            let position = try await bench.put("t", "new", prints: [print])
            #expect(try await bench.ids(print, at: position) == ["new"])
        }
    }

    @Test("R25: what was put is found at its position, and an unreadable picture gives no print")
    func visibleAtOnce() async throws {
        try await withBench { bench in
            try await bench.declare("t")
            for number in 0..<20 {
                let print = SyntheticPrint.print(number).encoded()
                let position = try await bench.put("t", "e\(number)", prints: [print])
                #expect(try await bench.ids(print, at: position) == ["e\(number)"])
            }
            let bytes = Array("no picture at all".utf8)
            let error = await #expect(throws: RequestFailure.self) {
                try await bench.connection.request(
                    .request(
                        ServiceName.printMake,
                        PrintRequest(
                            subject: .picture(ContentHash.of(bytes)), region: nil, source: true,
                            thumbnail: true
                        ).json, attachments: [bytes], budgetMilliseconds: 5_000))
            }
            #expect(error?.code == .badPicture)
        }
    }
}
