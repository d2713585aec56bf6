import CMatching

/// The pixels of a plane around a keypoint.
struct Patch {
    private let plane: Plane
    private var patch: cm_patch

    /// The inner pixels within `reach` of a keypoint along both axes; nil if there are none.
    init?(of plane: Plane, around keypoint: Keypoint, reach: Float) {
        let top = max(1, Int(keypoint.y - reach) + 1)
        let bottom = min(plane.height - 2, Int(keypoint.y + reach))
        let left = max(1, Int(keypoint.x - reach) + 1)
        let right = min(plane.width - 2, Int(keypoint.x + reach))
        guard top <= bottom, left <= right else { return nil }
        self.plane = plane
        patch = cm_patch(
            values: nil, table: nil, width: Int32(plane.width), top: Int32(top),
            bottom: Int32(bottom), left: Int32(left), right: Int32(right), x: keypoint.x,
            y: keypoint.y, turns: 0, cosine: 0, sine: 0)
    }

    /// Turns it into a direction, with cells of `side` pixels.
    mutating func turn(to turns: Float, side: Float) {
        let direction = Elementary.direction(turns: Double(turns))
        patch.turns = turns
        patch.cosine = Float(direction.cosine) / side
        patch.sine = Float(direction.sine) / side
    }

    /// Zeros that a kernel added the patch's gradients to.
    func histogram(
        count: Int, _ add: (UnsafePointer<cm_patch>, UnsafeMutablePointer<Float>?) -> Void
    ) -> [Float] {
        var histogram = [Float](repeating: 0, count: count)
        var patch = patch
        histogram.withUnsafeMutableBufferPointer { histogram in
            plane.values.withUnsafeBufferPointer { values in
                GaussianTable.shared.values.withUnsafeBufferPointer { table in
                    patch.values = values.baseAddress
                    patch.table = table.baseAddress
                    add(&patch, histogram.baseAddress)
                }
            }
        }
        return histogram
    }
}
