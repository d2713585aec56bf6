/// What stands where on a generated cover.
struct CoverPlan {
    /// A picture on the cover, in pixels.
    struct Panel {
        var center: Point
        var width: Double
        var height: Double
        var turns = 0.0
        /// Index of the material; nil for a scene made from nothing.
        var material: Int?
        /// Where its numbers come from.
        var seed: UInt64
        var part = 256
    }

    private(set) var width: Int
    private(set) var height: Int
    private(set) var panels: [Panel] = []
    /// Lines of lettering beside the title, and shapes.
    private(set) var lines: Int
    private(set) var shapes: Int
    /// Where everything but the panels' own numbers comes from.
    let seed: UInt64

    /// Width over height: books, films, discs, and what is wide.
    private static let aspects = [0.62, 0.66, 0.67, 0.7, 0.71, 0.75, 0.8, 1, 1, 1, 1.33, 1.5]

    init(seed: UInt64, index: Int, materialCount: Int) {
        var numbers = SeededNumbers(seed: seed, stream: UInt64(truncatingIfNeeded: index))
        self.seed = numbers.next()
        // Apart from the others, so that more material changes nothing but which part is shown.
        var choice = SeededNumbers(seed: self.seed, stream: 1)
        let longer = Double(numbers.integer(in: CatalogGenerator.sides))
        let aspect = numbers.one(of: Self.aspects) * numbers.number(in: 0.96...1.04)
        width = Int(aspect > 1 ? longer : longer * aspect)
        height = Int(aspect > 1 ? longer / aspect : longer)
        lines = numbers.integer(in: 0...4)
        shapes = max(0, numbers.integer(in: -4...6))
        arrange(&numbers)
        for at in panels.indices {
            panels[at].seed = numbers.next()
            let isScene = materialCount == 0 || choice.happens(0.15)
            let pick = choice.next()
            guard !isScene else { continue }
            panels[at].material = Int(pick.multipliedFullWidth(by: UInt64(materialCount)).high)
        }
    }

    private mutating func arrange(_ numbers: inout SeededNumbers) {
        let (w, h) = (Double(width), Double(height))
        switch numbers.index(below: 10) {
        case 0...2:
            add(w / 2, h / 2, w, h)
            for _ in 0..<numbers.integer(in: 0...2) { addSomewhere(0.25...0.6, &numbers) }
        case 3, 4:
            let size = numbers.number(in: 0.55...0.85)
            add(w / 2, h * numbers.number(in: 0.45...0.6), w * size, h * size)
            if numbers.happens(0.5) { addSomewhere(0.2...0.4, &numbers) }
            shapes += 3
        case 5: addGrid(&numbers)
        case 6:
            add(w / 2, h / 2, w, h)
            for _ in 0..<numbers.integer(in: 3...7) { addSomewhere(0.25...0.5, &numbers) }
        case 7: addBands(&numbers)
        default:
            addSomewhere(0.4...0.7, &numbers)
            lines += 6
            shapes += 8
        }
    }

    private mutating func add(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
        panels.append(Panel(center: Point(x: x, y: y), width: width, height: height, seed: 0))
    }

    /// A panel of a share of the cover's size at any place, often turned or let through.
    private mutating func addSomewhere(
        _ sizes: ClosedRange<Double>, _ numbers: inout SeededNumbers
    ) {
        let (w, h) = (Double(width), Double(height))
        add(
            w * numbers.number(in: 0.15...0.85), h * numbers.number(in: 0.15...0.85),
            w * numbers.number(in: sizes), h * numbers.number(in: sizes))
        let last = panels.count - 1
        if numbers.happens(0.5) { panels[last].turns = numbers.number(in: -0.12...0.12) }
        if numbers.happens(0.3) { panels[last].part = numbers.integer(in: 120...220) }
    }

    private mutating func addGrid(_ numbers: inout SeededNumbers) {
        let columns = numbers.integer(in: 2...3)
        let rows = numbers.integer(in: 2...4)
        let margin = numbers.number(in: 0...0.08)
        let (w, h) = (Double(width) / Double(columns), Double(height) / Double(rows))
        for row in 0..<rows {
            for column in 0..<columns {
                add(
                    (Double(column) + 0.5) * w, (Double(row) + 0.5) * h, w * (1 - margin),
                    h * (1 - margin))
            }
        }
    }

    private mutating func addBands(_ numbers: inout SeededNumbers) {
        let (w, h) = (Double(width), Double(height))
        let count = numbers.integer(in: 2...4)
        let isWide = numbers.happens(0.6)
        for band in 0..<count {
            let place = (Double(band) + 0.5) / Double(count)
            let share = numbers.number(in: 0.85...1) / Double(count)
            if isWide {
                add(w / 2, h * place, w, h * share)
            } else {
                add(w * place, h / 2, w * share, h)
            }
        }
    }
}
