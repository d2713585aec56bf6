/// Least squares in eight unknowns.
struct NormalEquations {
    private static let unknowns = 8
    private static let columns = unknowns + 1
    /// The matrix, row by row, with the right side as its last column.
    private var matrix = [Double](repeating: 0, count: unknowns * columns)

    /// Adds an equation: `row` times the unknowns is `value`.
    mutating func add(_ row: InlineArray<8, Double>, _ value: Double) {
        for i in 0..<Self.unknowns where row[i] != 0 {
            for j in 0..<Self.unknowns { matrix[i * Self.columns + j] += row[i] * row[j] }
            matrix[i * Self.columns + Self.unknowns] += row[i] * value
        }
    }

    /// Gauss-Jordan elimination with row pivots; nil if the equations do not determine all.
    consuming func solution() -> [Double]? {
        for column in 0..<Self.unknowns {
            guard movePivot(to: column) else { return nil }
            let pivot = matrix[column * Self.columns + column]
            for row in 0..<Self.unknowns where row != column {
                let factor = matrix[row * Self.columns + column] / pivot
                guard factor != 0 else { continue }
                for at in column..<Self.columns {
                    matrix[row * Self.columns + at] -= factor * matrix[column * Self.columns + at]
                }
            }
        }
        return (0..<Self.unknowns).map {
            matrix[$0 * Self.columns + Self.unknowns] / matrix[$0 * Self.columns + $0]
        }
    }

    private mutating func movePivot(to column: Int) -> Bool {
        var best = column
        for row in column..<Self.unknowns
        where abs(matrix[row * Self.columns + column]) > abs(matrix[best * Self.columns + column]) {
            best = row
        }
        guard abs(matrix[best * Self.columns + column]) > 1e-10 else { return false }
        if best != column {
            for at in 0..<Self.columns {
                matrix.swapAt(best * Self.columns + at, column * Self.columns + at)
            }
        }
        return true
    }
}
