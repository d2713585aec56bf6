import CMatching

/// One channel of floating-point values, row by row without padding.
struct Plane: Sendable {
    let width: Int
    let height: Int
    /// The values, and `CM_SLACK` zeros behind them for kernels that read whole vectors.
    var values: [Float]

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        values = [Float](repeating: 0, count: width * height + Int(CM_SLACK))
    }

    init(_ image: GrayImage) {
        self.init(width: image.width, height: image.height)
        for (index, pixel) in image.pixels.enumerated() { values[index] = Float(pixel) }
    }

    /// Every second pixel of every second row.
    func halved() -> Plane {
        var half = Plane(width: width / 2, height: height / 2)
        for y in 0..<half.height {
            for x in 0..<half.width {
                half.values[y * half.width + x] = values[2 * y * width + 2 * x]
            }
        }
        return half
    }

    /// Twice the size: the pixels themselves and, between each two, their mean.
    func doubled() -> Plane {
        var double = Plane(width: 2 * width, height: 2 * height)
        for y in 0..<double.height {
            let above = y / 2 * width
            let below = min((y + 1) / 2, height - 1) * width
            for x in 0..<double.width {
                let (left, right) = (x / 2, min((x + 1) / 2, width - 1))
                let sum =
                    values[above + left] + values[above + right] + values[below + left]
                    + values[below + right]
                double.values[y * double.width + x] = sum * 0.25
            }
        }
        return double
    }
}
