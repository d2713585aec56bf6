/// The four corners of a catalog picture as they appear in the query, clockwise from top left.
struct Outline {
    /// Pixels of the query that the shortest side must have.
    private static let sideMin = 16.0
    /// Largest ratio of two opposite sides: tilt.
    private static let tiltMax = 4.0
    /// Largest ratio of the scales along the picture's two sides.
    private static let stretchMax = 4.0
    /// Largest area, in areas of the query.
    private static let areaMax = 100.0

    /// The corners, in pixels of the query.
    let corners: [(x: Double, y: Double)]

    /// The outline of a picture under a homography; nil if no photograph could show it so.
    init?(_ homography: Homography, width: Int, height: Int, query: FeaturePrint) {
        let (right, bottom) = (Double(width), Double(height))
        let sources = [(0, 0), (right, 0), (right, bottom), (0, bottom)]
        let corners = sources.compactMap { homography(x: $0.0, y: $0.1) }
        guard corners.count == 4 else { return nil }
        self.corners = corners
        guard isConvexAndNotMirrored, hasSaneSides(width: right, height: bottom),
            area <= Self.areaMax * Double(query.width * query.height)
        else { return nil }
    }

    /// The corners of the whole query.
    static func whole(_ query: FeaturePrint) -> [OutlinePoint] {
        let (right, bottom) = (Double(query.width), Double(query.height))
        return [
            OutlinePoint(x: 0, y: 0), OutlinePoint(x: right, y: 0),
            OutlinePoint(x: right, y: bottom), OutlinePoint(x: 0, y: bottom),
        ]
    }

    /// The corners, rounded to 1/8 pixel.
    var points: [OutlinePoint] {
        corners.map {
            OutlinePoint(x: ($0.x * 8).rounded() / 8, y: ($0.y * 8).rounded() / 8)
        }
    }

    private var area: Double { Polygon(corners: corners).area }

    /// The share of the outline that lies inside the query, 0...1.
    func visibleShare(of query: FeaturePrint) -> Double {
        let inside = Polygon(corners: corners).clipped(
            width: Double(query.width), height: Double(query.height))
        return max(0, min(1, inside.area / area))
    }

    /// All four turns go the same way round as in the picture itself.
    private var isConvexAndNotMirrored: Bool {
        (0..<4).allSatisfy { index in
            let (a, b, c) = (corners[index], corners[(index + 1) % 4], corners[(index + 2) % 4])
            return (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x) > 0
        }
    }

    private func hasSaneSides(width: Double, height: Double) -> Bool {
        let sides = (0..<4).map { index in
            let (from, to) = (corners[index], corners[(index + 1) % 4])
            let (dx, dy) = (to.x - from.x, to.y - from.y)
            return (dx * dx + dy * dy).squareRoot()
        }
        guard sides.allSatisfy({ $0 >= Self.sideMin }) else { return false }
        let isTilted = { (one: Double, other: Double) in
            one > Self.tiltMax * other || other > Self.tiltMax * one
        }
        let across = (sides[0] + sides[2]) / width
        let down = (sides[1] + sides[3]) / height
        return !isTilted(sides[0], sides[2]) && !isTilted(sides[1], sides[3])
            && across <= Self.stretchMax * down && down <= Self.stretchMax * across
    }
}
