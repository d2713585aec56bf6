/// One query against one catalog picture after another.
struct Comparison {
    /// What a picture has in common with the query.
    struct Evidence: Equatable {
        let distance: Int
        let inliers: Int
        let outline: [OutlinePoint]?
    }

    private let query: FeaturePrint
    private let descriptors: QueryDescriptors
    private let points: [FeaturePoint]

    /// A comparison with this query.
    init(_ query: FeaturePrint) {
        self.query = query
        descriptors = QueryDescriptors(query.descriptors)
        points = query.features.map(FeaturePoint.init)
    }

    /// The evidence for a picture, or nil if there is none at all.
    func evidence(in picture: IndexedPicture) -> Evidence? {
        guard query.digest != picture.digest else {
            return Evidence(
                distance: 0, inliers: points.count,
                outline: Outline.whole(width: query.width, height: query.height))
        }
        return nil
    }
}
