import Raster

/// Paints a planned cover.
struct CoverPainter {
    private let plan: CoverPlan
    private let material: [Bitmap]
    private var numbers: SeededNumbers
    private var canvas: Canvas
    private let ground: Color

    init(_ plan: CoverPlan, material: [Bitmap]) {
        self.plan = plan
        self.material = material
        numbers = SeededNumbers(seed: plan.seed, stream: 2)
        ground = Color.chosen(by: &numbers)
        canvas = Canvas(width: plan.width, height: plan.height, ground)
    }

    mutating func paint() -> Bitmap {
        paintGround()
        for panel in plan.panels { paint(panel) }
        for _ in 0..<plan.shapes { paintShape() }
        paintTitle()
        for _ in 0..<plan.lines { paintLine() }
        if numbers.happens(0.3) {
            let cell = numbers.integer(in: 2...4)
            canvas.addTexture(
                seed: numbers.next(), cellWidth: cell, cellHeight: cell,
                strength: numbers.integer(in: 2...7))
        }
        return canvas.bitmap
    }

    private mutating func paintGround() {
        // A picture that covers everything hides the ground.
        if let first = plan.panels.first, first.width >= Double(plan.width),
            first.height >= Double(plan.height)
        {
            return
        }
        canvas.fillGradient(
            from: ground,
            to: ground.mixed(with: .chosen(by: &numbers), numbers.integer(in: 0...160)),
            turns: numbers.number(in: 0...1))
        let cell = numbers.integer(in: 4...40)
        canvas.addTexture(
            seed: numbers.next(), cellWidth: cell,
            cellHeight: max(2, cell * numbers.integer(in: 1...6) / 3),
            strength: numbers.integer(in: 0...16))
    }

    private mutating func paint(_ panel: CoverPlan.Panel) {
        var numbers = SeededNumbers(seed: panel.seed)
        let picture: Bitmap
        if let index = panel.material, material[index].width > 1, material[index].height > 1 {
            picture = material[index]
        } else {
            picture = Scene.picture(&numbers)
        }
        let width = Double(picture.width)
        let height = Double(picture.height)
        let share = numbers.number(in: 0.3...0.85)
        // As much of the picture as has the panel's shape, up to a fourth.
        let aspect = panel.width / panel.height * numbers.number(in: 0.8...1.25)
        let partWidth = min(width, height * aspect) * share
        let partHeight = min(height, width / aspect) * share
        var placement = PicturePlacement(
            width: max(2, partWidth), height: max(2, partHeight), center: panel.center)
        placement.left = (width - placement.width) * numbers.number(in: 0...1)
        placement.top = (height - placement.height) * numbers.number(in: 0...1)
        placement.scaleX = panel.width / placement.width
        placement.scaleY = panel.height / placement.height
        placement.turns = panel.turns
        placement.part = panel.part
        placement.recoloring = .chosen(by: &numbers)
        if numbers.happens(0.25) {
            placement.wave = numbers.number(in: 1...(max(1.5, width / 40)))
            placement.waveLength = numbers.integer(in: 60...400)
        }
        canvas.draw(picture, placement)
    }

    private mutating func paintShape() {
        let center = Point(
            x: numbers.number(in: 0...Double(plan.width)),
            y: numbers.number(in: 0...Double(plan.height)))
        Scene.paintShape(
            on: &canvas, center: center, size: Double(min(plan.width, plan.height)) * 0.16,
            &numbers)
    }

    private mutating func paintTitle() {
        let count = numbers.integer(in: 4...14)
        var lettering = letteringStyle(size: 10)
        let width = Double(plan.width)
        let wanted = width * numbers.number(in: 0.6...0.95)
        lettering.size = min(
            Double(plan.height) / 5, 10 * wanted / max(1, lettering.width(of: count)))
        let origin = Point(
            x: (width - lettering.width(of: count)) / 2,
            y: Double(plan.height)
                * numbers.one(of: [0.04, 0.06, 0.1, 0.7, 0.8])
                + numbers.number(in: 0...0.05) * Double(plan.height))
        let text = Words.text(count, &numbers)
        let color = Color.chosen(by: &numbers)
        if numbers.happens(0.4) {
            var rim = lettering
            rim.weight += 0.08
            canvas.write(text, at: origin, rim, color.contrast(&numbers))
        }
        canvas.write(text, at: origin, lettering, color)
    }

    private mutating func paintLine() {
        var lettering = letteringStyle(
            size: Double(plan.height) * numbers.number(in: 0.014...0.045) + 4)
        if numbers.happens(0.12) { lettering.turns = numbers.number(in: -0.25...0.25) }
        let room = Int(Double(plan.width) * 0.9 / max(1, lettering.width(of: 1)))
        let count = max(3, min(room, numbers.integer(in: 6...32)))
        let origin = Point(
            x: numbers.number(
                in: 0...(max(1, Double(plan.width) - lettering.width(of: count)))),
            y: numbers.number(in: 0.02...0.96) * Double(plan.height))
        if numbers.happens(0.3) {
            let (left, top) = (Int(origin.x), Int(origin.y))
            canvas.fillBox(
                left: left - 4, top: top - 4, right: left + Int(lettering.width(of: count)),
                bottom: top + Int(lettering.size) + 5, .chosen(by: &numbers),
                part: numbers.integer(in: 140...256))
        }
        let text = Words.text(count, &numbers)
        canvas.write(text, at: origin, lettering, .chosen(by: &numbers))
    }

    private mutating func letteringStyle(size: Double) -> Lettering {
        var lettering = Lettering(size: size)
        lettering.weight = numbers.number(in: 0.06...0.24)
        lettering.stretch = numbers.number(in: 0.55...1.15)
        lettering.slant = numbers.happens(0.3) ? numbers.number(in: -0.1...0.35) : 0
        lettering.hasSerifs = numbers.happens(0.35)
        return lettering
    }
}
