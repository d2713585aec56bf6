public import Raster

/// Makes covers of series: different pictures that have a format band, a logo or a title in the same
/// letters in common, as editions, volumes and discs have.
///
/// One cover of a series is no stranger in its lettering, and yet must not be taken for another one.
public struct SeriesGenerator: Sendable {
    /// Names the algorithm and its constants.
    public static let version = "series-1"

    private let seed: UInt64

    /// Series that follow from a seed.
    public init(seed: UInt64) { self.seed = seed }

    /// A cover of a series; each `volume` of a series has the same mark on another picture.
    public func cover(of series: Int, volume: Int) -> Bitmap {
        let covers = CatalogGenerator(
            seed: SeededNumbers.value(of: seed, stream: UInt64(truncatingIfNeeded: volume) + 1))
        var canvas = Canvas(covers.picture(series).scaled(maxSide: 640))
        var numbers = SeededNumbers(seed: seed, stream: UInt64(truncatingIfNeeded: series))
        switch numbers.index(below: 3) {
        case 0: paintBand(on: &canvas, &numbers)
        case 1: paintLogo(on: &canvas, &numbers)
        default: paintTitle(on: &canvas, &numbers)
        }
        return canvas.bitmap
    }

    /// A band over the whole width, as formats have.
    private func paintBand(on canvas: inout Canvas, _ numbers: inout SeededNumbers) {
        let height = canvas.width * numbers.integer(in: 9...14) / 100
        let top = numbers.happens(0.7) ? 0 : canvas.height - height
        let ground = Color.chosen(by: &numbers)
        canvas.fillBox(left: 0, top: top, right: canvas.width, bottom: top + height, ground)
        let ink = ground.contrast(&numbers)
        var lettering = Lettering(size: Double(height) * 0.5)
        lettering.weight = numbers.number(in: 0.1...0.22)
        lettering.slant = numbers.number(in: 0...0.3)
        let count = numbers.integer(in: 5...9)
        canvas.write(
            Words.text(count, &numbers),
            at: Point(
                x: (Double(canvas.width) - lettering.width(of: count)) / 2,
                y: Double(top) + Double(height) * 0.25), lettering, ink)
        for side in [0.08, 0.92] {
            canvas.fillEllipse(
                center: Point(
                    x: Double(canvas.width) * side, y: Double(top) + Double(height) / 2),
                radiusX: Double(height) * 0.35, radiusY: Double(height) * 0.3, inner: 0.7, ink)
        }
    }

    /// A sign in a corner, as publishers have.
    private func paintLogo(on canvas: inout Canvas, _ numbers: inout SeededNumbers) {
        let radius = Double(canvas.width) * numbers.number(in: 0.09...0.14)
        let center = Point(
            x: numbers.happens(0.5) ? radius * 1.2 : Double(canvas.width) - radius * 1.2,
            y: numbers.happens(0.5) ? radius * 1.2 : Double(canvas.height) - radius * 1.2)
        let ground = Color.chosen(by: &numbers)
        canvas.fillEllipse(center: center, radiusX: radius, radiusY: radius, ground)
        for _ in 0..<4 {
            Scene.paintShape(
                on: &canvas,
                center: Point(
                    x: center.x + numbers.number(in: -0.5...0.5) * radius,
                    y: center.y + numbers.number(in: -0.5...0.5) * radius), size: radius * 0.4,
                &numbers)
        }
        var lettering = Lettering(size: radius * 0.35)
        lettering.weight = 0.16
        canvas.write(
            Words.text(5, &numbers),
            at: Point(x: center.x - lettering.width(of: 5) / 2, y: center.y - radius * 0.15),
            lettering, ground.contrast(&numbers))
    }

    /// The same title in the same letters, on a ground that lets the picture through.
    private func paintTitle(on canvas: inout Canvas, _ numbers: inout SeededNumbers) {
        let count = numbers.integer(in: 7...12)
        var lettering = Lettering(size: 10)
        lettering.weight = numbers.number(in: 0.08...0.2)
        lettering.stretch = numbers.number(in: 0.6...1)
        lettering.hasSerifs = numbers.happens(0.5)
        lettering.size = 10 * Double(canvas.width) * 0.85 / lettering.width(of: count)
        let origin = Point(
            x: Double(canvas.width) * 0.08,
            y: Double(canvas.height) * numbers.number(in: 0.06...0.7))
        canvas.write(Words.text(count, &numbers), at: origin, lettering, .chosen(by: &numbers))
    }
}

extension SeededNumbers {
    /// The first number of a stream of a seed.
    static func value(of seed: UInt64, stream: UInt64) -> UInt64 {
        var numbers = SeededNumbers(seed: seed, stream: stream)
        return numbers.next()
    }
}
