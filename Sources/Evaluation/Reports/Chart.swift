public import Raster

/// Draws a curve as a picture: accepted from 0 to 100 % on the left, false accepts on a scale of
/// their own on the right.
public struct Chart: Sendable {
    private static let width = 900
    private static let height = 560
    /// The plot's edges.
    private static let left = 80
    private static let right = 810
    private static let top = 60
    private static let bottom = 490

    private static let acceptedColor = Color(20, 90, 200)
    private static let falseColor = Color(210, 50, 30)
    private static let ink = Color(40, 40, 40)
    private static let rule = Color(222, 222, 222)

    private let curve: Curve
    private let title: String
    private let cut: Int
    /// The largest false-accept rate that is shown; the line stays at the top beyond it.
    private let falseMost: Double

    /// A chart of a curve with a line at a cut.
    public init(_ curve: Curve, title: String, cut: Int) {
        self.curve = curve
        self.title = title
        self.cut = cut
        // The cut is what matters: the scale holds four times the rate there.
        let rate = curve.rows.last { $0.distance <= cut }?.falseAccepts ?? 0
        falseMost = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5].first { $0 >= 4 * rate } ?? 1
    }

    /// The picture.
    public func picture() -> Bitmap {
        var canvas = Canvas(width: Self.width, height: Self.height, .white)
        write(title, 20, 18, size: 14, on: &canvas)
        paintGrid(on: &canvas)
        paintCut(on: &canvas)
        paintLine(on: &canvas, Self.falseColor) { $0.falseAccepts / falseMost }
        paintLine(on: &canvas, Self.acceptedColor) { $0.accepted }
        paintLegend(on: &canvas)
        return canvas.bitmap
    }

    private var distanceMost: Int { curve.rows.last?.distance ?? 1 }

    private func place(_ distance: Int, _ share: Double) -> Point {
        let x = Double(distance) / Double(distanceMost)
        return Point(
            x: Double(Self.left) + x * Double(Self.right - Self.left),
            y: Double(Self.bottom) - min(1, share) * Double(Self.bottom - Self.top))
    }

    private func paintGrid(on canvas: inout Canvas) {
        for step in 0...10 {
            let share = Double(step) / 10
            let y = place(0, share).y
            canvas.stroke(
                from: Point(x: Double(Self.left), y: y), to: Point(x: Double(Self.right), y: y),
                width: 1, Self.rule)
            write(
                "\(step * 10) %", 26, y - 5, size: 9, color: Self.acceptedColor, on: &canvas)
            write(
                Self.percent(share * falseMost), Self.right + 8, y - 5, size: 9,
                color: Self.falseColor, on: &canvas)
        }
        for step in 0...10 {
            let distance = distanceMost * step / 10
            let x = place(distance, 0).x
            canvas.stroke(
                from: Point(x: x, y: Double(Self.top)), to: Point(x: x, y: Double(Self.bottom)),
                width: 1, Self.rule)
            let text = EvaluationResult.distance(distance)
            write(
                String(text.dropLast()), Int(x) - 14, Double(Self.bottom) + 10, size: 9, on: &canvas
            )
        }
        write("distance", 410, Double(Self.bottom) + 32, size: 11, on: &canvas)
    }

    private func paintCut(on canvas: inout Canvas) {
        let x = place(cut, 0).x
        canvas.stroke(
            from: Point(x: x, y: Double(Self.top)), to: Point(x: x, y: Double(Self.bottom)),
            width: 2, Color(150, 150, 150))
        write("cut", Int(x) + 5, Double(Self.top) + 5, size: 9, on: &canvas)
    }

    private func paintLine(
        on canvas: inout Canvas, _ color: Color, _ share: (Curve.Row) -> Double
    ) {
        let points = curve.rows.map { place($0.distance, share($0)) }
        for (one, other) in zip(points, points.dropFirst()) {
            canvas.stroke(from: one, to: other, width: 2.5, color)
        }
    }

    private func paintLegend(on canvas: inout Canvas) {
        let y = Double(Self.bottom) + 52
        write(
            "accepted (left)", Self.left, y, size: 10, color: Self.acceptedColor, on: &canvas)
        write(
            "false accepts (right)", Self.left + 200, y, size: 10, color: Self.falseColor,
            on: &canvas)
    }

    private func write(
        _ text: String, _ x: Int, _ y: Double, size: Double, color: Color = ink,
        on canvas: inout Canvas
    ) {
        var lettering = Lettering(size: size)
        lettering.weight = 0.14
        canvas.write(text, at: Point(x: Double(x), y: y), lettering, color)
    }

    /// A share as percent with as many digits as it needs, two at most.
    private static func percent(_ share: Double) -> String {
        let hundredths = Int((share * 10_000).rounded())
        let rest = hundredths % 100
        let digits =
            rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : rest < 10 ? ".0\(rest)" : ".\(rest)"
        return "\(hundredths / 100)\(digits) %"
    }
}
