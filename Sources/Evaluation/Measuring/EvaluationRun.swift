public import Messages

/// All that one evaluation measured.
public struct EvaluationRun: Sendable {
    /// The sets' names, in order.
    public let sets: [String]
    /// All queries with their answers.
    public let queries: [EvaluatedQuery]
    /// What was searched; nil if a server did.
    public let catalog: EvaluationCatalog?
    /// Entries taken out for distorted distractors because they show the same, over all of them.
    public let nearDuplicatesRemoved: Int
    /// Strangers without their family that found their own artwork elsewhere, and so are none.
    public let sameArtwork: [StrangerName]
    /// How the queries were made, where they were asked in this process.
    let planned: [PlannedQuery]
    /// Pictures of each set that could not be imported, where a server did.
    let notImported: [String: [String]]

    init(
        sets: [String], queries: [EvaluatedQuery], planned: [PlannedQuery],
        catalog: EvaluationCatalog, nearDuplicatesRemoved: Int, sameArtwork: [StrangerName]
    ) {
        self.sets = sets
        self.queries = queries
        self.planned = planned
        self.sameArtwork = sameArtwork
        self.catalog = catalog
        self.nearDuplicatesRemoved = nearDuplicatesRemoved
        notImported = [:]
    }

    /// The results that a server gave.
    public init(_ results: [EvaluationResult]) {
        sets = results.map(\.name)
        queries = results.flatMap(\.queries)
        planned = []
        sameArtwork = []
        catalog = nil
        nearDuplicatesRemoved = 0
        notImported = Dictionary(
            results.map { ($0.name, $0.notImported) }, uniquingKeysWith: { first, _ in first })
    }

    /// The result of each set, and of distractors if any were distorted.
    public var results: [EvaluationResult] {
        let others = Set(queries.map(\.set)).subtracting(sets).sorted()
        return (sets + others).map { name in
            EvaluationResult(
                name: name, queries: queries.filter { $0.set == name },
                notImported: notImported[name] ?? [], cut: Limits.distanceDefault)
        }
    }

    /// The share of strangers that a cut may let pass.
    public static let falseAcceptsWanted = 0.003

    /// All sets together.
    public var together: EvaluationResult {
        EvaluationResult(
            name: "all", queries: queries,
            notImported: catalog?.notImported ?? notImported.values.flatMap { $0 },
            cut: Limits.distanceDefault)
    }

    /// A stranger by its set and picture.
    public struct StrangerName: Sendable, Hashable {
        /// The set that it belongs to.
        public let set: String
        /// Its file.
        public let picture: String
    }

    /// The same without strangers that found their own artwork.
    public var curveWithoutSameArtwork: Curve {
        let left = Set(sameArtwork)
        return Curve(
            queries.filter { query in
                query.kind != .otherSets
                    || !left.contains(StrangerName(set: query.set, picture: query.picture))
            })
    }

    /// What each cut would accept.
    public var curve: Curve { Curve(queries) }

    /// The run as a document.
    public var json: JSONValue {
        let curve = curve
        var members: [String: JSONValue] = [
            "sets": .array(results.map(\.json)), "all": together.json, "curve": curve.json,
            "cutAt3In1000": curve.choice(falseAccepts: Self.falseAcceptsWanted).json,
            "cutAt3In1000WithoutSameArtwork":
                curveWithoutSameArtwork.choice(falseAccepts: Self.falseAcceptsWanted).json,
            "sameArtwork": .array(sameArtwork.map { .string("\($0.set): \($0.picture)") }),
        ]
        if let catalog {
            members["catalog"] = catalog.build.json
            members["nearDuplicatesRemoved"] = .integer(nearDuplicatesRemoved)
        }
        return .object(members)
    }
}

extension CatalogBuild {
    /// The build as a document.
    var json: JSONValue {
        .object([
            "entries": .integer(entries), "ofSets": .integer(ofSets),
            "distractors": .integer(distractors), "generated": .integer(generated),
            "series": .integer(series),
            "cached": .integer(cached), "features": .number(each(features)),
            "printBytes": .number(each(printBytes)),
            "scannedBytes": .number(each(indexBytes.scanned)),
            "pictureBytes": .number(each(indexBytes.pictures)),
            "residentBytes": .number(each(residentBytes)), "milliseconds": .number(milliseconds),
        ])
    }
}
