/// A map between planes, as nine numbers row by row.
struct Perspective {
    private let m: [Double]

    /// The map that takes the corners of the unit square (top left, top right, bottom right, bottom
    /// left) to four points (Heckbert, "Fundamentals of Texture Mapping and Image Warping", 1989).
    init(unitSquareTo corners: [Point]) {
        let (a, b, c, d) = (corners[0], corners[1], corners[2], corners[3])
        let (dx1, dy1) = (b.x - c.x, b.y - c.y)
        let (dx2, dy2) = (d.x - c.x, d.y - c.y)
        let (dx3, dy3) = (a.x - b.x + c.x - d.x, a.y - b.y + c.y - d.y)
        let scale = dx1 * dy2 - dx2 * dy1
        let g = (dx3 * dy2 - dx2 * dy3) / scale
        let h = (dx1 * dy3 - dx3 * dy1) / scale
        m = [
            b.x - a.x + g * b.x, d.x - a.x + h * d.x, a.x,
            b.y - a.y + g * b.y, d.y - a.y + h * d.y, a.y,
            g, h, 1,
        ]
    }

    private init(_ m: [Double]) { self.m = m }

    /// The map back.
    var inverse: Perspective {
        Perspective([
            m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
            m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
            m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3],
        ])
    }

    /// The numerators and the denominator for a row at column 0, and their steps for a column.
    func row(_ y: Double) -> (start: (Double, Double, Double), step: (Double, Double, Double)) {
        (
            (m[1] * y + m[2], m[4] * y + m[5], m[7] * y + m[8]), (m[0], m[3], m[6])
        )
    }
}

extension Canvas {
    /// Draws a picture so that its corners come to stand on four points, clockwise from the one of
    /// its top left.
    mutating func draw(_ picture: Canvas, onto corners: [Point], part: Int = 256) {
        let back = Perspective(unitSquareTo: corners).inverse
        let xs = corners.map(\.x)
        let ys = corners.map(\.y)
        let columns =
            max(
                0, Self.floor(xs.min() ?? 0))..<max(
                0, min(width, Self.floor(xs.max() ?? 0) + 1))
        let rows =
            max(
                0, Self.floor(ys.min() ?? 0))..<max(
                0, min(height, Self.floor(ys.max() ?? 0) + 1))
        guard !columns.isEmpty, !rows.isEmpty, picture.width > 1, picture.height > 1 else { return }
        let (wide, high) = (Double(picture.width), Double(picture.height))
        let (lastU, lastV) = (Double(picture.width) - 1.001, Double(picture.height) - 1.001)
        let (width, rowBytes) = (width, 3 * picture.width)
        pixels.withUnsafeMutableBufferPointer { pixels in
            picture.pixels.withUnsafeBufferPointer { source in
                for y in rows {
                    let line = back.row(Double(y) + 0.5)
                    for x in columns {
                        let column = Double(x) + 0.5
                        let scale = 1 / (line.start.2 + line.step.2 * column)
                        let s = (line.start.0 + line.step.0 * column) * scale
                        let t = (line.start.1 + line.step.1 * column) * scale
                        guard s >= 0, s < 1, t >= 0, t < 1 else { continue }
                        let u = max(0, min(lastU, s * wide - 0.5))
                        let v = max(0, min(lastV, t * high - 0.5))
                        Self.mixSample(
                            source, u, v, rowBytes, into: pixels, 3 * (y * width + x), part)
                    }
                }
            }
        }
    }

    @inline(__always)
    private static func mixSample(
        _ source: UnsafeBufferPointer<UInt8>, _ u: Double, _ v: Double, _ rowBytes: Int,
        into pixels: UnsafeMutableBufferPointer<UInt8>, _ at: Int, _ part: Int
    ) {
        let (column, row) = (Int(u), Int(v))
        let (right, below) = (
            Int((u - Double(column)) * 256), Int((v - Double(row)) * 256)
        )
        let from = row &* rowBytes &+ 3 &* column
        for channel in 0..<3 {
            let near = from &+ channel
            let upper = Int(source[near]) &* (256 &- right) &+ Int(source[near &+ 3]) &* right
            let lower =
                Int(source[near &+ rowBytes]) &* (256 &- right)
                &+ Int(source[near &+ rowBytes &+ 3]) &* right
            let value = (upper &* (256 &- below) &+ lower &* below &+ 32_768) >> 16
            pixels[at &+ channel] = mixed(pixels[at &+ channel], value, part)
        }
    }
}
