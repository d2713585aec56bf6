import Raster

/// Puts a picture, small, into the screenshot of a page.
struct Screenshot {
    let strength: Double
    let clutter: [Bitmap]

    func page(with picture: Bitmap, _ numbers: inout SeededNumbers) -> DistortedPicture {
        let isPhone = numbers.happens(0.4)
        let (width, height) = isPhone ? (420, Distortion.side) : (Distortion.side, 520)
        let isDark = numbers.happens(0.3)
        let ground = isDark ? Color(24, 24, 28) : Color(250, 250, 250)
        var canvas = Canvas(width: width, height: height, ground)
        let ink = isDark ? Color(225, 225, 225) : Color(40, 40, 40)
        let columns = isPhone ? numbers.integer(in: 1...3) : numbers.integer(in: 3...6)
        let cell = Double(width) / Double(columns)
        let side = cell * numbers.number(in: 0.6...0.85) * (1 - 0.2 * strength)
        let top = Double(numbers.integer(in: 50...110))
        paintHeader(on: &canvas, ink, height: top, &numbers)
        let rows = max(1, Int((Double(height) - top) / (side * 1.55 + 34)))
        let place = (
            row: numbers.index(below: rows), column: numbers.index(below: columns)
        )
        var outline: [Point] = []
        for row in 0..<rows {
            for column in 0..<columns {
                let corner = Point(
                    x: Double(column) * cell + (cell - side) / 2,
                    y: top + Double(row) * (side * 1.55 + 34))
                let isIt = (row, column) == place
                let shown = isIt ? picture : clutter.isEmpty ? nil : numbers.one(of: clutter)
                let box = put(shown, on: &canvas, at: corner, side: side)
                if isIt { outline = box }
                caption(on: &canvas, Point(x: corner.x, y: box[3].y + 6), side, ink, &numbers)
            }
        }
        var result = DistortedPicture(
            bitmap: canvas.bitmap, quality: Int(numbers.number(in: (90 - 40 * strength)...96)),
            outline: outline, steps: ["screenshot"])
        if numbers.happens(0.2 * strength) { result.scale(maxSide: 640) }
        return result
    }

    /// Draws a picture below and right of a corner; its own corners are returned.
    private func put(
        _ picture: Bitmap?, on canvas: inout Canvas, at corner: Point, side: Double
    ) -> [Point] {
        guard let picture else {
            let box = Self.corners(corner, side, side)
            canvas.fillPolygon(box, Color(150, 155, 160))
            return box
        }
        let aspect = Double(picture.height) / Double(picture.width)
        let width = aspect > 1.5 ? side * 1.5 / aspect : side
        let small = picture.scaled(maxSide: max(8, Int(max(width, width * aspect))))
        let place = Point(x: corner.x.rounded(.down), y: corner.y.rounded(.down))
        let box = Self.corners(place, Double(small.width), Double(small.height))
        canvas.draw(Canvas(small), onto: box)
        return box
    }

    private static func corners(_ corner: Point, _ width: Double, _ height: Double) -> [Point] {
        [
            corner, Point(x: corner.x + width, y: corner.y),
            Point(x: corner.x + width, y: corner.y + height),
            Point(x: corner.x, y: corner.y + height),
        ]
    }

    private func paintHeader(
        on canvas: inout Canvas, _ ink: Color, height: Double, _ numbers: inout SeededNumbers
    ) {
        canvas.fillBox(
            left: 0, top: 0, right: canvas.width, bottom: Int(height * 0.6), .chosen(by: &numbers))
        canvas.write(
            Words.text(12, &numbers), at: Point(x: 12, y: height * 0.2),
            Lettering(size: height * 0.2), .white)
        canvas.write(
            Words.text(26, &numbers), at: Point(x: 12, y: height * 0.72), Lettering(size: 8), ink)
    }

    private func caption(
        on canvas: inout Canvas, _ corner: Point, _ width: Double, _ ink: Color,
        _ numbers: inout SeededNumbers
    ) {
        let lettering = Lettering(size: 7)
        let count = max(3, Int(width / lettering.width(of: 1)))
        for line in 0..<2 {
            canvas.write(
                Words.text(line == 0 ? count : count * 2 / 3, &numbers),
                at: Point(x: corner.x, y: corner.y + Double(line) * 12), lettering, ink,
                part: line == 0 ? 256 : 140)
        }
    }
}
