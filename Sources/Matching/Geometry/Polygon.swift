/// Corners in order; the last is joined to the first.
struct Polygon {
    /// Pixels from the left and from the top.
    typealias Corner = (x: Double, y: Double)

    var corners: [Corner]

    /// Square pixels; positive if the corners run clockwise as seen.
    var area: Double {
        var twice = 0.0
        for index in corners.indices {
            let (from, to) = (corners[index], corners[(index + 1) % corners.count])
            twice += from.x * to.y - to.x * from.y
        }
        return twice / 2
    }

    /// The part inside 0...width and 0...height (Sutherland and Hodgman 1974).
    func clipped(width: Double, height: Double) -> Polygon {
        cut { $0.x }.cut { width - $0.x }.cut { $0.y }.cut { height - $0.y }
    }

    /// The part where a distance is not negative.
    private func cut(_ distance: (Corner) -> Double) -> Polygon {
        var kept: [Corner] = []
        for index in corners.indices {
            let (from, to) = (corners[index], corners[(index + 1) % corners.count])
            let (one, other) = (distance(from), distance(to))
            if one >= 0 { kept.append(from) }
            if (one < 0) != (other < 0) {
                let part = one / (one - other)
                kept.append((from.x + part * (to.x - from.x), from.y + part * (to.y - from.y)))
            }
        }
        return Polygon(corners: kept)
    }
}
