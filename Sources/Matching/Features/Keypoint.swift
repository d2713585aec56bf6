/// An extremum of the difference of Gaussians, located between pixels and planes.
struct Keypoint {
    /// Number of the octave.
    let octave: Int
    /// The nearest plane of the octave.
    let plane: Int
    /// Place, in pixels of the octave.
    let x: Float
    let y: Float
    /// Blur, in pixels of the octave.
    let sigma: Float
    /// Contrast; larger is more pronounced.
    let response: Float

    /// More pronounced first; equal ones by place, so that the order never depends on the sort.
    static func isBefore(_ left: Keypoint, _ right: Keypoint) -> Bool {
        if left.response != right.response { return left.response > right.response }
        if left.octave != right.octave { return left.octave < right.octave }
        if left.plane != right.plane { return left.plane < right.plane }
        return left.y != right.y ? left.y < right.y : left.x < right.x
    }
}
