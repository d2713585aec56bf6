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
    /// Times that a plane is fitted again to the pairs that it predicts, at most.
    private static let guidedRounds = 3

    private let query: FeaturePrint
    private let points: [FeaturePoint]
    private let guided: GuidedPairs

    /// A comparison with this query.
    init(_ query: FeaturePrint) {
        self.query = query
        points = query.features.map(FeaturePoint.init)
        guided = GuidedPairs(query, points)
    }

    /// The evidence for a picture, or nil if there is none at all.
    func evidence(in picture: IndexedPicture) -> Evidence? {
        guard query.digest != picture.digest else {
            return Evidence(
                distance: 0, inliers: points.count, outline: Outline.whole(query))
        }
        let alike = likeness(to: picture)
        guard query.hasEnoughContent, picture.hasEnoughContent else { return alike }
        let agreeing = agreement(with: picture)
        guard let alike, alike.distance <= agreeing?.distance ?? Int.max else { return agreeing }
        return alike
    }

    /// The evidence of two pictures as wholes.
    private func likeness(to picture: IndexedPicture) -> Evidence? {
        guard let here = query.whole, let there = picture.whole,
            WholePicture.areOfOneShape(
                (query.width, query.height), (picture.width, picture.height)),
            let distance = Distance.withLikeness(here.likeness(to: there))
        else { return nil }
        return Evidence(
            distance: distance, inliers: 0,
            outline: distance <= Distance.cut ? Outline.whole(query) : nil)
    }

    /// The evidence of features that agree.
    private func agreement(with picture: IndexedPicture) -> Evidence? {
        let pairs = pairs(with: picture)
        let voters = SimilarityVote.voters(among: pairs)
        guard voters.count >= Distance.votersMin else { return nil }
        if voters.count >= Self.votersMin, let plane = plane(pairs, voters, picture) {
            return plane
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
        guard let fit = RobustFit(pairs, candidates: voters) else { return nil }
        var homography = fit.homography
        var agreeing = fit.inliers.map { pairs[$0] }
        for _ in 0..<Self.guidedRounds {
            let found = guided.pairs(on: homography, with: picture)
            guard found.count > agreeing.count, let next = Homography(through: found) else { break }
            agreeing = found
            homography = next
        }
        guard
            let outline = Outline(
                homography, width: picture.width, height: picture.height, query: query)
        else { return nil }
        var support = Support(
            agreeing, of: homography, picture: picture, query: query, outline: outline
        ).numbers
        support.united = Double(fit.inliers.count) / Double(pairs.count)
        let distance = Distance.withPlane(support, voters: voters.count)
        let isAccepted = distance <= Distance.cut
        return Evidence(
            distance: distance, inliers: isAccepted ? support.places : voters.count,
            outline: isAccepted ? outline.points : nil)
    }
}
