/// A query that did not end as it should.
public struct Failure: Sendable, Equatable {
    /// What went wrong.
    public enum Kind: String, Sendable {
        /// What it shows is not first.
        case missed
        /// What it shows is first, but beyond the cut.
        case refused
        /// A stranger was accepted.
        case falseAccept = "false accept"
    }

    /// What went wrong.
    public let kind: Kind
    /// What was asked.
    public let query: EvaluatedQuery.Kind
    /// The query's set and picture.
    public let set: String
    /// The query's picture.
    public let picture: String
    /// The entry that it shows; nil for a stranger.
    public let wanted: String?
    /// Where that stands.
    public let wantedDistance: Int?
    /// What stands first, or what is in its place.
    public let found: QueryAnswer.Match?

    /// The failures of some queries, in order.
    public static func all(in queries: [EvaluatedQuery], cut: Int) -> [Failure] {
        queries.flatMap { query -> [Failure] in
            let first = query.answer.matches.first
            func failure(_ kind: Kind, _ finding: EvaluatedQuery.Finding?) -> Failure {
                Failure(
                    kind: kind, query: query.kind, set: query.set, picture: query.picture,
                    wanted: finding?.target, wantedDistance: finding?.distance, found: first)
            }
            if query.isFalseAccept(within: cut) { return [failure(.falseAccept, nil)] }
            return query.findings.filter { !$0.isAccepted(within: cut) }.map {
                failure($0.isFirst ? .refused : .missed, $0)
            }
        }
    }
}
