import CMatching

/// The main directions of the gradient around a keypoint (Lowe 2004, section 5).
struct Orientation {
    private static let bins = Int(CM_DIRECTIONS)
    /// A direction counts from this share of the strongest one.
    private static let peakShare: Float = 0.8
    /// Standard deviation of the window, in blurs of the keypoint.
    private static let window: Float = 1.5

    let kernels: ExtractionKernels

    /// Directions in turns 0..<1, ascending; several where the gradient is undecided.
    func directions(of keypoint: Keypoint, in plane: Plane<UInt16>) -> [Float] {
        let histogram = smoothed(histogram(of: keypoint, in: plane))
        let least = (histogram.max() ?? 0) * Self.peakShare
        guard least > 0 else { return [] }
        return (0..<Self.bins).compactMap { bin in
            let here = histogram[bin]
            let left = histogram[(bin + Self.bins - 1) % Self.bins]
            let right = histogram[(bin + 1) % Self.bins]
            guard here >= least, here > left, here > right else { return nil }
            let peak = Float(bin) + 0.5 * (left - right) / (left - 2 * here + right)
            let turns = peak / Float(Self.bins)
            return turns < 0 ? turns + 1 : turns >= 1 ? turns - 1 : turns
        }
    }

    private func histogram(of keypoint: Keypoint, in plane: Plane<UInt16>) -> [Float] {
        let sigma = Self.window * keypoint.sigma
        let reach = 3 * sigma
        var histogram = [Float](repeating: 0, count: Self.bins)
        GaussianTable.shared.values.withUnsafeBufferPointer { table in
            var surrounding = cm_surrounding(
                values: plane.values, table: table.baseAddress, width: Int32(plane.width),
                top: Int32(max(1, Int(keypoint.y - reach) + 1)),
                bottom: Int32(min(plane.height - 2, Int(keypoint.y + reach))),
                left: Int32(max(1, Int(keypoint.x - reach) + 1)),
                right: Int32(min(plane.width - 2, Int(keypoint.x + reach))),
                x: keypoint.x, y: keypoint.y)
            kernels.functions.orient(&surrounding, 1 / (2 * sigma * sigma), &histogram)
        }
        return histogram
    }

    private func smoothed(_ raw: [Float]) -> [Float] {
        (0..<Self.bins).map { bin in
            let near = raw[(bin + 1) % Self.bins] + raw[(bin + Self.bins - 1) % Self.bins]
            let far = raw[(bin + 2) % Self.bins] + raw[(bin + Self.bins - 2) % Self.bins]
            return raw[bin] * (6 / 16.0) + near * (4 / 16.0) + far * (1 / 16.0)
        }
    }
}
