/// One query and what it was answered.
public struct EvaluatedQuery: Sendable {
    /// What is asked for.
    public enum Kind: String, Sendable, CaseIterable {
        /// Shows a picture of the catalog.
        case positive
        /// Is named as a stranger of its set.
        case listed
        /// Shows a picture of a set whose family has been taken out of the catalog.
        case otherSets
        /// Is a distorted view of a distractor that has been taken out of the catalog.
        case distorted
        /// Is a distorted view of another volume of a series that the catalog has one of.
        case series

        /// Must find nothing.
        public var isStranger: Bool { self != .positive }
    }

    /// What is asked for.
    public let kind: Kind
    /// The set that it belongs to.
    public let set: String
    /// The query's file.
    public let picture: String
    /// Objects to be found, each with the entries that all show it; empty for a stranger.
    public let targets: [[String]]
    /// What it was answered.
    public let answer: QueryAnswer

    /// A query with its answer.
    public init(
        kind: Kind, set: String, picture: String, targets: [[String]], answer: QueryAnswer
    ) {
        self.kind = kind
        self.set = set
        self.picture = picture
        self.targets = targets
        self.answer = answer
    }

    /// One object that was looked for.
    public struct Finding: Sendable, Equatable {
        /// The entry that the rows name first.
        public let target: String
        /// Where one of its entries stands in the answer, from 1; nil if nowhere.
        public let rank: Int?
        /// The distance of that entry, in millionths.
        public let distance: Int?
        /// Whether it stands as far ahead as it can: at rank 1, or among the first n of n objects.
        public let isFirst: Bool
        /// Whether it stands among the first ten, or n.
        public let isAmongTen: Bool

        /// Whether it is first and within a distance.
        public func isAccepted(within cut: Int) -> Bool {
            isFirst && (distance ?? .max) <= cut
        }
    }

    /// What became of each object.
    public var findings: [Finding] {
        targets.map { entries in
            let place = answer.matches.firstIndex { entries.contains($0.id) }
            let rank = place.map { $0 + 1 } ?? .max
            return Finding(
                target: entries.first ?? "", rank: place.map { $0 + 1 },
                distance: place.map { answer.matches[$0].distance },
                isFirst: rank <= targets.count, isAmongTen: rank <= max(10, targets.count))
        }
    }

    /// Whether a stranger was taken for an entry within a distance.
    public func isFalseAccept(within cut: Int) -> Bool {
        kind.isStranger && (answer.matches.first?.distance ?? .max) <= cut
    }
}

/// What one query was answered.
public struct QueryAnswer: Sendable {
    /// An entry that was found.
    public struct Match: Sendable, Equatable {
        /// The entry.
        public let id: String
        /// Millionths.
        public let distance: Int

        /// An entry at a distance.
        public init(id: String, distance: Int) {
            self.id = id
            self.distance = distance
        }
    }

    /// By distance; empty if the request failed.
    public var matches: [Match] = []
    /// The answer is complete.
    public var isComplete = false
    /// Until the answer.
    public var milliseconds = 0.0
    /// Processor time of the query; nil if it was spent in another process.
    public var processorMilliseconds: Double?
    /// Entries that were compared; nil if unknown.
    public var checked: Int?
    /// Why there is no answer; nil if there is one.
    public var failure: String?
    /// Milliseconds by stage.
    public var stages: [String: Double] = [:]

    /// An answer without matches.
    public init() {}
}
