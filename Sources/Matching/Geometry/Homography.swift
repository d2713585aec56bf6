/// A plane seen in perspective: from a catalog picture to the query.
struct Homography: Sendable {
    /// Row by row; the last element is not 0.
    let elements: [Double]

    /// Where a point of the catalog picture lies in the query; nil behind the viewer.
    func callAsFunction(x: Double, y: Double) -> (x: Double, y: Double)? {
        elements.withUnsafeBufferPointer { m in
            let w = m[6] * x + m[7] * y + m[8]
            guard w > 1e-9 else { return nil }
            return ((m[0] * x + m[1] * y + m[2]) / w, (m[3] * x + m[4] * y + m[5]) / w)
        }
    }

    /// The best one through at least four pairs (least squares of the algebraic error in
    /// normalised coordinates, Hartley 1997); nil if they do not determine one.
    init?(through pairs: [PointPair]) {
        guard pairs.count >= 4,
            let from = Normalisation(pairs.map { (Double($0.catalog.x), Double($0.catalog.y)) }),
            let to = Normalisation(pairs.map { (Double($0.query.x), Double($0.query.y)) })
        else { return nil }
        var equations = NormalEquations()
        for pair in pairs {
            let (x, y) = from(Double(pair.catalog.x), Double(pair.catalog.y))
            let (u, v) = to(Double(pair.query.x), Double(pair.query.y))
            equations.add([x, y, 1, 0, 0, 0, -u * x, -u * y], u)
            equations.add([0, 0, 0, x, y, 1, -v * x, -v * y], v)
        }
        guard let h = equations.solution() else { return nil }
        self.init(Self.restored(h + [1], from: from, to: to))
    }

    private init?(_ elements: [Double]) {
        guard elements.allSatisfy(\.isFinite) else { return nil }
        self.elements = elements
    }

    /// Undoes both normalisations.
    private static func restored(
        _ h: [Double], from: Normalisation, to: Normalisation
    ) -> [Double] {
        // On the right: x becomes scale * x - scale * centre.
        var right = h
        for row in [0, 3, 6] {
            right[row] = h[row] * from.scale
            right[row + 1] = h[row + 1] * from.scale
            right[row + 2] =
                h[row + 2] - right[row] * from.centreX - right[row + 1] * from.centreY
        }
        // On the left: u becomes u / scale + centre.
        var both = right
        for column in 0..<3 {
            both[column] = right[column] / to.scale + to.centreX * right[6 + column]
            both[3 + column] = right[3 + column] / to.scale + to.centreY * right[6 + column]
        }
        return both
    }
}

/// Moves points to their centre and to a mean square distance of 2.
private struct Normalisation {
    let centreX: Double
    let centreY: Double
    let scale: Double

    init?(_ points: [(Double, Double)]) {
        let count = Double(points.count)
        centreX = points.reduce(0) { $0 + $1.0 } / count
        centreY = points.reduce(0) { $0 + $1.1 } / count
        var spread = 0.0
        for (x, y) in points {
            spread += (x - centreX) * (x - centreX) + (y - centreY) * (y - centreY)
        }
        guard spread > 1e-6 else { return nil }
        scale = (2 * count / spread).squareRoot()
    }

    func callAsFunction(_ x: Double, _ y: Double) -> (Double, Double) {
        ((x - centreX) * scale, (y - centreY) * scale)
    }
}
