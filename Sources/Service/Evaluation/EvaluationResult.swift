public import Messages
import Queue

/// What one query was answered.
struct QueryAnswer: Sendable {
    /// Ids in order; empty if the request failed.
    var ids: [String] = []
    /// The reply was complete.
    var isComplete = false
    /// From sending to the reply.
    let milliseconds: Double
    /// Why there is no reply; nil if there is one.
    var failure: String?
    /// Milliseconds by stage, as the worker states them.
    var stages: [String: Double] = [:]

    init(_ outcome: Outcome, milliseconds: Double) throws {
        self.milliseconds = milliseconds
        switch outcome {
        case .final(let message):
            let reply = try Reply(message)
            ids = reply.items.compactMap { $0["id"]?.text }
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

/// How one set went.
public struct EvaluationResult: Sendable {
    /// The set's name.
    public let name: String
    /// Queries, or for a set whose targets are all wanted the targets.
    public var queries: Int
    /// Those found at rank 1 (among the first n, where a query has n targets to be found).
    public var atRank1 = 0
    /// Those found at ranks 1 to 10.
    public var atRank10 = 0
    /// Queries that must find nothing.
    public var negatives = 0
    /// Those of them that found something.
    public var falseAccepts = 0
    /// Replies that were incomplete or failed.
    public var incomplete = 0
    /// Queries not at rank 1, false accepts and failures, for people.
    public var remarks: [String] = []
    /// Pictures of the catalog that could not be imported.
    public var notImported: [String] = []
    /// Milliseconds of each reply.
    public var milliseconds: [Double] = []
    /// Milliseconds by stage, one value a query.
    public var stages: [String: [Double]] = [:]

    init(name: String, queries: Int) {
        self.name = name
        self.queries = queries
    }

    mutating func count(
        _ answer: QueryAnswer, for query: (picture: String, targets: [String]), wantsAll: Bool
    ) {
        note(answer, query.picture)
        let groups = wantsAll ? query.targets.map { [$0] } : [query.targets]
        for targets in groups {
            queries += 1
            let rank = answer.ids.firstIndex { targets.contains($0) }.map { $0 + 1 }
            if let rank, rank <= groups.count { atRank1 += 1 }
            if let rank, rank <= max(10, groups.count) { atRank10 += 1 }
            if rank.map({ $0 > groups.count }) ?? true {
                let place = rank.map { "rank \($0)" } ?? "not found"
                remarks.append("\(query.picture): \(targets[0]) \(place)")
            }
        }
    }

    mutating func countNegative(_ answer: QueryAnswer, _ picture: String) {
        note(answer, picture)
        negatives += 1
        guard let first = answer.ids.first else { return }
        falseAccepts += 1
        remarks.append("\(picture): false accept \(first)")
    }

    private mutating func note(_ answer: QueryAnswer, _ picture: String) {
        milliseconds.append(answer.milliseconds)
        for (stage, value) in answer.stages { stages[stage, default: []].append(value) }
        if !answer.isComplete { incomplete += 1 }
        if let failure = answer.failure { remarks.append("\(picture): \(failure)") }
    }

    /// The share of queries found at rank 1, 0 to 1.
    public var recallAt1: Double { queries == 0 ? 0 : Double(atRank1) / Double(queries) }
    /// The share of queries found at ranks 1 to 10, 0 to 1.
    public var recallAt10: Double { queries == 0 ? 0 : Double(atRank10) / Double(queries) }

    /// The set as one member of `{"sets": […]}`.
    public var json: JSONValue {
        .object([
            "name": .string(name), "queries": .integer(queries),
            "recallAt1": .number(recallAt1), "recallAt10": .number(recallAt10),
            "negatives": .integer(negatives), "falseAccepts": .integer(falseAccepts),
            "incomplete": .integer(incomplete), "remarks": .array(remarks.map { .string($0) }),
            "notImported": .array(notImported.map { .string($0) }),
            "milliseconds": Self.summary(of: milliseconds),
            "stages": .object(stages.mapValues(Self.summary)),
        ])
    }

    /// The value that a share of all values does not exceed; 0 for none.
    public static func percentile(_ share: Double, of values: [Double]) -> Double {
        guard !values.isEmpty else { return 0 }
        let index = Int((Double(values.count) * share).rounded(.up)) - 1
        return values.sorted()[max(0, min(values.count - 1, index))]
    }

    private static func summary(of values: [Double]) -> JSONValue {
        .object([
            "p50": .number(percentile(0.5, of: values)),
            "p99": .number(percentile(0.99, of: values)),
            "max": .number(values.max() ?? 0),
        ])
    }
}
