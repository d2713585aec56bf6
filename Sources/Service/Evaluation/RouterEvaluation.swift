public import Evaluation
import Foundation
import Journal
import Messages
import Queue
import Sodium

/// Measures how well a set's queries find their pictures, through a running server.
///
/// The set is imported through the journal under a catalog name of its own, waited for, searched,
/// and removed again.
public struct RouterEvaluation: Sendable {
    private let connection: RouterConnection
    private let type: EntityTypeDocument
    private let root: String
    private let budgetMilliseconds: UInt32
    private let inFlight: Int

    /// A query of a set, before it is asked.
    private struct Question: Sendable {
        let kind: EvaluatedQuery.Kind
        let picture: String
        var targets: [[String]] = []
    }

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
        let imported = try await importer.run(
            ImportRows(rows), progress: { progress("import", $0, rows.count) })
        let queries: [EvaluatedQuery]
        do {
            queries = try await search(set, catalog, imported.position, progress)
            try await remove(rows, from: catalog)
        } catch {
            try await remove(rows, from: catalog)
            throw error
        }
        return EvaluationResult(
            name: set.name, queries: queries, notImported: imported.bad.map(\.description),
            cut: Limits.distanceDefault)
    }

    /// The queries with their answers in order, some of them under way at a time.
    private func search(
        _ set: EvaluationSet, _ catalog: String, _ position: Position?,
        _ progress: @escaping @Sendable (String, Int, Int) -> Void
    ) async throws -> [EvaluatedQuery] {
        let questions =
            set.queries.map {
                Question(
                    kind: .positive, picture: $0.picture, targets: set.objects(of: $0.targets))
            } + set.negatives.map { Question(kind: .listed, picture: $0) }
        var answers = [EvaluatedQuery?](repeating: nil, count: questions.count)
        try await withThrowingTaskGroup(of: (Int, QueryAnswer).self) { group in
            var next = 0
            func begin() {
                guard next < questions.count else { return }
                let (index, picture) = (next, questions[next].picture)
                next += 1
                group.addTask { (index, try await answer(picture, catalog, position)) }
            }
            for _ in 0..<inFlight { begin() }
            var done = 0
            while let (index, answer) = try await group.next() {
                let question = questions[index]
                answers[index] = EvaluatedQuery(
                    kind: question.kind, set: set.name, picture: question.picture,
                    targets: question.targets, answer: answer)
                done += 1
                progress("search", done, questions.count)
                begin()
            }
        }
        return answers.compactMap { $0 }
    }

    private func answer(
        _ picture: String, _ catalog: String, _ position: Position?
    ) async throws -> QueryAnswer {
        guard let data = FileManager.default.contents(atPath: "\(root)/\(picture)") else {
            throw ConfigurationError("cannot read '\(root)/\(picture)'")
        }
        let bytes = Array(data)
        // Recall ranks without a cut; what is accepted is decided by the distances.
        let request = SearchRequest(
            subject: .picture(ContentHash.of(bytes)), maxDistance: Limits.distanceMax)
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

extension QueryAnswer {
    /// What a server answered.
    init(_ outcome: Outcome, milliseconds: Double) throws {
        self.init()
        self.milliseconds = milliseconds
        switch outcome {
        case .final(let message):
            let reply = try Reply(message)
            matches = reply.items.compactMap { item in
                guard let id = item["id"]?.text, let distance = item["distance"]?.integer else {
                    return nil
                }
                return Match(id: id, distance: distance)
            }
            isComplete = reply.isComplete
            for part in reply.diagnostics?["parts"]?.array ?? [] {
                for stage in (part["stages"]?.text ?? "").split(separator: ",") {
                    let pair = stage.split(separator: "=").map(String.init)
                    guard pair.count == 2, let value = Double(pair[1]) else { continue }
                    stages[pair[0], default: 0] += value / 1_000
                }
            }
        case .ack: failure = "the server answered something else"
        case .error(let code, let text, _, _): failure = "\(code.rawValue): \(text)"
        case .timedOut: failure = "no answer in time"
        }
    }
}
