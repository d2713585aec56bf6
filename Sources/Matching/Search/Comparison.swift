/// One query against one catalog picture after another.
struct Comparison {
    /// What a picture has in common with the query.
    struct Evidence: Equatable {
        let distance: Int
        let inliers: Int
        let outline: [OutlinePoint]?
    }

    /// Pairs that agree on a similarity from which a plane is looked for.
    private static let votersMin = 5

    private let query: FeaturePrint
    private let points: [FeaturePoint]

    /// A comparison with this query.
    init(_ query: FeaturePrint) {
        self.query = query
        points = query.features.map(FeaturePoint.init)
    }

    /// The evidence for a picture, or nil if there is none at all.
    func evidence(in picture: IndexedPicture) -> Evidence? {
        guard query.digest != picture.digest else {
            return Evidence(
                distance: 0, inliers: points.count, outline: Outline.whole(query))
        }
        guard query.hasEnoughContent, picture.hasEnoughContent else { return nil }
        let pairs = pairs(with: picture)
        let voters = SimilarityVote.voters(among: pairs)
        guard voters.count >= Distance.votersMin else { return nil }
        if voters.count >= Self.votersMin, let accepted = plane(pairs, voters, picture) {
            return accepted
        }
        return Evidence(
            distance: Distance.withoutPlane(voters: voters.count), inliers: voters.count,
            outline: nil)
    }

    /// The corresponding features, the most distinctive first.
    private func pairs(with picture: IndexedPicture) -> [PointPair] {
        let nearest = NearestCode.all(of: query.codes, in: picture.codes)
        return Correspondence.oneToOne(nearest, catalogCount: picture.features.count)
            .sorted { left, right in
                let (one, other) = (left.distance * right.second, right.distance * left.second)
                return one != other ? one < other : left.query < right.query
            }
            .map {
                PointPair(
                    catalog: FeaturePoint(picture.features[$0.catalog]), query: points[$0.query])
            }
    }

    private func plane(
        _ pairs: [PointPair], _ voters: [Int], _ picture: IndexedPicture
    ) -> Evidence? {
        guard let fit = RobustFit(pairs, candidates: voters),
            let outline = Outline(
                fit.homography, width: picture.width, height: picture.height, query: query)
        else { return nil }
        let agreeing = fit.inliers.map { pairs[$0] }
        let support = Support(
            agreeing, of: fit.homography, picture: picture, query: query, outline: outline)
        guard
            let distance = Distance.withPlane(
                places: support.places, share: support.share, extent: support.extent)
        else { return nil }
        return Evidence(distance: distance, inliers: support.places, outline: outline.points)
    }
}
