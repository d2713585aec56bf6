/// What light, lens and sensor do to a photograph.
struct Lighting {
    let strength: Double

    /// Applies some of the effects and names them.
    mutating func apply(to canvas: inout Canvas, _ numbers: inout SeededNumbers) -> [String] {
        var steps: [String] = []
        if numbers.happens(0.6 * strength) {
            let gains = (0..<3).map { _ in numbers.number(in: (1 - 0.3 * strength)...1) }
            let dim = numbers.number(in: (1 - 0.6 * strength)...1.1)
            let contrast = numbers.number(in: (1 - 0.4 * strength)...1.1)
            canvas.recolor(
                Recoloring { level, channel in
                    Int((128 + (Double(level) - 128) * contrast) * dim * gains[channel])
                })
            steps.append("light")
        }
        if numbers.happens(0.3 * strength) {
            canvas.shade(
                turns: numbers.number(in: 0...1), down: Int(60 + 140 * strength))
            steps.append("shadow")
        }
        if numbers.happens(0.12) {
            canvas.recolor(Recoloring(dark: .black, light: .white))
            steps.append("grey")
        }
        if numbers.happens(0.3 * strength) {
            canvas.blur(radius: numbers.happens(0.3 * strength) ? 2 : 1)
            steps.append("defocus")
        } else if numbers.happens(0.25 * strength) {
            canvas.smear(
                turns: numbers.number(in: 0...1),
                length: numbers.integer(in: 2...(3 + Int(5 * strength))))
            steps.append("motion")
        }
        if numbers.happens(0.6 * strength) {
            canvas.addNoise(
                seed: numbers.next(), strength: numbers.integer(in: 3...(4 + Int(20 * strength))))
            steps.append("noise")
        }
        return steps
    }
}
