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

    /// Pixels of the query that a feature's scale is at least where it counts as large: a photograph
    /// that is worth anything shows it.
    private static let largeMin: Float = 3.4
    /// Large features, and those of them that agree, which are added to those that there are: of few
    /// large ones the share says little.
    private static let addedLarge = (all: 20.0, agreeing: 2.0)

    /// Places without which a plane is not looked at more closely: it cannot be accepted.
    private static let placesMin = 6

    /// What is to be said of it.
    let numbers: PlaneSupport

    /// The support that these pairs give to a plane and its outline.
    init(
        _ agreeing: [PointPair], of plane: Homography, picture: IndexedPicture,
        query: FeaturePrint, outline: Outline
    ) {
        let pairs = agreeing.filter(plane.turnsAndScales)
        var kept: [PointPair] = []
        for pair in pairs
        where !kept.contains(where: {
            Self.isNear($0.catalog, pair.catalog) || Self.isNear($0.query, pair.query)
        }) {
            kept.append(pair)
        }
        let share = Double(pairs.count) / Double(min(picture.features.count, query.featureCount))
        let visible = max(Self.visibleMin, outline.visibleShare(of: query))
        let area = Double(picture.width * picture.height) * visible
        let places = pairs.map { ($0.catalog.x, $0.catalog.y) }
        let spread = pairs.isEmpty ? 0 : Self.spread(places)
        var numbers = PlaneSupport(
            pairs: agreeing.count, places: kept.count, share: share, extent: spread / area)
        if kept.count >= Self.placesMin {
            let shown = Self.shown(picture, on: plane, in: query)
            let all = shown.isEmpty ? 0 : Self.spread(shown.map { ($0.x, $0.y) })
            if all > 0 { numbers.reach = spread / all }
            numbers.large = Self.largeShare(shown, agreeing, plane, picture)
        }
        self.numbers = numbers
    }

    /// The features of a catalog picture that lie inside the query.
    private static func shown(
        _ picture: IndexedPicture, on plane: Homography, in query: FeaturePrint
    ) -> [FeaturePlace] {
        picture.features.map(FeaturePlace.init).filter { feature in
            guard let at = plane(x: Double(feature.x), y: Double(feature.y)) else { return false }
            return at.x >= 0 && at.y >= 0 && at.x < Double(query.width)
                && at.y < Double(query.height)
        }
    }

    /// The share of the large features that agree.
    private static func largeShare(
        _ shown: [FeaturePlace], _ agreeing: [PointPair], _ plane: Homography,
        _ picture: IndexedPicture
    ) -> Double {
        let least = largeMin / max(0.001, Float(plane.scale(inMiddleOf: picture)))
        let all = Double(shown.count { $0.scale >= least }) + addedLarge.all
        return (Double(agreeing.count { $0.catalog.scale >= least }) + addedLarge.agreeing) / all
    }

    /// A feature's place and scale, in pixels.
    private struct FeaturePlace {
        let x: Float
        let y: Float
        let scale: Float

        init(_ feature: LocalFeature) {
            let unit = 1 / Float(LocalFeature.unitsPerPixel)
            x = Float(feature.x) * unit
            y = Float(feature.y) * unit
            scale = Float(feature.scale) * unit
        }
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

extension Homography {
    /// Pixels of the query in one of the catalog picture, in its middle; 0 where there are none.
    fileprivate func scale(inMiddleOf picture: IndexedPicture) -> Double {
        let (x, y) = (Double(picture.width) / 2, Double(picture.height) / 2)
        guard let here = self(x: x, y: y), let ahead = self(x: x + 1, y: y),
            let aside = self(x: x, y: y + 1)
        else { return 0 }
        let (ux, uy) = (ahead.x - here.x, ahead.y - here.y)
        let (vx, vy) = (aside.x - here.x, aside.y - here.y)
        return abs(ux * vy - uy * vx).squareRoot()
    }

    /// Pixels of the catalog picture along which its turn and scale are measured.
    private static let reach = 2.0
    /// Cosine of the largest difference between a pair's turn and the plane's: 32 degrees.
    private static let cosineMin = 0.85
    /// Largest ratio of a pair's change of scale and the plane's.
    private static let ratioMax = 1.7

    /// Whether the features of a pair are turned and scaled as the plane is at their place: those that
    /// lie on it by chance rarely are.
    func turnsAndScales(_ pair: PointPair) -> Bool {
        let (x, y) = (Double(pair.catalog.x), Double(pair.catalog.y))
        let along = (Double(pair.catalog.cosine), Double(pair.catalog.sine))
        guard let here = self(x: x, y: y),
            let ahead = self(x: x + Self.reach * along.0, y: y + Self.reach * along.1),
            let aside = self(x: x - Self.reach * along.1, y: y + Self.reach * along.0)
        else { return false }
        let (ux, uy) = (ahead.x - here.x, ahead.y - here.y)
        let (vx, vy) = (aside.x - here.x, aside.y - here.y)
        let length = (ux * ux + uy * uy).squareRoot()
        let cosine = ux * Double(pair.query.cosine) + uy * Double(pair.query.sine)
        guard cosine >= Self.cosineMin * length else { return false }
        let scale = abs(ux * vy - uy * vx).squareRoot() / Self.reach
        let ratio = Double(pair.query.scale) / Double(pair.catalog.scale)
        return ratio <= Self.ratioMax * scale && scale <= Self.ratioMax * ratio
    }
}
