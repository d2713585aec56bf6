/// The largest group of pairs that agree on one turn, scale and shift.
///
/// Every pair proposes the similarity that its own place, direction and scale give (fast spatial
/// matching, Philbin et al. 2007); tilt is left to a wide tolerance and to the homography after it.
struct SimilarityVote {
    /// Pixels of the query within which a pair agrees.
    private static let tolerance: Float = 30
    /// Cosine of the largest difference of directions: 45 degrees.
    private static let cosineMin: Float = 0.707
    /// Largest ratio of the scales.
    private static let scaleRatioMax: Float = 2
    /// Pairs that propose, at most: the most distinctive ones.
    private static let proposersMax = 150

    /// Indices of the pairs that agree with the best proposal, ascending; the earliest of several
    /// best. `pairs` has the most distinctive first.
    static func voters(among pairs: [PointPair]) -> [Int] {
        var best: [Int] = []
        for proposer in pairs.prefix(proposersMax) {
            let proposal = Proposal(proposer)
            let voters = pairs.indices.filter { proposal.agrees(with: pairs[$0]) }
            if voters.count > best.count { best = voters }
        }
        return best
    }

    private struct Proposal {
        let origin: PointPair
        /// Rotation times scale, as a complex number.
        let real: Float
        let imaginary: Float
        let turn: (cosine: Float, sine: Float)
        let scale: Float

        init(_ pair: PointPair) {
            origin = pair
            turn = Self.turn(of: pair)
            scale = pair.query.scale / pair.catalog.scale
            real = turn.cosine * scale
            imaginary = turn.sine * scale
        }

        /// The turn from the catalog picture's direction to the query's.
        private static func turn(of pair: PointPair) -> (cosine: Float, sine: Float) {
            let (from, to) = (pair.catalog, pair.query)
            return (
                to.cosine * from.cosine + to.sine * from.sine,
                to.sine * from.cosine - to.cosine * from.sine
            )
        }

        func agrees(with pair: PointPair) -> Bool {
            let dx = pair.catalog.x - origin.catalog.x
            let dy = pair.catalog.y - origin.catalog.y
            let errorX = origin.query.x + real * dx - imaginary * dy - pair.query.x
            let errorY = origin.query.y + imaginary * dx + real * dy - pair.query.y
            guard errorX * errorX + errorY * errorY < tolerance * tolerance else { return false }
            let other = Self.turn(of: pair)
            guard other.cosine * turn.cosine + other.sine * turn.sine > cosineMin else {
                return false
            }
            let ratio = pair.query.scale / pair.catalog.scale
            return ratio < scale * scaleRatioMax && ratio * scaleRatioMax > scale
        }
    }
}
