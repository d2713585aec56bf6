import CMatching

/// The gradients around a keypoint in 4 by 4 cells of 8 directions (Lowe 2004, section 6), as
/// RootSIFT (Arandjelović and Zisserman 2012): compared by length, it stands for the Hellinger
/// kernel.
///
/// They are taken from a patch of five by five cells that is sampled to the same `CM_SAMPLES` by
/// `CM_SAMPLES` places whatever the keypoint's size and direction: the shares of each sample among
/// the cells are constants then.
struct Description {
    /// Blurs of the keypoint from one sample to the next; a cell is three.
    private static let step = 3 / Float(CM_SAMPLES_PER_CELL)
    /// Share of the whole length beyond which one value counts no more (glare).
    private static let shareMax: Float = 0.2
    /// The weight of each sample: a Gaussian of two cells around the centre.
    private static let weights: [Float] = {
        let side = Int(CM_SAMPLES)
        let cells = (0..<side).map { (Double($0) + 0.5) / Double(CM_SAMPLES_PER_CELL) - 2.5 }
        return (0..<side).flatMap { row in
            (0..<Int(CM_SAMPLE_STRIDE)).map { column in
                guard column < side else { return 0 }
                let square = cells[row] * cells[row] + cells[column] * cells[column]
                return Float(Elementary.exponentialOfMinus(square / 8))
            }
        }
    }()

    let kernels: ExtractionKernels

    /// Appends one row of `Descriptor.length` bytes.
    func appendDescriptor(
        of keypoint: Keypoint, turns: Float, in plane: Plane<UInt16>, to rows: inout [UInt8]
    ) {
        let direction = Elementary.direction(turns: Double(turns))
        let step = Double(Self.step * keypoint.sigma)
        var patch = cm_patch(
            values: plane.values, width: Int32(plane.width), height: Int32(plane.height),
            x: keypoint.x, y: keypoint.y, step_x: Float(direction.cosine * step),
            step_y: Float(direction.sine * step))
        withUnsafeTemporaryAllocation(of: Float.self, capacity: Descriptor.length) { histogram in
            kernels.functions.describe(&patch, Self.weights, histogram.baseAddress)
            Self.appendRoots(of: histogram, to: &rows)
        }
    }

    private static func appendRoots(
        of values: UnsafeMutableBufferPointer<Float>, to rows: inout [UInt8]
    ) {
        let square = values.reduce(0) { $0 + $1 * $1 }
        let most = square.squareRoot() * shareMax
        for index in values.indices { values[index] = min(values[index], most) }
        let sum = values.reduce(0, +)
        guard sum > 0 else {
            rows += repeatElement(0, count: Descriptor.length)
            return
        }
        for index in values.indices {
            let root = (values[index] / sum).squareRoot() * Descriptor.norm
            values[index] = min(root, Float(Descriptor.byteMax))
        }
        let roundedSquare = values.reduce(0) { $0 + Int($1 + 0.5) * Int($1 + 0.5) }
        // Rounding down keeps the length below `norm` if rounding to the nearest went too far.
        let rounding: Float = roundedSquare <= Descriptor.squareMax ? 0.5 : 0
        for value in values { rows.append(UInt8(value + rounding)) }
    }
}
