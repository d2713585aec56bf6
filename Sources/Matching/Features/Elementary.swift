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
}
