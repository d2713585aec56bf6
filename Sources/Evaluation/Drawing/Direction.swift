import Matching

/// A direction as a vector of length 1.
struct Direction {
    let cosine: Double
    let sine: Double

    /// From a number of turns, negative or above 1 too.
    init(turns: Double) {
        let whole = turns.rounded(.down)
        let direction = Elementary.direction(turns: min(turns - whole, 0x1.fffffffffffffp-1))
        cosine = direction.cosine
        sine = direction.sine
    }

    /// A vector turned by this direction.
    func turned(_ x: Double, _ y: Double) -> Point {
        Point(x: cosine * x - sine * y, y: sine * x + cosine * y)
    }
}

/// A place on a canvas, in pixels from the top left corner.
public struct Point: Sendable, Equatable {
    /// From the left edge.
    public var x: Double
    /// From the top edge.
    public var y: Double

    /// A place.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}
