public import Messages
import XXHash

/// What each cut of the distance would accept, and of how many strangers.
public struct Curve: Sendable {
    /// One cut.
    public struct Row: Sendable, Equatable {
        /// The cut, in millionths.
        public let distance: Int
        /// The share of objects found first and within the cut, 0 to 1.
        public let accepted: Double
        /// The share of strangers within the cut, 0 to 1.
        public let falseAccepts: Double

        /// Shares at a cut.
        public init(distance: Int, accepted: Double, falseAccepts: Double) {
            self.distance = distance
            self.accepted = accepted
            self.falseAccepts = falseAccepts
        }
    }

    /// A cut that was chosen on one half of the strangers, and what it does on the other.
    public struct Choice: Sendable, Equatable {
        /// The largest cut that lets at most the wanted share of the fitting half pass.
        public let distance: Int
        /// Strangers of the fitting half, and those accepted there.
        public let fitting: Counted
        /// Strangers of the reporting half, and those accepted there.
        public let reporting: Counted
        /// The share of objects found first and within the cut.
        public let accepted: Double
    }

    /// Strangers and how many of them are accepted.
    public struct Counted: Sendable, Equatable {
        /// All of them.
        public let queries: Int
        /// Those accepted.
        public let accepted: Int

        /// Some of all.
        public init(queries: Int, accepted: Int) {
            self.queries = queries
            self.accepted = accepted
        }
    }

    /// Millionths between two rows.
    public static let step = 50_000

    /// From 0 to the largest distance.
    public let rows: [Row]
    /// The distances of objects found first, ascending, and the number of all objects.
    private let found: [Int]
    private let objects: Int
    /// The distances of the first matches of strangers, ascending; those without a match left out.
    private let fitting: [Int]
    private let reporting: [Int]
    private let fittingCount: Int
    private let reportingCount: Int

    /// The curve of some queries.
    public init(_ queries: [EvaluatedQuery]) {
        let findings = queries.flatMap(\.findings)
        found = findings.filter(\.isFirst).compactMap(\.distance).sorted()
        objects = findings.count
        let strangers = queries.filter(\.kind.isStranger)
        let halves = [true, false].map { half in
            strangers.filter { Self.isFitting($0) == half }
        }
        let distances = halves.map { $0.compactMap { $0.answer.matches.first?.distance }.sorted() }
        (fitting, reporting) = (distances[0], distances[1])
        (fittingCount, reportingCount) = (halves[0].count, halves[1].count)
        let all = (fitting + reporting).sorted()
        let (found, objects, count) = (found, objects, strangers.count)
        rows = stride(from: 0, through: Limits.distanceMax, by: Self.step).map { distance in
            Row(
                distance: distance, accepted: Self.share(of: found, upTo: distance, objects),
                falseAccepts: Self.share(of: all, upTo: distance, count))
        }
    }

    /// Whether a stranger belongs to the half that cuts are chosen on: by a hash of its picture, so
    /// that it is the same half in every run.
    public static func isFitting(_ query: EvaluatedQuery) -> Bool {
        XXHash.of(Array(query.picture.utf8)).reduce(0, ^) & 1 == 0
    }

    /// The largest cut at which at most a share of the fitting half is accepted.
    public func choice(falseAccepts share: Double) -> Choice {
        let allowed = Int(share * Double(fittingCount))
        let cut = fitting.count > allowed ? fitting[allowed] - 1 : Limits.distanceMax
        return Choice(
            distance: max(0, cut),
            fitting: Counted(queries: fittingCount, accepted: Self.count(fitting, upTo: cut)),
            reporting: Counted(queries: reportingCount, accepted: Self.count(reporting, upTo: cut)),
            accepted: Self.share(of: found, upTo: cut, objects))
    }

    private static func count(_ ascending: [Int], upTo cut: Int) -> Int {
        ascending.prefix { $0 <= cut }.count
    }

    private static func share(of ascending: [Int], upTo cut: Int, _ all: Int) -> Double {
        all == 0 ? 0 : Double(count(ascending, upTo: cut)) / Double(all)
    }

    /// The rows as a document.
    public var json: JSONValue {
        .array(
            rows.map { row in
                .object([
                    "distance": .integer(row.distance), "accepted": .number(row.accepted),
                    "falseAccepts": .number(row.falseAccepts),
                ])
            })
    }
}

extension Curve.Choice {
    /// The choice as a document.
    public var json: JSONValue {
        func half(_ counted: Curve.Counted) -> JSONValue {
            .object([
                "queries": .integer(counted.queries), "accepted": .integer(counted.accepted),
            ])
        }
        return .object([
            "distance": .integer(distance), "fitting": half(fitting),
            "reporting": half(reporting), "accepted": .number(accepted),
        ])
    }
}
