import Raster

/// Takes a photograph of a picture.
struct Photographing {
    let strength: Double
    let clutter: [Bitmap]

    func photo(of picture: Bitmap, _ numbers: inout SeededNumbers) -> DistortedPicture {
        let isWide = numbers.happens(0.4)
        let side = Distortion.side
        var canvas = Canvas(
            width: isWide ? side : side * 3 / 4, height: isWide ? side * 3 / 4 : side, .black)
        var steps = ["perspective"]
        paintTable(on: &canvas, &numbers)
        let corners = pose(of: picture, on: canvas, &numbers)
        let longest =
            zip(corners, corners.dropFirst() + [corners[0]]).map { one, other in
                let (dx, dy) = (other.x - one.x, other.y - one.y)
                return (dx * dx + dy * dy).squareRoot()
            }.max() ?? 1
        let shown = picture.scaled(maxSide: max(16, Int(longest * 1.15)))
        canvas.draw(Canvas(shown), onto: corners)
        if numbers.happens(0.35 * strength) {
            occlude(corners, on: &canvas, &numbers)
            steps.append("occlusion")
        }
        if numbers.happens(0.45 * strength) {
            glare(corners, on: &canvas, &numbers)
            steps.append("glare")
        }
        var light = Lighting(strength: strength)
        steps += light.apply(to: &canvas, &numbers)
        var result = DistortedPicture(
            bitmap: canvas.bitmap, quality: quality(&numbers), outline: corners, steps: steps)
        if numbers.happens(0.35 * strength) {
            result.scale(maxSide: numbers.integer(in: 420...side))
        }
        return result
    }

    private func quality(_ numbers: inout SeededNumbers) -> Int {
        Int(numbers.number(in: (90 - 55 * strength)...95))
    }

    /// A ground of some colour and texture with pictures lying about.
    private func paintTable(on canvas: inout Canvas, _ numbers: inout SeededNumbers) {
        let color = Color.chosen(by: &numbers)
        canvas.fillGradient(
            from: color, to: color.mixed(with: .chosen(by: &numbers), 110),
            turns: numbers.number(in: 0...1))
        let cell = numbers.integer(in: 3...30)
        canvas.addTexture(
            seed: numbers.next(), cellWidth: cell * numbers.integer(in: 1...6), cellHeight: cell,
            strength: numbers.integer(in: 6...40))
        guard !clutter.isEmpty else { return }
        for _ in 0..<Int(numbers.number(in: 0...(1 + 5 * strength))) {
            let picture = numbers.one(of: clutter)
            var placement = PicturePlacement(
                width: Double(picture.width), height: Double(picture.height),
                center: Point(
                    x: numbers.number(in: 0...Double(canvas.width)),
                    y: numbers.number(in: 0...Double(canvas.height))))
            let scale = numbers.number(in: 200...500) / placement.width
            placement.scaleX = scale
            placement.scaleY = scale
            placement.turns = numbers.number(in: 0...1)
            canvas.draw(picture, placement)
        }
    }

    /// Where the picture's corners lie: tilted about two axes, turned, moved, seen from near.
    private func pose(
        of picture: Bitmap, on canvas: Canvas, _ numbers: inout SeededNumbers
    ) -> [Point] {
        let tilt = 0.02 + 0.1 * strength
        let across = Direction(turns: numbers.number(in: -tilt...tilt))
        let along = Direction(turns: numbers.number(in: -tilt...tilt))
        let isAskew = numbers.happens(0.15 * strength)
        let turn = Direction(
            turns: numbers.number(in: -0.03...0.03) * (1 + strength)
                + (isAskew ? numbers.number(in: 0...1) : 0))
        let away = numbers.number(in: 1.6...3.2)
        let aspect = Double(picture.width) / Double(picture.height)
        let (halfX, halfY) = aspect < 1 ? (aspect / 2, 0.5) : (0.5, 0.5 / aspect)
        let flat = [(-halfX, -halfY), (halfX, -halfY), (halfX, halfY), (-halfX, halfY)].map {
            x, y in
            let (x1, z1) = (x * across.cosine, x * across.sine)
            let (y1, z2) = (y * along.cosine - z1 * along.sine, y * along.sine + z1 * along.cosine)
            return turn.turned(x1 * away / (away + z2), y1 * away / (away + z2))
        }
        let (left, right) = (flat.map(\.x).min() ?? 0, flat.map(\.x).max() ?? 1)
        let (top, bottom) = (flat.map(\.y).min() ?? 0, flat.map(\.y).max() ?? 1)
        let fit = min(
            Double(canvas.width) / (right - left), Double(canvas.height) / (bottom - top))
        let size = fit * numbers.number(in: (0.85 - 0.45 * strength)...0.97)
        // Anywhere inside, and a little beyond the edge.
        let room = 1 + 0.12 * strength
        func shift(_ length: Double, _ low: Double, _ high: Double, _ at: Double) -> Double {
            length / 2 - (low + high) / 2 * size
                + at * max(0, length * room - (high - low) * size) / 2
        }
        let x = shift(Double(canvas.width), left, right, numbers.number(in: -1...1))
        let y = shift(Double(canvas.height), top, bottom, numbers.number(in: -1...1))
        return flat.map { Point(x: $0.x * size + x, y: $0.y * size + y) }
    }

    /// Fingers, stickers or other things over a part of the picture.
    private func occlude(
        _ corners: [Point], on canvas: inout Canvas, _ numbers: inout SeededNumbers
    ) {
        for _ in 0..<numbers.integer(in: 1...2) {
            let edge = numbers.index(below: 4)
            let (one, other) = (corners[edge], corners[(edge + 1) % 4])
            let along = numbers.number(in: 0...1)
            let center = Point(
                x: one.x + (other.x - one.x) * along, y: one.y + (other.y - one.y) * along)
            let size = Double(min(canvas.width, canvas.height)) * (0.08 + 0.12 * strength)
            let skin = Color(
                numbers.integer(in: 90...240), numbers.integer(in: 60...190),
                numbers.integer(in: 40...160))
            canvas.fillEllipse(
                center: center, radiusX: size * numbers.number(in: 0.4...1.2),
                radiusY: size * numbers.number(in: 0.4...1.2), skin)
        }
    }

    /// Light that a surface mirrors: soft white spots or a band.
    private func glare(
        _ corners: [Point], on canvas: inout Canvas, _ numbers: inout SeededNumbers
    ) {
        let size = Double(min(canvas.width, canvas.height))
        for _ in 0..<numbers.integer(in: 1...2) {
            let (s, t) = (numbers.number(in: 0...1), numbers.number(in: 0...1))
            let center = Point(
                x: corners[0].x + (corners[1].x - corners[0].x) * s
                    + (corners[3].x - corners[0].x) * t,
                y: corners[0].y + (corners[1].y - corners[0].y) * s
                    + (corners[3].y - corners[0].y) * t)
            let radius = size * numbers.number(in: 0.06...(0.1 + 0.2 * strength))
            let stretch = numbers.number(in: 0.3...1)
            let rings = 14
            for ring in 1...rings {
                let share = Double(ring) / Double(rings)
                canvas.fillEllipse(
                    center: center, radiusX: radius * (1.2 - share),
                    radiusY: radius * (1.2 - share) * stretch, .white,
                    part: Int(20 + 30 * strength))
            }
        }
    }
}
