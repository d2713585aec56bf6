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
    /// Pixels of a bucket's side: what is within the tolerance lies in the next bucket at most.
    private static let bucketSide = 8

    private let query: FeaturePrint
    private let points: [FeaturePoint]
    private let columns: Int
    private let rows: Int
    /// The query's features of each bucket, row by row.
    private let buckets: [[Int]]

    /// Made ready for a query, whose features are at these points.
    init(_ query: FeaturePrint, _ points: [FeaturePoint]) {
        self.query = query
        self.points = points
        columns = query.width / Self.bucketSide + 1
        rows = query.height / Self.bucketSide + 1
        var buckets = [[Int]](repeating: [], count: columns * rows)
        for (index, point) in points.enumerated() {
            buckets[Int(point.y) / Self.bucketSide * columns + Int(point.x) / Self.bucketSide]
                .append(index)
        }
        self.buckets = buckets
    }

    /// The pairs of a catalog picture that lie on a plane, at most one for each feature of either:
    /// those that resemble each other most.
    func pairs(on plane: Homography, with picture: IndexedPicture) -> [PointPair] {
        var holders = [Holder?](repeating: nil, count: points.count)
        for (index, feature) in picture.features.enumerated() {
            let point = FeaturePoint(feature)
            guard let place = plane(x: Double(point.x), y: Double(point.y)),
                let (found, bits) = nearest(
                    to: picture, index, point, at: (Float(place.x), Float(place.y)), plane)
            else { continue }
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

    private func nearest(
        to picture: IndexedPicture, _ index: Int, _ point: FeaturePoint,
        at place: (x: Float, y: Float), _ plane: Homography
    ) -> (query: Int, bits: Int)? {
        let side = Float(Self.bucketSide)
        let tolerance = Self.tolerance
        guard place.x > -tolerance, place.y > -tolerance,
            place.x < Float(query.width) + tolerance, place.y < Float(query.height) + tolerance
        else { return nil }
        var best: (query: Int, bits: Int)?
        let (left, right) = (
            Int(max(0, place.x - tolerance) / side), Int((place.x + tolerance) / side)
        )
        let (top, bottom) = (
            Int(max(0, place.y - tolerance) / side), Int((place.y + tolerance) / side)
        )
        for row in top...max(top, min(bottom, rows - 1)) where row < rows {
            for column in left...max(left, min(right, columns - 1)) where column < columns {
                for candidate in buckets[row * columns + column] {
                    let other = points[candidate]
                    let (dx, dy) = (other.x - place.x, other.y - place.y)
                    guard dx * dx + dy * dy <= tolerance * tolerance else { continue }
                    let bits = DescriptorCode.difference(
                        query.codes, candidate, picture.codes, index)
                    guard bits <= Self.bitsMax, bits < best?.bits ?? Int.max,
                        plane.turnsAndScales(PointPair(catalog: point, query: other))
                    else { continue }
                    best = (candidate, bits)
                }
            }
        }
        return best
    }
}
