public import Messages

/// How a set went, or all of them together.
public struct EvaluationResult: Sendable {
    /// The set's name.
    public let name: String
    /// Queries with their answers.
    public let queries: [EvaluatedQuery]
    /// Pictures of the catalog that could not be read, each with the reason.
    public let notImported: [String]
    /// The distance up to which a match is accepted, in millionths.
    public let cut: Int

    /// The result of some queries.
    public init(name: String, queries: [EvaluatedQuery], notImported: [String], cut: Int) {
        self.name = name
        self.queries = queries
        self.notImported = notImported
        self.cut = cut
    }

    /// What became of each object that was looked for.
    public var findings: [EvaluatedQuery.Finding] { queries.flatMap(\.findings) }

    /// The share of objects that a condition holds for, 0 to 1; 0 without any.
    func share(where holds: (EvaluatedQuery.Finding) -> Bool) -> Double {
        let all = findings
        return all.isEmpty ? 0 : Double(all.filter(holds).count) / Double(all.count)
    }

    /// The share of objects found at rank 1 (among the first n, where a query has n objects).
    public var recallAt1: Double { share(where: \.isFirst) }
    /// The share of objects found at ranks 1 to 10.
    public var recallAt10: Double { share(where: \.isAmongTen) }
    /// The share of objects found first and within the cut.
    public var accepted: Double { share { $0.isAccepted(within: cut) } }

    /// Strangers of a kind, and those taken for an entry.
    public func strangers(_ kind: EvaluatedQuery.Kind) -> (queries: Int, accepted: Int) {
        let asked = queries.filter { $0.kind == kind && kind.isStranger }
        return (asked.count, asked.filter { $0.isFalseAccept(within: cut) }.count)
    }

    /// Answers that are incomplete or missing.
    public var incomplete: Int { queries.filter { !$0.answer.isComplete }.count }

    /// Milliseconds of each answer.
    public var milliseconds: [Double] { queries.map(\.answer.milliseconds) }
    /// Milliseconds of processor time of each answer that states them.
    public var processorMilliseconds: [Double] {
        queries.compactMap(\.answer.processorMilliseconds)
    }
    /// Entries compared by each query that states them.
    public var checked: [Double] { queries.compactMap { $0.answer.checked.map(Double.init) } }
    /// Milliseconds by stage, one value a query.
    public var stages: [String: [Double]] {
        var stages: [String: [Double]] = [:]
        for query in queries {
            for (stage, value) in query.answer.stages { stages[stage, default: []].append(value) }
        }
        return stages
    }

    /// Objects not found first or not accepted, false accepts and failures, for people.
    public var remarks: [String] {
        queries.flatMap { query -> [String] in
            var remarks: [String] = []
            if let failure = query.answer.failure {
                remarks.append("\(query.picture): \(failure)")
            }
            for finding in query.findings where !finding.isAccepted(within: cut) {
                let place = finding.rank.map { "rank \($0)" } ?? "not found"
                let far = finding.distance.map { " at \(Self.distance($0))" } ?? ""
                remarks.append("\(query.picture): \(finding.target) \(place)\(far)")
            }
            if query.isFalseAccept(within: cut), let first = query.answer.matches.first {
                remarks.append(
                    "\(query.picture): false accept \(first.id) at "
                        + "\(Self.distance(first.distance)) (\(query.kind.rawValue))")
            }
            return remarks
        }
    }

    /// A distance in millionths as people read it, three digits behind the point.
    static func distance(_ millionths: Int) -> String {
        let thousandths = (millionths + 500) / 1_000
        let digits = String(thousandths % 1_000)
        return "\(thousandths / 1_000)."
            + String(repeating: "0", count: 3 - digits.count) + digits
    }

    /// The set as one member of `{"sets": […]}`.
    public var json: JSONValue {
        let listed = strangers(.listed)
        var members: [String: JSONValue] = [
            "name": .string(name), "queries": .integer(findings.count),
            "recallAt1": .number(recallAt1), "recallAt10": .number(recallAt10),
            "accepted": .number(accepted), "negatives": .integer(listed.queries),
            "falseAccepts": .integer(listed.accepted), "incomplete": .integer(incomplete),
            "remarks": .array(remarks.map { .string($0) }),
            "notImported": .array(notImported.map { .string($0) }),
            "milliseconds": Self.summary(of: milliseconds),
            "stages": .object(stages.mapValues(Self.summary)),
        ]
        for kind in EvaluatedQuery.Kind.allCases where kind.isStranger {
            let (asked, accepted) = strangers(kind)
            guard asked > 0 else { continue }
            members[kind == .listed ? "listedStrangers" : "\(kind.rawValue)Strangers"] = .object([
                "queries": .integer(asked), "accepted": .integer(accepted),
                "rate": .number(Double(accepted) / Double(asked)),
            ])
        }
        if !processorMilliseconds.isEmpty {
            members["processorMilliseconds"] = Self.summary(of: processorMilliseconds)
        }
        if !checked.isEmpty { members["checked"] = Self.summary(of: checked) }
        return .object(members)
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
