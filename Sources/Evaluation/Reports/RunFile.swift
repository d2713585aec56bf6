public import Messages

/// A run in a file: what it measured, and each query's answer.
public struct RunFile: Sendable {
    /// Matches of one query that are kept.
    private static let matchesMax = 10

    /// The version of its prints.
    public let printVersion: String
    /// Its queries.
    public let queries: [EvaluatedQuery]

    /// A run of prints of a version.
    public init(printVersion: String, queries: [EvaluatedQuery]) {
        self.printVersion = printVersion
        self.queries = queries
    }

    /// The document; `measured` is kept with it for people.
    public func json(measured: JSONValue) -> JSONValue {
        .object([
            "printVersion": .string(printVersion), "measured": measured,
            "queries": .array(queries.map(Self.json)),
        ])
    }

    private static func json(_ query: EvaluatedQuery) -> JSONValue {
        .object([
            "kind": .string(query.kind.rawValue), "set": .string(query.set),
            "picture": .string(query.picture), "complete": .bool(query.answer.isComplete),
            "milliseconds": .number(query.answer.milliseconds),
            "targets": .array(query.targets.map { .array($0.map { .string($0) }) }),
            "matches": .array(
                query.answer.matches.prefix(matchesMax).map {
                    .array([.string($0.id), .integer($0.distance)])
                }),
        ])
    }

    /// Reads a document.
    ///
    /// - Throws: `EvaluationError` for anything that `json` does not write.
    public init(_ document: JSONValue) throws(EvaluationError) {
        guard let version = document["printVersion"]?.text,
            let rows = document["queries"]?.array
        else { throw EvaluationError("is no run: 'printVersion' and 'queries' are needed") }
        printVersion = version
        var queries: [EvaluatedQuery] = []
        for (index, row) in rows.enumerated() {
            guard let query = Self.query(row) else {
                throw EvaluationError("query \(index) is not as '--out' writes it")
            }
            queries.append(query)
        }
        self.queries = queries
    }

    private static func query(_ row: JSONValue) -> EvaluatedQuery? {
        guard let kind = row["kind"]?.text.flatMap(EvaluatedQuery.Kind.init),
            let set = row["set"]?.text, let picture = row["picture"]?.text,
            let targets = row["targets"]?.array, let matches = row["matches"]?.array
        else { return nil }
        var answer = QueryAnswer()
        answer.isComplete = row["complete"]?.bool ?? false
        answer.milliseconds = row["milliseconds"]?.double ?? 0
        for match in matches {
            guard let parts = match.array, parts.count == 2, let id = parts[0].text,
                let distance = parts[1].integer
            else { return nil }
            answer.matches.append(QueryAnswer.Match(id: id, distance: distance))
        }
        return EvaluatedQuery(
            kind: kind, set: set, picture: picture,
            targets: targets.map { $0.array?.compactMap(\.text) ?? [] }, answer: answer)
    }
}
