/// A feature of a catalog picture and the query's feature that it corresponds to.
struct PointPair: Sendable {
    let catalog: FeaturePoint
    let query: FeaturePoint
}
