/// e to the power of -x by table: the weights of samples around a keypoint need no more.
struct GaussianTable {
    private static let stepsPerUnit: Float = 128
    private static let unitsMax = 16
    private let values: [Float]

    init() {
        values = (0..<Self.unitsMax * Int(Self.stepsPerUnit)).map {
            Float(Elementary.exponentialOfMinus((Double($0) + 0.5) / Double(Self.stepsPerUnit)))
        }
    }

    /// The weight at `x` >= 0; 0 beyond the table.
    @inline(__always)
    func callAsFunction(_ x: Float) -> Float {
        let index = Int(x * Self.stepsPerUnit)
        return index < values.count ? values[index] : 0
    }
}
