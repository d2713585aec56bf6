/// The gradients around a keypoint in 4 by 4 cells of 8 directions (Lowe 2004, section 6), as
/// RootSIFT (Arandjelović and Zisserman 2012): compared by length, it stands for the Hellinger
/// kernel.
struct Description {
    private static let cells = 4
    private static let bins = 8
    /// Cells with a border of one: what falls outside is shared with nobody.
    private static let padded = 6
    /// Pixels of one cell's side, in blurs of the keypoint.
    private static let cellSide: Float = 3
    /// Share of the whole length beyond which one value counts no more (glare).
    private static let shareMax: Float = 0.2

    let table: GaussianTable

    /// One row of `Descriptor.length` bytes.
    func descriptor(of keypoint: Keypoint, turns: Float, in field: GradientField) -> [UInt8] {
        var histogram = [Float](repeating: 0, count: Self.padded * Self.padded * Self.bins)
        histogram.withUnsafeMutableBufferPointer { histogram in
            field.magnitudes.withUnsafeBufferPointer { magnitudes in
                field.turns.withUnsafeBufferPointer { directions in
                    let samples = Samples(
                        width: field.width, height: field.height, magnitudes: magnitudes,
                        turns: directions)
                    collect(samples, around: keypoint, turns: turns, into: histogram)
                }
            }
        }
        return Self.rooted(Self.inner(histogram))
    }

    private struct Samples {
        let width: Int
        let height: Int
        let magnitudes: UnsafeBufferPointer<Float>
        let turns: UnsafeBufferPointer<Float>
    }

    private func collect(
        _ samples: Samples, around keypoint: Keypoint, turns: Float,
        into histogram: UnsafeMutableBufferPointer<Float>
    ) {
        let side = Self.cellSide * keypoint.sigma
        let direction = Elementary.direction(turns: Double(turns))
        let cosine = Float(direction.cosine) / side
        let sine = Float(direction.sine) / side
        // Half the diagonal of five cells: four, and half a cell of interpolation around.
        let reach = side * 3.535_534
        let top = max(1, Int(keypoint.y - reach))
        let bottom = min(samples.height - 2, Int(keypoint.y + reach))
        let left = max(1, Int(keypoint.x - reach))
        let right = min(samples.width - 2, Int(keypoint.x + reach))
        guard top <= bottom, left <= right else { return }
        for y in top...bottom {
            let dy = Float(y) - keypoint.y
            for x in left...right {
                let dx = Float(x) - keypoint.x
                let column = dx * cosine + dy * sine
                let row = dy * cosine - dx * sine
                guard abs(column) < 2.5, abs(row) < 2.5 else { continue }
                let at = y * samples.width + x
                // The window's standard deviation is half the descriptor: two cells.
                let weight = table((column * column + row * row) * 0.125)
                var bin = samples.turns[at] - turns
                if bin < 0 { bin += 1 }
                Self.add(
                    samples.magnitudes[at] * weight, row: row + 2.5, column: column + 2.5,
                    bin: bin * Float(Self.bins), to: histogram)
            }
        }
    }

    /// Shares a value among the eight nearest cells; `row` and `column` are 0..<5 from the centre
    /// of the first border cell.
    @inline(__always)
    private static func add(
        _ value: Float, row: Float, column: Float, bin: Float,
        to histogram: UnsafeMutableBufferPointer<Float>
    ) {
        let (r, c, b) = (Int(row), Int(column), Int(bin))
        let (dr, dc, db) = (row - Float(r), column - Float(c), bin - Float(b))
        let first = b & (bins - 1)
        let next = (b + 1) & (bins - 1)
        let at = (r * padded + c) * bins
        let below = at + padded * bins
        let lower = value * dr
        let upper = value - lower
        let upperRight = upper * dc
        let upperLeft = upper - upperRight
        let lowerRight = lower * dc
        let lowerLeft = lower - lowerRight
        histogram[at + first] += upperLeft - upperLeft * db
        histogram[at + next] += upperLeft * db
        histogram[at + bins + first] += upperRight - upperRight * db
        histogram[at + bins + next] += upperRight * db
        histogram[below + first] += lowerLeft - lowerLeft * db
        histogram[below + next] += lowerLeft * db
        histogram[below + bins + first] += lowerRight - lowerRight * db
        histogram[below + bins + next] += lowerRight * db
    }

    private static func inner(_ histogram: [Float]) -> [Float] {
        var values: [Float] = []
        values.reserveCapacity(Descriptor.length)
        for row in 1...cells {
            let start = (row * padded + 1) * bins
            values += histogram[start..<start + cells * bins]
        }
        return values
    }

    private static func rooted(_ values: [Float]) -> [UInt8] {
        let square = values.reduce(0) { $0 + $1 * $1 }
        let most = square.squareRoot() * shareMax
        let capped = values.map { min($0, most) }
        let sum = capped.reduce(0, +)
        guard sum > 0 else { return [UInt8](repeating: 0, count: Descriptor.length) }
        let scaled = capped.map {
            min(($0 / sum).squareRoot() * Descriptor.norm, Float(Descriptor.byteMax))
        }
        let rounded = scaled.map { UInt8($0 + 0.5) }
        // Rounding down keeps the length below `norm` if rounding to the nearest went too far.
        return Descriptor.areInRange(rounded) ? rounded : scaled.map { UInt8($0) }
    }
}
