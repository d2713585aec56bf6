/// The homography that most pairs agree with (RANSAC, Fischler and Bolles 1981, with a refit of
/// each new best: Chum, Matas and Kittler 2003). The draws follow a fixed seed.
struct RobustFit {
    /// Pixels of the query within which a pair agrees.
    static let tolerance = 5.0
    /// Draws, at most.
    private static let drawsMax = 300
    /// Chance of having missed a better one at which drawing ends.
    private static let missMax = 0.001
    /// Refits of a new best, at most.
    private static let refitsMax = 4

    /// The plane.
    let homography: Homography
    /// Indices of the pairs that agree, ascending.
    let inliers: [Int]

    /// The best fit to `pairs`, drawn from those at `candidates`; nil if fewer than four agree.
    init?(_ pairs: [PointPair], candidates: [Int]) {
        guard candidates.count >= 4 else { return nil }
        var best: RobustFit?
        if let first = Homography(through: candidates.map { pairs[$0] }) {
            best = Self.refitted(first, pairs)
        }
        var draw = Draw(state: UInt64(candidates.count))
        var miss = 1.0
        for _ in 0..<Self.drawsMax {
            let chosen = draw.four(of: candidates)
            let agreeing = Double(
                best.map { best in candidates.count { best.inliers.contains($0) } } ?? 0)
            let share = agreeing / Double(candidates.count)
            miss *= 1 - share * share * share * share
            if miss < Self.missMax { break }
            guard let hypothesis = Homography(through: chosen.map { pairs[$0] }) else { continue }
            let count = Self.inliers(of: hypothesis, pairs).count
            if count > best?.inliers.count ?? 3 {
                let refitted = Self.refitted(hypothesis, pairs)
                if refitted.inliers.count > best?.inliers.count ?? 3 { best = refitted }
            }
        }
        guard let best, best.inliers.count >= 4 else { return nil }
        self = best
    }

    private init(homography: Homography, inliers: [Int]) {
        self.homography = homography
        self.inliers = inliers
    }

    private static func refitted(_ start: Homography, _ pairs: [PointPair]) -> RobustFit {
        var best = RobustFit(homography: start, inliers: inliers(of: start, pairs))
        for _ in 0..<refitsMax {
            guard let next = Homography(through: best.inliers.map { pairs[$0] }) else { break }
            let inliers = inliers(of: next, pairs)
            guard inliers.count > best.inliers.count else { break }
            best = RobustFit(homography: next, inliers: inliers)
        }
        return best
    }

    private static func inliers(of homography: Homography, _ pairs: [PointPair]) -> [Int] {
        pairs.indices.filter { index in
            let pair = pairs[index]
            guard let at = homography(x: Double(pair.catalog.x), y: Double(pair.catalog.y)) else {
                return false
            }
            let dx = at.x - Double(pair.query.x)
            let dy = at.y - Double(pair.query.y)
            return dx * dx + dy * dy <= tolerance * tolerance
        }
    }

    /// SplitMix64: a fixed sequence, the same everywhere.
    private struct Draw {
        var state: UInt64

        mutating func next(below bound: Int) -> Int {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
        }

        /// Four different elements of at least four.
        mutating func four(of candidates: [Int]) -> [Int] {
            var chosen: [Int] = []
            while chosen.count < 4 {
                let candidate = candidates[next(below: candidates.count)]
                if !chosen.contains(candidate) { chosen.append(candidate) }
            }
            return chosen
        }
    }
}
