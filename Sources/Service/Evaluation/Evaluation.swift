import Foundation
import Journal
import Messages
import Sodium

/// Measures how well a set's queries find their pictures, through a running server.
///
/// The set is imported through the journal under a catalog name of its own, waited for, searched,
/// and removed again.
public struct Evaluation: Sendable {
    private let connection: RouterConnection
    private let type: EntityTypeDocument
    private let root: String
    private let budgetMilliseconds: UInt32
    private let inFlight: Int

    /// Searches with a deadline, a few at a time; pictures are found below `root`.
    public init(
        connection: RouterConnection, type: EntityTypeDocument, root: String,
        budgetMilliseconds: UInt32, inFlight: Int
    ) {
        self.connection = connection
        self.type = type
        self.root = root
        self.budgetMilliseconds = budgetMilliseconds
        self.inFlight = inFlight
    }

    /// Runs one set; `progress` hears what is under way and how far it is.
    ///
    /// - Throws: `RequestFailure`, or `ConfigurationError` for a picture that cannot be read.
    public func run(
        _ set: EvaluationSet, progress: @escaping @Sendable (String, Int, Int) -> Void
    ) async throws -> EvaluationResult {
        let catalog = "evaluate-\(set.name)-\(Hex.encode(SecureRandom.bytes(4)))"
        let rows = set.catalog.map { path in
            ImportRow(
                place: path, id: path, properties: ["title": .string(path)], labels: [],
                pictures: ["\(root)/\(path)"])
        }
        let importer = Importer(connection: connection, catalog: catalog, type: type)
        let imported = try await importer.run(rows) { progress("import", $0, rows.count) }
        var result = EvaluationResult(name: set.name, queries: 0)
        result.notImported = imported.bad.map(\.description)
        do {
            try await search(set, catalog, imported.position, into: &result, progress)
            try await remove(rows, from: catalog)
        } catch {
            try await remove(rows, from: catalog)
            throw error
        }
        return result
    }

    private func search(
        _ set: EvaluationSet, _ catalog: String, _ position: Position?,
        into result: inout EvaluationResult,
        _ progress: @escaping @Sendable (String, Int, Int) -> Void
    ) async throws {
        // Recall ranks without a cut; false accepts are counted with the default one.
        let positives = set.queries.map { ($0.picture, Limits.distanceMax) }
        let strangers = set.negatives.map { ($0, Limits.distanceDefault) }
        let found = try await answers(positives + strangers, catalog, position, progress)
        for (query, answer) in zip(set.queries, found) {
            result.count(answer, for: query, wantsAll: set.wantsAll)
        }
        for (picture, answer) in zip(set.negatives, found.dropFirst(positives.count)) {
            result.countNegative(answer, picture)
        }
    }

    /// The answers in the order of the queries, some of them under way at a time.
    private func answers(
        _ queries: [(picture: String, maxDistance: Int)], _ catalog: String,
        _ position: Position?, _ progress: @escaping @Sendable (String, Int, Int) -> Void
    ) async throws -> [QueryAnswer] {
        var answers = [QueryAnswer?](repeating: nil, count: queries.count)
        try await withThrowingTaskGroup(of: (Int, QueryAnswer).self) { group in
            var next = 0
            func begin() {
                guard next < queries.count else { return }
                let (index, query) = (next, queries[next])
                next += 1
                group.addTask {
                    (index, try await answer(query.picture, query.maxDistance, catalog, position))
                }
            }
            for _ in 0..<inFlight { begin() }
            var done = 0
            while let (index, answer) = try await group.next() {
                answers[index] = answer
                done += 1
                progress("search", done, queries.count)
                begin()
            }
        }
        return answers.compactMap { $0 }
    }

    private func answer(
        _ picture: String, _ maxDistance: Int, _ catalog: String, _ position: Position?
    ) async throws -> QueryAnswer {
        guard let data = FileManager.default.contents(atPath: "\(root)/\(picture)") else {
            throw ConfigurationError("cannot read '\(root)/\(picture)'")
        }
        let bytes = Array(data)
        let request = SearchRequest(
            subject: .picture(ContentHash.of(bytes)), maxDistance: maxDistance)
        var message = Message.request(
            ServiceName.imageSearch, request.json, attachments: [bytes], catalog: catalog,
            budgetMilliseconds: budgetMilliseconds)
        message.fields.leastPosition = position
        message.fields.set(.limit, integer: UInt32(100))
        let begin = SystemClock.monotonic()
        let outcome = await connection.send(message)
        let elapsed = SystemClock.monotonic().nanoseconds - begin.nanoseconds
        return try QueryAnswer(outcome, milliseconds: Double(elapsed) / 1_000_000)
    }

    private func remove(_ rows: [ImportRow], from catalog: String) async throws {
        for row in rows {
            try await connection.change(
                .entityRemove(
                    EntityName(type: type.name, id: row.id), catalog: catalog,
                    budgetMilliseconds: 60_000))
        }
    }
}
