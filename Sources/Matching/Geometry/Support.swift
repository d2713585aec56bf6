/// How well a plane is supported by the pairs that agree with it.
struct Support {
    /// Pixels within which two features are the same place.
    private static let placeSide: Float = 3

    /// Pairs at different places in both pictures.
    let places: Int
    /// Share of the smaller print's features that agree, 0...1.
    let share: Double
    /// Share of the catalog picture or of the query that the agreeing features span, whichever is
    /// larger, 0...1.
    let coverage: Double

    /// The support that these pairs give.
    init(_ pairs: [PointPair], picture: IndexedPicture, query: FeaturePrint) {
        var kept: [PointPair] = []
        for pair in pairs
        where !kept.contains(where: {
            Self.isNear($0.catalog, pair.catalog) || Self.isNear($0.query, pair.query)
        }) {
            kept.append(pair)
        }
        places = kept.count
        share = Double(pairs.count) / Double(min(picture.features.count, query.featureCount))
        let catalog =
            ConvexHull.area(pairs.map { (Double($0.catalog.x), Double($0.catalog.y)) })
            / Double(picture.width * picture.height)
        let own =
            ConvexHull.area(pairs.map { (Double($0.query.x), Double($0.query.y)) })
            / Double(query.width * query.height)
        coverage = min(1, max(catalog, own))
    }

    private static func isNear(_ one: FeaturePoint, _ other: FeaturePoint) -> Bool {
        abs(one.x - other.x) < placeSide && abs(one.y - other.y) < placeSide
    }
}
