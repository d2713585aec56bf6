extension Canvas {
    /// Sends all pixels through tables.
    mutating func recolor(_ recoloring: Recoloring) {
        let (first, second, third) = (
            recoloring.order[0], recoloring.order[1], recoloring.order[2]
        )
        let isGray = recoloring.isGray
        pixels.withUnsafeMutableBufferPointer { pixels in
            recoloring.tables.withUnsafeBufferPointer { tables in
                for at in stride(from: 0, to: pixels.count, by: 3) {
                    var red = Int(pixels[at + first])
                    var green = Int(pixels[at + second])
                    var blue = Int(pixels[at + third])
                    if isGray {
                        red = (77 &* red &+ 150 &* green &+ 29 &* blue) >> 8
                        green = red
                        blue = red
                    }
                    pixels[at] = tables[red]
                    pixels[at + 1] = tables[256 &+ green]
                    pixels[at + 2] = tables[512 &+ blue]
                }
            }
        }
    }

    /// Darkens the canvas along a direction by up to `down` of 256.
    mutating func shade(turns: Double, down: Int) {
        let direction = Direction(turns: turns)
        let reach = abs(direction.cosine) * Double(width) + abs(direction.sine) * Double(height)
        let stepX = Int(direction.cosine / reach * 65_536)
        let stepY = Int(direction.sine / reach * 65_536)
        let start = (stepX < 0 ? -stepX * width : 0) + (stepY < 0 ? -stepY * height : 0)
        let (width, height) = (width, height)
        pixels.withUnsafeMutableBufferPointer { pixels in
            for y in 0..<height {
                for x in 0..<width {
                    let way = start + stepX * x + stepY * y
                    let gain = 256 - (way * down) >> 16
                    let at = 3 * (y * width + x)
                    for channel in at..<(at + 3) {
                        pixels[channel] = Self.clamped((Int(pixels[channel]) * gain) >> 8)
                    }
                }
            }
        }
    }

    /// Blurs as a lens out of focus does, about: two passes of a box of `2 * radius + 1` pixels
    /// each way.
    mutating func blur(radius: Int) {
        for _ in 0..<2 {
            average((-radius...radius).map { ($0, 0) })
            average((-radius...radius).map { (0, $0) })
        }
    }

    /// Blurs along a line of `length` pixels as a moving camera does.
    mutating func smear(turns: Double, length: Int) {
        let direction = Direction(turns: turns)
        average(
            (0..<length).map { step in
                let way = Double(step) - Double(length - 1) / 2
                return (
                    Int((direction.cosine * way).rounded()), Int((direction.sine * way).rounded())
                )
            })
    }

    /// Replaces each pixel by the mean of those at some offsets from it.
    private mutating func average(_ offsets: [(x: Int, y: Int)]) {
        let source = pixels
        let (width, height) = (width, height)
        let reach = offsets.map { max(abs($0.x), abs($0.y)) }.max() ?? 0
        let factor = (65_536 + offsets.count / 2) / offsets.count
        let steps = offsets.map { 3 * ($0.y * width + $0.x) }
        pixels.withUnsafeMutableBufferPointer { pixels in
            source.withUnsafeBufferPointer { source in
                for y in 0..<height {
                    let isInside = y >= reach && y < height - reach
                    for x in 0..<width {
                        let at = 3 * (y * width + x)
                        if isInside, x >= reach, x < width - reach {
                            for channel in at..<(at + 3) {
                                var sum = 0
                                for step in steps { sum &+= Int(source[channel &+ step]) }
                                pixels[channel] = Self.clamped((sum &* factor &+ 32_768) >> 16)
                            }
                            continue
                        }
                        for channel in 0..<3 {
                            var sum = 0
                            for offset in offsets {
                                let column = max(0, min(width - 1, x + offset.x))
                                let row = max(0, min(height - 1, y + offset.y))
                                sum += Int(source[3 * (row * width + column) + channel])
                            }
                            pixels[at + channel] = Self.clamped((sum * factor + 32_768) >> 16)
                        }
                    }
                }
            }
        }
    }

    /// Adds noise, about normally distributed with a deviation of `strength` levels, mostly in
    /// brightness.
    mutating func addNoise(seed: UInt64, strength: Int) {
        var numbers = SeededNumbers(seed: seed)
        pixels.withUnsafeMutableBufferPointer { pixels in
            for at in stride(from: 0, to: pixels.count, by: 3) {
                let bits = numbers.next()
                // The sum of four bytes has a deviation of 148; one of two bytes is for the colour.
                @inline(__always) func byte(_ place: UInt64) -> Int {
                    Int(UInt8(truncatingIfNeeded: bits >> (8 * place))) - 128
                }
                let gray = (byte(0) + byte(1) + byte(2) + byte(3)) * strength / 148
                let tint = (byte(4) + byte(5)) * strength / 300
                pixels[at] = Self.clamped(Int(pixels[at]) + gray + tint)
                pixels[at + 1] = Self.clamped(Int(pixels[at + 1]) + gray)
                pixels[at + 2] = Self.clamped(Int(pixels[at + 2]) + gray - tint)
            }
        }
    }
}
