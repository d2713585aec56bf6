import Raster

/// Changes a picture as people do who post it again.
struct Editing {
    let strength: Double

    func edited(_ picture: Bitmap, _ numbers: inout SeededNumbers) -> DistortedPicture {
        let small = picture.scaled(
            maxSide: numbers.integer(in: (Distortion.side - Int(450 * strength))...Distortion.side))
        let (width, height) = (Double(small.width), Double(small.height))
        var steps: [String] = []
        var border = 0
        if numbers.happens(0.4) {
            border = Int(max(width, height) * numbers.number(in: 0.02...(0.04 + 0.15 * strength)))
            steps.append("border")
        }
        var cut = 0.0
        if border == 0, numbers.happens(0.5) {
            cut = numbers.number(in: 0...(0.02 + 0.16 * strength))
            steps.append("cut")
        }
        var turns = 0.0
        if numbers.happens(0.3 * strength) {
            turns = numbers.number(in: -0.07...0.07)
            steps.append("turned")
        }
        let size = (
            small.width - Int(width * cut) + 2 * border,
            small.height - Int(height * cut) + 2 * border
        )
        var canvas = Canvas(width: size.0, height: size.1, .chosen(by: &numbers))
        let shift = Point(
            x: Double(border) - width * cut * numbers.number(in: 0...1),
            y: Double(border) - height * cut * numbers.number(in: 0...1))
        let direction = Direction(turns: turns)
        let outline = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)].map { x, y in
            let turned = direction.turned(x - width / 2, y - height / 2)
            return Point(
                x: turned.x + width / 2 + shift.x.rounded(),
                y: turned.y + height / 2 + shift.y.rounded())
        }
        canvas.draw(Canvas(small), onto: outline)
        steps += recolored(&canvas, &numbers)
        return DistortedPicture(
            bitmap: canvas.bitmap, quality: Int(numbers.number(in: (88 - 65 * strength)...95)),
            outline: outline, steps: ["edit"] + steps)
    }

    private func recolored(
        _ canvas: inout Canvas, _ numbers: inout SeededNumbers
    ) -> [String] {
        switch numbers.index(below: 4) {
        case 0:
            canvas.recolor(Recoloring(dark: .black, light: .white))
            return ["grey"]
        case 1:
            let gains = (0..<3).map { _ in numbers.number(in: (1 - 0.4 * strength)...1.2) }
            canvas.recolor(
                Recoloring { level, channel in Int(Double(level) * gains[channel]) + 10 })
            return ["recoloured"]
        default: return []
        }
    }
}
