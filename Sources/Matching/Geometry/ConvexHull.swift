/// The smallest convex polygon around points (Andrew's monotone chain, 1979).
enum ConvexHull {
    /// Its area; 0 for fewer than three points.
    static func area(_ points: [(Double, Double)]) -> Double {
        let sorted = points.sorted { $0 < $1 }
        let hull = chain(sorted) + chain(sorted.reversed())
        var twice = 0.0
        for index in hull.indices {
            let (from, to) = (hull[index], hull[(index + 1) % hull.count])
            twice += from.0 * to.1 - to.0 * from.1
        }
        return abs(twice) / 2
    }

    /// One side of the hull, without its last point.
    private static func chain(_ sorted: [(Double, Double)]) -> ArraySlice<(Double, Double)> {
        var kept: [(Double, Double)] = []
        for point in sorted {
            while kept.count >= 2, turn(kept[kept.count - 2], kept[kept.count - 1], point) <= 0 {
                kept.removeLast()
            }
            kept.append(point)
        }
        return kept.dropLast()
    }

    private static func turn(
        _ a: (Double, Double), _ b: (Double, Double), _ c: (Double, Double)
    ) -> Double {
        (b.0 - a.0) * (c.1 - b.1) - (b.1 - a.1) * (c.0 - b.0)
    }
}
