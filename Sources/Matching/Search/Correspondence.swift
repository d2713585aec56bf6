/// A feature of the query and the feature of a catalog picture that it resembles much more than
/// any other one there.
package struct Correspondence: Sendable, Equatable {
    /// Index of the query's feature.
    package let query: Int
    /// Index of the catalog picture's feature.
    package let catalog: Int
    /// Bits in which the codes differ.
    package let distance: Int
    /// Bits in which the second-nearest code differs.
    package let second: Int

    /// Percent of the second-nearest distance that the nearest may have (Lowe's ratio test; bits
    /// grow like the square of a distance).
    private static let ratioPercent = 80

    /// The correspondences among the nearest codes of each query feature, at most one for
    /// each feature of the catalog picture: the nearest, then the first.
    package static func oneToOne(
        _ nearest: [NearestCode], catalogCount: Int
    ) -> [Correspondence] {
        var holder = [Int](repeating: -1, count: catalogCount)
        for (index, found) in nearest.enumerated()
        where found.distance * 100 < found.second * ratioPercent {
            let other = holder[found.index]
            if other < 0 || found.distance < nearest[other].distance {
                holder[found.index] = index
            }
        }
        return nearest.indices.compactMap { index in
            let found = nearest[index]
            guard holder[found.index] == index else { return nil }
            return Correspondence(
                query: index, catalog: found.index, distance: found.distance,
                second: found.second)
        }
    }
}
