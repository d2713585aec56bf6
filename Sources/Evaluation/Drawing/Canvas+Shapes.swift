extension Canvas {
    /// Draws a convex polygon with soft edges; the points run clockwise. `part` of its colour is
    /// mixed in, 0 to 256.
    package mutating func fillPolygon(_ points: [Point], _ color: Color, part: Int = 256) {
        guard points.count >= 3 else { return }
        var edges: [(a: Float, b: Float, c: Float)] = []
        for (index, one) in points.enumerated() {
            let other = points[(index + 1) % points.count]
            let (dx, dy) = (other.x - one.x, other.y - one.y)
            let length = max(1e-6, (dx * dx + dy * dy).squareRoot())
            edges.append(
                (
                    Float(-dy / length), Float(dx / length),
                    Float((dy * one.x - dx * one.y) / length)
                ))
        }
        let xs = points.map(\.x)
        let ys = points.map(\.y)
        mix(
            color, left: Self.floor(xs.min() ?? 0), top: Self.floor(ys.min() ?? 0),
            right: Self.floor(xs.max() ?? 0) + 2, bottom: Self.floor(ys.max() ?? 0) + 2
        ) { x, y in
            var inside = Float(1)
            let (x, y) = (Float(x) + 0.5, Float(y) + 0.5)
            for edge in edges { inside = min(inside, edge.a * x + edge.b * y + edge.c + 0.5) }
            return inside <= 0 ? 0 : Int(inside * Float(part))
        }
    }

    /// Draws a rectangle of whole pixels.
    package mutating func fillBox(
        left: Int, top: Int, right: Int, bottom: Int, _ color: Color, part: Int = 256
    ) {
        mix(color, left: left, top: top, right: right, bottom: bottom) { _, _ in part }
    }

    /// Draws an ellipse with soft edges, or only its rim if `inner` (0 to 1, of the radius) is
    /// above 0.
    mutating func fillEllipse(
        center: Point, radiusX: Double, radiusY: Double, inner: Double = 0, _ color: Color,
        part: Int = 256
    ) {
        let (x0, y0) = (Float(center.x), Float(center.y))
        let (rx, ry) = (Float(max(1, radiusX)), Float(max(1, radiusY)))
        let soft = min(rx, ry)
        let inner = Float(inner)
        mix(
            color, left: Self.floor(center.x - radiusX), top: Self.floor(center.y - radiusY),
            right: Self.floor(center.x + radiusX) + 2, bottom: Self.floor(center.y + radiusY) + 2
        ) { x, y in
            let dx = (Float(x) + 0.5 - x0) / rx
            let dy = (Float(y) + 0.5 - y0) / ry
            let radius = (dx * dx + dy * dy).squareRoot()
            guard radius < 1 + 1 / soft else { return 0 }
            var cover = min(1, (1 - radius) * soft + 0.5)
            if inner > 0 { cover = min(cover, (radius - inner) * soft + 0.5) }
            return cover <= 0 ? 0 : Int(cover * Float(part))
        }
    }

    /// Draws a line with round ends.
    package mutating func stroke(
        from one: Point, to other: Point, width: Double, _ color: Color, part: Int = 256
    ) {
        let radius = Float(max(0.35, width / 2))
        let (x0, y0) = (Float(one.x), Float(one.y))
        let (dx, dy) = (Float(other.x) - x0, Float(other.y) - y0)
        let square = dx * dx + dy * dy
        let scale = square > 0 ? 1 / square : 0
        let reach = Double(radius) + 1
        mix(
            color, left: Self.floor(min(one.x, other.x) - reach),
            top: Self.floor(min(one.y, other.y) - reach),
            right: Self.floor(max(one.x, other.x) + reach) + 1,
            bottom: Self.floor(max(one.y, other.y) + reach) + 1
        ) { x, y in
            let px = Float(x) + 0.5 - x0
            let py = Float(y) + 0.5 - y0
            let along = max(0, min(1, (px * dx + py * dy) * scale))
            let (ex, ey) = (px - along * dx, py - along * dy)
            let away = ex * ex + ey * ey
            guard away < (radius + 0.5) * (radius + 0.5) else { return 0 }
            return Int(min(1, radius + 0.5 - away.squareRoot()) * Float(part))
        }
    }

    static func floor(_ value: Double) -> Int {
        Int(max(-1e6, min(1e6, value)).rounded(.down))
    }
}
