import Raster

/// Where and how a part of a picture is drawn.
struct PicturePlacement {
    /// The part, in pixels of the picture.
    var left = 0.0
    var top = 0.0
    var width: Double
    var height: Double
    /// Where the part's centre comes to stand.
    var center: Point
    /// Turns clockwise.
    var turns = 0.0
    /// Pixels of the canvas for one of the picture.
    var scaleX = 1.0
    var scaleY = 1.0
    /// Pixels of the picture by which rows are shifted, up and down along a wave.
    var wave = 0.0
    /// Rows of one wave.
    var waveLength = 64
    /// How much of it is mixed in, 0 to 256.
    var part = 256
    var recoloring = Recoloring.none
}

extension Canvas {
    /// Draws a part of a picture, turned, scaled, waved and recoloured.
    mutating func draw(_ picture: Bitmap, _ placement: PicturePlacement) {
        let direction = Direction(turns: placement.turns)
        let (u0, v0) = (
            placement.left + placement.width / 2, placement.top + placement.height / 2
        )
        let stepU = direction.cosine / placement.scaleX
        let stepV = -direction.sine / placement.scaleY
        let reach = Self.reach(of: placement, direction)
        let top = max(0, Self.floor(placement.center.y - reach.y))
        let bottom = min(height, Self.floor(placement.center.y + reach.y) + 1)
        guard top < bottom, picture.width > 1, picture.height > 1 else { return }
        for y in top..<bottom {
            let dy = Double(y) + 0.5 - placement.center.y
            let turn = Direction(
                turns: Double(y % placement.waveLength) / Double(placement.waveLength))
            let shift = placement.wave == 0 ? 0 : placement.wave * turn.sine
            // The picture's place for the canvas's column 0.
            let u =
                u0 + direction.sine / placement.scaleX * dy + shift
                + stepU * (0.5 - placement.center.x)
            let v =
                v0 + direction.cosine / placement.scaleY * dy
                + stepV * (0.5 - placement.center.x)
            var span = 0.0..<Double(width)
            span = Self.cut(span, u, stepU, placement.left, placement.width, picture.width)
            span = Self.cut(span, v, stepV, placement.top, placement.height, picture.height)
            guard !span.isEmpty else { continue }
            drawRow(
                picture, placement, y: y,
                columns: Int(span.lowerBound.rounded(.up))..<Int(span.upperBound.rounded(.up)),
                u: u, v: v, stepU: stepU, stepV: stepV)
        }
    }

    /// Half the width and height of the upright box around a placement.
    private static func reach(of placement: PicturePlacement, _ direction: Direction) -> Point {
        let x = placement.width * placement.scaleX / 2
        let y = placement.height * placement.scaleY / 2
        return Point(
            x: abs(direction.cosine) * x + abs(direction.sine) * y,
            y: abs(direction.sine) * x + abs(direction.cosine) * y + 1)
    }

    /// The columns at which `start + step * column` lies in a part of a side.
    private static func cut(
        _ span: Range<Double>, _ start: Double, _ step: Double, _ from: Double, _ length: Double,
        _ side: Int
    ) -> Range<Double> {
        let low = max(0.5, from)
        let high = min(Double(side) - 0.5, from + length)
        if abs(step) < 1e-9 { return low <= start && start < high ? span : 0..<0 }
        let one = (low - start) / step
        let other = (high - start) / step
        let lower = max(span.lowerBound, min(one, other))
        let upper = min(span.upperBound, max(one, other))
        return lower < upper ? lower..<upper : 0..<0
    }

    private mutating func drawRow(
        _ picture: Bitmap, _ placement: PicturePlacement, y: Int, columns: Range<Int>, u: Double,
        v: Double, stepU: Double, stepV: Double
    ) {
        let unit = 65_536.0
        // From pixel centres to the pixel whose centre lies above and left.
        var (fromU, fromV) = (
            Int((u - 0.5 + stepU * Double(columns.lowerBound)) * unit),
            Int((v - 0.5 + stepV * Double(columns.lowerBound)) * unit)
        )
        let (addU, addV) = (Int(stepU * unit), Int(stepV * unit))
        let (lastU, lastV) = ((picture.width - 1) << 16 - 1, (picture.height - 1) << 16 - 1)
        let sampler = Sampler(rowBytes: 3 * picture.width, placement)
        let base = y * width
        pixels.withUnsafeMutableBufferPointer { pixels in
            picture.rgb.withUnsafeBufferPointer { source in
                placement.recoloring.tables.withUnsafeBufferPointer { tables in
                    for x in columns {
                        sampler.mix(
                            source, max(0, min(lastU, fromU)), max(0, min(lastV, fromV)), tables,
                            into: pixels, 3 * (base + x))
                        fromU &+= addU
                        fromV &+= addV
                    }
                }
            }
        }
    }
}

/// Mixes values between four pixels of a picture into a canvas.
private struct Sampler {
    let rowBytes: Int
    let part: Int
    let first: Int
    let second: Int
    let third: Int
    let isGray: Bool

    init(rowBytes: Int, _ placement: PicturePlacement) {
        self.rowBytes = rowBytes
        part = placement.part
        let order = placement.recoloring.order
        (first, second, third) = (order[0], order[1], order[2])
        isGray = placement.recoloring.isGray
    }

    @inline(__always)
    func mix(
        _ source: UnsafeBufferPointer<UInt8>, _ u: Int, _ v: Int,
        _ tables: UnsafeBufferPointer<UInt8>, into pixels: UnsafeMutableBufferPointer<UInt8>,
        _ at: Int
    ) {
        let from = (v >> 16) &* rowBytes &+ 3 &* (u >> 16)
        let (right, below) = ((u >> 8) & 255, (v >> 8) & 255)
        let (left, above) = (256 &- right, 256 &- below)
        @inline(__always) func value(_ channel: Int) -> Int {
            let at = from &+ channel
            let upper = Int(source[at]) &* left &+ Int(source[at &+ 3]) &* right
            let lower =
                Int(source[at &+ rowBytes]) &* left &+ Int(source[at &+ rowBytes &+ 3]) &* right
            return (upper &* above &+ lower &* below &+ 32_768) >> 16
        }
        var (red, green, blue) = (value(first), value(second), value(third))
        if isGray {
            red = (77 &* red &+ 150 &* green &+ 29 &* blue) >> 8
            green = red
            blue = red
        }
        pixels[at] = Canvas.mixed(pixels[at], Int(tables[red]), part)
        pixels[at + 1] = Canvas.mixed(pixels[at + 1], Int(tables[256 &+ green]), part)
        pixels[at + 2] = Canvas.mixed(pixels[at + 2], Int(tables[512 &+ blue]), part)
    }
}
