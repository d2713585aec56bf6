/// How well a plane is supported by the pairs that agree with it.
struct Support {
    /// Pixels within which two features are the same place.
    private static let placeSide: Float = 3
    /// Share of the pairs, those farthest from their middle, that do not count for the extent: a
    /// few that agree by chance would stretch it.
    private static let strayShare = 0.1
    /// Share of the catalog picture that the query is taken to show at least: an outline that
    /// follows from a small part of it is uncertain.
    private static let visibleMin = 0.5

    /// Pairs at different places in both pictures.
    let places: Int
    /// Share of the smaller print's features that agree, 0...1.
    let share: Double
    /// How far the pairs spread over what the query shows of the catalog picture: about 1 for an
    /// even spread, near 0 for a strip or a spot.
    let extent: Double

    /// The support that these pairs give to an outline.
    init(_ pairs: [PointPair], picture: IndexedPicture, query: FeaturePrint, outline: Outline) {
        var kept: [PointPair] = []
        for pair in pairs
        where !kept.contains(where: {
            Self.isNear($0.catalog, pair.catalog) || Self.isNear($0.query, pair.query)
        }) {
            kept.append(pair)
        }
        places = kept.count
        share = Double(pairs.count) / Double(min(picture.features.count, query.featureCount))
        let visible = max(Self.visibleMin, outline.visibleShare(of: query))
        let area = Double(picture.width * picture.height) * visible
        extent = Self.spread(pairs.map { ($0.catalog.x, $0.catalog.y) }) / area
    }

    private static func isNear(_ one: FeaturePoint, _ other: FeaturePoint) -> Bool {
        abs(one.x - other.x) < placeSide && abs(one.y - other.y) < placeSide
    }

    /// The area over which points with these variances would lie evenly, in square pixels.
    private static func spread(_ points: [(Float, Float)]) -> Double {
        let middleX = points.map(\.0).sorted()[points.count / 2]
        let middleY = points.map(\.1).sorted()[points.count / 2]
        let offsets = points.map { (Double($0.0 - middleX), Double($0.1 - middleY)) }
        let count = (Double(points.count) * (1 - strayShare)).rounded(.up)
        let kept = offsets.enumerated().sorted { left, right in
            let one = left.element.0 * left.element.0 + left.element.1 * left.element.1
            let other = right.element.0 * right.element.0 + right.element.1 * right.element.1
            return one != other ? one < other : left.offset < right.offset
        }.prefix(Int(count)).map(\.element)
        let meanX = kept.reduce(0) { $0 + $1.0 } / count
        let meanY = kept.reduce(0) { $0 + $1.1 } / count
        var (xx, xy, yy) = (0.0, 0.0, 0.0)
        for (x, y) in kept {
            xx += (x - meanX) * (x - meanX)
            xy += (x - meanX) * (y - meanY)
            yy += (y - meanY) * (y - meanY)
        }
        // A rectangle has a variance of a twelfth of its side's square along each side.
        return 12 * max(0, xx * yy - xy * xy).squareRoot() / count
    }
}
