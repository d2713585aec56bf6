public import Raster

/// Pairs of covers that are strangers to each other and share what covers of one publisher, series or
/// format share: a band along an edge, a series' logo, or lettering.
public struct Lookalikes: Sendable {
    /// What two covers share.
    public enum Kind: CaseIterable, Sendable {
        /// A band along the top with words and a mark, 8 to 13 % of the height.
        case band
        /// A round mark with words and lines in it, 18 to 30 % of the width.
        case logo
        /// A title in two lines, the same words in the same type.
        case lettering
    }

    private let generator: CatalogGenerator

    /// Pairs that follow from a seed.
    public init(seed: UInt64) { generator = CatalogGenerator(seed: seed ^ 0x100C_A11C_E500) }

    /// What the pair of a number shares.
    public static func kind(of number: Int) -> Kind {
        Kind.allCases[number % Kind.allCases.count]
    }

    /// Two covers of one pair: the same size in the same place for what they share.
    public func pair(_ number: Int) -> (one: Bitmap, other: Bitmap) {
        var (one, other) = (
            Canvas(generator.picture(2 * number).scaled(maxSide: 640)),
            Canvas(generator.picture(2 * number + 1).scaled(maxSide: 640))
        )
        draw(number, on: &one)
        draw(number, on: &other)
        return (one.bitmap, other.bitmap)
    }

    private func draw(_ number: Int, on canvas: inout Canvas) {
        var numbers = SeededNumbers(seed: generator.seed, stream: UInt64(number))
        switch Self.kind(of: number) {
        case .band: drawBand(on: &canvas, &numbers)
        case .logo: drawLogo(on: &canvas, &numbers)
        case .lettering: drawLettering(on: &canvas, &numbers)
        }
    }

    private func drawBand(on canvas: inout Canvas, _ numbers: inout SeededNumbers) {
        let height = Double(canvas.height) * numbers.number(in: 0.08...0.13)
        let color = Color.chosen(by: &numbers)
        let ink = color.contrast(&numbers)
        canvas.fillBox(left: 0, top: 0, right: canvas.width, bottom: Int(height), color)
        var lettering = Lettering(size: height * 0.5)
        lettering.weight = numbers.number(in: 0.1...0.2)
        let text = Words.text(numbers.integer(in: 6...12), &numbers)
        canvas.write(text, at: Point(x: height * 0.4, y: height * 0.25), lettering, ink)
        canvas.fillEllipse(
            center: Point(x: Double(canvas.width) - height, y: height / 2), radiusX: height * 0.7,
            radiusY: height * 0.4, inner: 0.8, ink)
    }

    private func drawLogo(on canvas: inout Canvas, _ numbers: inout SeededNumbers) {
        let radius = Double(canvas.width) * numbers.number(in: 0.09...0.15)
        let center = Point(
            x: Double(canvas.width) * numbers.number(in: 0.2...0.8),
            y: Double(canvas.height) * numbers.number(in: 0.2...0.8))
        let color = Color.chosen(by: &numbers)
        let ink = color.contrast(&numbers)
        canvas.fillEllipse(center: center, radiusX: radius, radiusY: radius, color)
        canvas.fillEllipse(center: center, radiusX: radius, radiusY: radius, inner: 0.9, ink)
        for _ in 0..<8 {
            let ends = (0..<2).map { _ in
                Point(
                    x: center.x + radius * numbers.number(in: -0.6...0.6),
                    y: center.y + radius * numbers.number(in: -0.6...0.6))
            }
            canvas.stroke(
                from: ends[0], to: ends[1], width: numbers.number(in: 1.5...5),
                .chosen(by: &numbers))
        }
        let lettering = Lettering(size: radius * 0.3)
        let text = Words.text(6, &numbers)
        let left = center.x - lettering.width(of: 6) / 2
        canvas.write(text, at: Point(x: left, y: center.y - radius * 0.15), lettering, ink)
    }

    private func drawLettering(on canvas: inout Canvas, _ numbers: inout SeededNumbers) {
        let size = Double(canvas.height) * numbers.number(in: 0.04...0.07)
        var lettering = Lettering(size: size)
        lettering.weight = numbers.number(in: 0.08...0.2)
        lettering.hasSerifs = numbers.happens(0.5)
        var y = Double(canvas.height) * numbers.number(in: 0.05...0.7)
        let color = Color.chosen(by: &numbers)
        let rim = color.contrast(&numbers)
        let room = Int(Double(canvas.width) * 0.85 / lettering.width(of: 1))
        for _ in 0..<2 {
            let text = Words.text(max(4, min(room, numbers.integer(in: 8...14))), &numbers)
            var outer = lettering
            outer.weight += 0.08
            let origin = Point(x: Double(canvas.width) * 0.06, y: y)
            canvas.write(text, at: origin, outer, rim)
            canvas.write(text, at: origin, lettering, color)
            y += size * 1.5
        }
    }
}
