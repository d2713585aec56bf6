extension Canvas {
    /// Fills all with a gradient from one corner's colour to that of the opposite one; `turns` is
    /// its direction.
    mutating func fillGradient(from first: Color, to second: Color, turns: Double) {
        let direction = Direction(turns: turns)
        let length =
            abs(direction.cosine) * Double(width) + abs(direction.sine) * Double(height) + 1
        let stepX = Int(direction.cosine / length * 16_777_216)
        let stepY = Int(direction.sine / length * 16_777_216)
        var start = (stepX < 0 ? -stepX * width : 0) + (stepY < 0 ? -stepY * height : 0)
        let (width, height) = (width, height)
        let table = (0...256).map { first.mixed(with: second, $0) }
        pixels.withUnsafeMutableBufferPointer { pixels in
            for y in 0..<height {
                var value = start
                for x in 0..<width {
                    let color = table[max(0, min(256, value >> 16))]
                    let at = 3 * (y * width + x)
                    pixels[at] = UInt8(truncatingIfNeeded: color.red)
                    pixels[at + 1] = UInt8(truncatingIfNeeded: color.green)
                    pixels[at + 2] = UInt8(truncatingIfNeeded: color.blue)
                    value += stepX
                }
                start += stepY
            }
        }
    }

    /// Makes pixels lighter and darker by smooth noise: `cell` pixels between two of its random
    /// values, which reach `strength` levels up and down.
    mutating func addTexture(
        seed: UInt64, cellWidth: Int, cellHeight: Int, strength: Int
    ) {
        let columns = width / cellWidth + 2
        let (width, height) = (width, height)
        var numbers = SeededNumbers(seed: seed, stream: 11)
        var above = Self.noiseRow(columns, &numbers)
        var below = Self.noiseRow(columns, &numbers)
        var line = [Int](repeating: 0, count: columns)
        pixels.withUnsafeMutableBufferPointer { pixels in
            for y in 0..<height {
                let phase = y % cellHeight
                if y > 0, phase == 0 {
                    above = below
                    below = Self.noiseRow(columns, &numbers)
                }
                for at in 0..<columns {
                    line[at] =
                        (above[at] * (cellHeight - phase) + below[at] * phase) * strength
                        / cellHeight
                }
                Self.add(line, to: pixels, row: y, width: width, cell: cellWidth)
            }
        }
    }

    /// Adds a row of noise between -127 * strength and 127 * strength to a row of pixels.
    private static func add(
        _ line: [Int], to pixels: UnsafeMutableBufferPointer<UInt8>, row: Int, width: Int,
        cell: Int
    ) {
        var at = 3 * row * width
        var x = 0
        for column in 0..<(line.count - 1) {
            let step = (line[column + 1] - line[column]) / cell
            var value = line[column]
            for _ in 0..<min(cell, width - x) {
                let change = value >> 7
                pixels[at] = clamped(Int(pixels[at]) &+ change)
                pixels[at + 1] = clamped(Int(pixels[at + 1]) &+ change)
                pixels[at + 2] = clamped(Int(pixels[at + 2]) &+ change)
                value &+= step
                at += 3
                x += 1
            }
            if x >= width { break }
        }
    }

    /// Values from -127 to 127.
    private static func noiseRow(_ count: Int, _ numbers: inout SeededNumbers) -> [Int] {
        var values: [Int] = []
        values.reserveCapacity(count + 8)
        while values.count < count {
            var bits = numbers.next()
            for _ in 0..<8 {
                values.append(Int(Int8(truncatingIfNeeded: bits | 1)))
                bits >>= 8
            }
        }
        values.removeLast(values.count - count)
        return values
    }
}
