import Raster

/// Small pictures made from nothing, and the shapes that they are made of.
enum Scene {
    /// A picture of shapes and textures, from 120 to 240 pixels on a side.
    static func picture(_ numbers: inout SeededNumbers) -> Bitmap {
        let width = numbers.integer(in: 120...240)
        let height = numbers.integer(in: 120...240)
        let ground = Color.chosen(by: &numbers)
        var canvas = Canvas(width: width, height: height, ground)
        canvas.fillGradient(
            from: ground, to: .chosen(by: &numbers), turns: numbers.number(in: 0...1))
        for _ in 0..<numbers.integer(in: 10...30) {
            paintShape(
                on: &canvas,
                center: Point(
                    x: numbers.number(in: 0...Double(width)),
                    y: numbers.number(in: 0...Double(height))),
                size: 26, &numbers)
        }
        for cell in [numbers.integer(in: 10...24), numbers.integer(in: 3...6)] {
            canvas.addTexture(
                seed: numbers.next(), cellWidth: cell, cellHeight: cell,
                strength: numbers.integer(in: 2...24))
        }
        return canvas.bitmap
    }

    /// Paints some shape of about this size.
    static func paintShape(
        on canvas: inout Canvas, center: Point, size: Double, _ numbers: inout SeededNumbers
    ) {
        let color = Color.chosen(by: &numbers)
        let part = numbers.happens(0.6) ? 256 : numbers.integer(in: 90...220)
        let radius = size * numbers.number(in: 0.2...1)
        switch numbers.index(below: 5) {
        case 0:
            canvas.fillEllipse(
                center: center, radiusX: radius, radiusY: radius * numbers.number(in: 0.4...1),
                inner: numbers.happens(0.3) ? numbers.number(in: 0.5...0.9) : 0, color, part: part)
        case 1:
            canvas.stroke(
                from: center,
                to: Point(
                    x: center.x + numbers.number(in: -2...2) * size,
                    y: center.y + numbers.number(in: -2...2) * size),
                width: numbers.number(in: 1...(max(2, size / 6))), color, part: part)
        default:
            let corners = numbers.integer(in: 3...6)
            let start = numbers.number(in: 0...1)
            let points = (0..<corners).map { corner in
                let direction = Direction(turns: start + Double(corner) / Double(corners))
                return Point(
                    x: center.x + direction.cosine * radius,
                    y: center.y + direction.sine * radius)
            }
            canvas.fillPolygon(points, color, part: part)
        }
    }
}

/// Made-up words.
enum Words {
    private static let consonants = Array("bcdfghjklmnpqrstvwxyz")
    private static let vowels = Array("aeiouy")

    /// Text of exactly so many characters: words, sometimes in capitals, sometimes with a number.
    static func text(_ count: Int, _ numbers: inout SeededNumbers) -> String {
        var text = ""
        while text.count < count {
            if numbers.happens(0.1) {
                text += String(numbers.integer(in: 1...2_030))
            } else {
                let isVowelFirst = numbers.happens(0.3) ? 1 : 0
                var word = ""
                for at in 0..<numbers.integer(in: 2...8) {
                    let letters = (at + isVowelFirst) % 2 == 0 ? consonants : vowels
                    word.append(numbers.one(of: letters))
                }
                text += numbers.happens(0.5) ? word.uppercased() : word
            }
            text += " "
        }
        return String(text.prefix(count))
    }
}
