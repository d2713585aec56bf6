import CMatching

/// e to the power of -x by table: the weights of samples around a keypoint need no more.
struct GaussianTable: Sendable {
    /// The one table: it never changes.
    static let shared = GaussianTable()

    /// `CM_STEPS_PER_UNIT` values a unit of x, at the middle of each step.
    let values: [Float]

    private init() {
        values = (0..<Int(CM_TABLE_LENGTH)).map {
            Float(
                Elementary.exponentialOfMinus((Double($0) + 0.5) / Double(CM_STEPS_PER_UNIT)))
        }
    }
}
