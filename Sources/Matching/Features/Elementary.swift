/// The transcendental functions that a print needs, from plain IEEE operations alone: a libm may
/// round differently on the next machine, and the same picture must give the same bits there.
package enum Elementary {
    /// e to the power of -`x`, for `x` >= 0; relative error below 1e-12.
    package static func exponentialOfMinus(_ x: Double) -> Double {
        // e^-x = (e^-(x/1024))^1024, the inner one by its Taylor polynomial.
        guard x < 700 else { return 0 }
        let small = -x / 1024
        var sum = 1.0
        var term = 1.0
        for degree in 1...12 {
            term *= small / Double(degree)
            sum += term
        }
        for _ in 0..<10 { sum *= sum }
        return sum
    }

    /// Cosine and sine of a number of turns in 0..<1; error below 1e-14.
    package static func direction(turns: Double) -> (cosine: Double, sine: Double) {
        // To the nearest quarter first: the polynomial sees at most 1/8 turn.
        let quarter = Int(turns * 4 + 0.5)
        let angle = (turns - Double(quarter) / 4) * (2 * Double.pi)
        let square = angle * angle
        var cosine = 0.0
        var sine = 0.0
        for degree in stride(from: 18, through: 0, by: -2) {
            cosine = 1 - cosine * square / Double((degree + 1) * (degree + 2))
            sine = 1 - sine * square / Double((degree + 2) * (degree + 3))
        }
        sine *= angle
        switch quarter & 3 {
        case 0: return (cosine, sine)
        case 1: return (-sine, cosine)
        case 2: return (-cosine, -sine)
        default: return (sine, -cosine)
        }
    }

    /// The direction of each vector, in turns 0..<1 from right towards down; 0 for a zero vector.
    ///
    /// Abramowitz and Stegun 4.4.47, error below 2e-6 turn.
    @inline(__always)
    package static func turns(x: SIMD8<Float>, y: SIMD8<Float>) -> SIMD8<Float> {
        let zero = SIMD8<Float>(repeating: 0)
        let width = x.replacing(with: zero - x, where: x .< zero)
        let height = y.replacing(with: zero - y, where: y .< zero)
        let steep = height .> width
        let low = width.replacing(with: height, where: width .> height)
        let high = height.replacing(with: width, where: width .> height)
        // The smallest normal number keeps 0/0 away and changes no other quotient's meaning.
        let ratio = low / (high + SIMD8(repeating: Float.leastNormalMagnitude))
        let square = ratio * ratio
        var sum = SIMD8<Float>(repeating: 0.020_835_1) * square
        sum = (sum - 0.085_133_0) * square
        sum = (sum + 0.180_141_0) * square
        sum = (sum - 0.330_299_5) * square
        sum = (sum + 0.999_866_0) * ratio * Float(0.159_154_94)
        sum = sum.replacing(with: 0.25 - sum, where: steep)
        sum = sum.replacing(with: 0.5 - sum, where: x .< zero)
        sum = sum.replacing(with: 1 - sum, where: y .< zero)
        return sum.replacing(with: zero, where: sum .>= SIMD8(repeating: 1))
    }
}
