/// The pairs that a plane predicts: at its place in the query every feature of the catalog picture is
/// looked for again, with its turn and scale, and need resemble what is there only a little (guided
/// matching, Hartley and Zisserman 2004, section 4.8). A cover repeats itself, so that many of its
/// features have no nearest one of their own before their place is known.
struct GuidedPairs {
    /// Bits in which two codes may differ; those of unrelated features differ in 64 on average. With
    /// 40, and 5 pixels, three times as many distorted strangers were accepted.
    private static let bitsMax = 34
    /// Pixels of the query within which a feature is looked for.
    private static let tolerance: Float = 3

    private let query: FeaturePrint
    private let points: [FeaturePoint]
    private let grid: PlaceGrid

    /// Made ready for a query, whose features are at these points.
    init(_ query: FeaturePrint, _ points: [FeaturePoint]) {
        self.query = query
        self.points = points
        grid = PlaceGrid(
            points.map { ($0.x, $0.y) }, width: query.width, height: query.height,
            reach: Self.tolerance)
    }

    /// The pairs of a catalog picture that lie on a plane, at most one for each feature of either:
    /// those that resemble each other most.
    func pairs(on plane: Homography, with picture: IndexedPicture) -> [PointPair] {
        var holders = [Holder?](repeating: nil, count: points.count)
        for (index, feature) in picture.features.enumerated() {
            let point = FeaturePoint(feature)
            guard let (found, bits) = nearest(to: picture, index, point, on: plane) else {
                continue
            }
            if bits < holders[found]?.bits ?? Int.max {
                holders[found] = Holder(point: point, bits: bits)
            }
        }
        return holders.enumerated().compactMap { index, holder in
            holder.map { PointPair(catalog: $0.point, query: points[index]) }
        }
    }

    /// What the catalog picture has for a feature of the query.
    private struct Holder {
        let point: FeaturePoint
        let bits: Int
    }

    /// The feature of the query that resembles a feature most among those where the plane has it.
    private func nearest(
        to picture: IndexedPicture, _ index: Int, _ point: FeaturePoint, on plane: Homography
    ) -> (query: Int, bits: Int)? {
        guard let place = plane(x: Double(point.x), y: Double(point.y)) else { return nil }
        var best: (query: Int, bits: Int)?
        grid.forEach(near: (Float(place.x), Float(place.y))) { candidate in
            let bits = DescriptorCode.difference(query.codes, candidate, picture.codes, index)
            guard bits <= Self.bitsMax, bits < best?.bits ?? Int.max,
                plane.turnsAndScales(PointPair(catalog: point, query: points[candidate]))
            else { return }
            best = (candidate, bits)
        }
        return best
    }
}
