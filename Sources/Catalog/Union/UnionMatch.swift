/// That the picture of a search shows an entity.
public struct UnionMatch: Sendable, Equatable {
    /// The entity.
    public var key: EntityKey
    /// In millionths, 0…`Limits.distanceMax`; 0 is the same picture.
    public var distance: Int
    /// Local features that agree geometrically; nil if there was no such check.
    public var inliers: Int?
    /// The four corners of the entity's picture in the query's pixels, each `[x, y]`; nil if
    /// unknown.
    public var outline: [[Int]]?

    /// From its parts.
    public init(key: EntityKey, distance: Int, inliers: Int? = nil, outline: [[Int]]? = nil) {
        self.key = key
        self.distance = distance
        self.inliers = inliers
        self.outline = outline
    }
}
