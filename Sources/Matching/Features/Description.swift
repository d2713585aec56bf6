import CMatching

/// The gradients around a keypoint in 4 by 4 cells of 8 directions (Lowe 2004, section 6), as
/// RootSIFT (Arandjelović and Zisserman 2012): compared by length, it stands for the Hellinger
/// kernel.
struct Description {
    private static let cells = 4
    private static let bins = 8
    /// Cells with a border of one: what falls outside is shared with nobody.
    private static let padded = Int(CM_PADDED_CELLS)
    /// Pixels of one cell's side, in blurs of the keypoint.
    private static let cellSide: Float = 3
    /// Share of the whole length beyond which one value counts no more (glare).
    private static let shareMax: Float = 0.2

    let kernels: ExtractionKernels

    /// One row of `Descriptor.length` bytes.
    func descriptor(of keypoint: Keypoint, turns: Float, in plane: Plane) -> [UInt8] {
        let side = Self.cellSide * keypoint.sigma
        // Half the diagonal of five cells: four, and half a cell of interpolation around.
        guard var patch = Patch(of: plane, around: keypoint, reach: side * 3.535_534) else {
            return [UInt8](repeating: 0, count: Descriptor.length)
        }
        patch.turn(to: turns, side: side)
        let histogram = patch.histogram(count: Self.padded * Self.padded * Self.bins) {
            kernels.functions.describe($0, $1)
        }
        return Self.rooted(Self.inner(histogram))
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
