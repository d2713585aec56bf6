/// How text is drawn.
package struct Lettering: Sendable {
    /// Pixels from the top of capitals to the base line.
    package var size: Double
    /// Width of the strokes, as a share of the size.
    package var weight = 0.1
    /// Width of the glyphs, 1 as they are drawn.
    package var stretch = 0.8
    /// Pixels that the tops lean to the right, as a share of the size.
    package var slant = 0.0
    /// Turns clockwise.
    package var turns = 0.0
    /// Short bars at the ends of strokes.
    package var hasSerifs = false

    /// Plain letters of a size.
    package init(size: Double) { self.size = size }

    /// Pixels that a text of so many characters takes.
    package func width(of count: Int) -> Double {
        Double(count) * StrokeFont.advance * unit * stretch
    }

    var unit: Double { size / StrokeFont.capHeight }
}

extension Canvas {
    /// Draws a line of text; `origin` is the top left of its first capital.
    package mutating func write(
        _ text: String, at origin: Point, _ lettering: Lettering, _ color: Color, part: Int = 256
    ) {
        let direction = Direction(turns: lettering.turns)
        let unit = lettering.unit
        func place(_ point: Point, _ start: Double) -> Point {
            let x =
                (start + point.x) * unit * lettering.stretch
                + (StrokeFont.capHeight - point.y) * unit * lettering.slant
            let turned = direction.turned(x, point.y * unit)
            return Point(x: origin.x + turned.x, y: origin.y + turned.y)
        }
        let width = lettering.size * lettering.weight
        for (number, character) in text.enumerated() {
            let start = Double(number) * StrokeFont.advance
            for points in StrokeFont.strokes(of: character) {
                for (one, other) in zip(points, points.dropFirst()) {
                    stroke(
                        from: place(one, start), to: place(other, start), width: width, color,
                        part: part)
                }
                guard lettering.hasSerifs else { continue }
                for end in [points.first, points.last].compactMap({ $0 }) {
                    stroke(
                        from: place(Point(x: end.x - 0.7, y: end.y), start),
                        to: place(Point(x: end.x + 0.7, y: end.y), start), width: width * 0.6,
                        color, part: part)
                }
            }
        }
    }
}
