import Foundation
public import Messages

/// What changed from one run to another one over the same queries.
public struct RunComparison: Sendable {
    /// How good an answer is; a larger one is better.
    private enum Standing: Int, Comparable {
        case missed, refused, accepted

        static func < (left: Standing, right: Standing) -> Bool { left.rawValue < right.rawValue }

        var text: String {
            switch self {
            case .missed: "missed"
            case .refused: "first, beyond the cut"
            case .accepted: "accepted"
            }
        }
    }

    /// How often something went one way and the other.
    public struct SignTest: Sendable, Equatable {
        /// Times better.
        public let better: Int
        /// Times worse.
        public let worse: Int

        /// The chance that a coin falls as unevenly at least, 0 to 1.
        public var chance: Double {
            let count = better + worse
            guard count > 0 else { return 1 }
            // Exact, by logarithms: a coin's sums underflow beyond a thousand throws.
            func logFactorial(_ number: Int) -> Double { lgamma(Double(number + 1)) }
            var tail = 0.0
            for heads in 0...min(better, worse) {
                let ways =
                    logFactorial(count) - logFactorial(heads) - logFactorial(count - heads)
                tail += exp(ways - Double(count) * log(2.0))
            }
            return min(1, 2 * tail)
        }

        /// A count.
        public init(better: Int, worse: Int) {
            self.better = better
            self.worse = worse
        }
    }

    /// Queries that both runs asked.
    public private(set) var compared = 0
    /// Queries of one of the runs only.
    public private(set) var notCompared = 0
    /// Lines about what got better, for people.
    public private(set) var better: [String] = []
    /// Lines about what got worse.
    public private(set) var worse: [String] = []
    /// Distances of objects that are first in both runs: those that fell are better.
    public private(set) var distances = SignTest(better: 0, worse: 0)
    /// Mean of all these distances' changes, in millionths; below 0 they fell.
    public private(set) var meanChange = 0.0

    /// Compares a run with an earlier one.
    public init(of now: [EvaluatedQuery], with before: [EvaluatedQuery], cut: Int) {
        let earlier = Dictionary(
            before.map { (Self.name($0), $0) }, uniquingKeysWith: { first, _ in first })
        var changes: [Int] = []
        for query in now {
            guard let other = earlier[Self.name(query)] else {
                notCompared += 1
                continue
            }
            compared += 1
            if query.kind.isStranger {
                compareStranger(query, other, cut)
            } else {
                changes += compareObjects(query, other, cut)
            }
        }
        notCompared += max(0, earlier.count - compared)
        distances = SignTest(
            better: changes.filter { $0 < 0 }.count, worse: changes.filter { $0 > 0 }.count)
        if !changes.isEmpty {
            meanChange = Double(changes.reduce(0, +)) / Double(changes.count)
        }
    }

    /// Queries that got better and worse.
    public var queries: SignTest { SignTest(better: better.count, worse: worse.count) }

    private static func name(_ query: EvaluatedQuery) -> String {
        "\(query.kind.rawValue)\n\(query.set)\n\(query.picture)"
    }

    private mutating func compareStranger(
        _ query: EvaluatedQuery, _ other: EvaluatedQuery, _ cut: Int
    ) {
        let (isNow, was) = (query.isFalseAccept(within: cut), other.isFalseAccept(within: cut))
        guard isNow != was, let match = (isNow ? query : other).answer.matches.first else { return }
        let text =
            "\(query.set): \(query.picture): \(match.id) at "
            + EvaluationResult.distance(match.distance)
        if isNow {
            worse.append("\(text) is accepted falsely now")
        } else {
            better.append("\(text) is not accepted falsely any more")
        }
    }

    /// The changes of the distances of objects that are first in both.
    private mutating func compareObjects(
        _ query: EvaluatedQuery, _ other: EvaluatedQuery, _ cut: Int
    ) -> [Int] {
        let before = Dictionary(
            other.findings.map { ($0.target, $0) }, uniquingKeysWith: { first, _ in first })
        return query.findings.compactMap { finding in
            guard let earlier = before[finding.target] else { return nil }
            let (now, then) = (Self.standing(finding, cut), Self.standing(earlier, cut))
            if now != then {
                let line =
                    "\(query.set): \(query.picture): \(finding.target): \(Self.text(earlier, then))"
                    + " → \(Self.text(finding, now))"
                if now > then { better.append(line) } else { worse.append(line) }
            }
            guard finding.isFirst, earlier.isFirst, let distance = finding.distance,
                let past = earlier.distance
            else { return nil }
            return distance - past
        }
    }

    private static func standing(_ finding: EvaluatedQuery.Finding, _ cut: Int) -> Standing {
        finding.isAccepted(within: cut) ? .accepted : finding.isFirst ? .refused : .missed
    }

    private static func text(_ finding: EvaluatedQuery.Finding, _ standing: Standing) -> String {
        let far = finding.distance.map { " at \(EvaluationResult.distance($0))" } ?? ""
        return standing.text + far
    }

    /// The comparison as a document.
    public var json: JSONValue {
        func test(_ test: SignTest) -> JSONValue {
            .object([
                "better": .integer(test.better), "worse": .integer(test.worse),
                "chance": .number(test.chance),
            ])
        }
        return .object([
            "compared": .integer(compared), "notCompared": .integer(notCompared),
            "better": .array(better.map { .string($0) }),
            "worse": .array(worse.map { .string($0) }), "queries": test(queries),
            "distances": test(distances), "meanChange": .number(meanChange),
        ])
    }
}
