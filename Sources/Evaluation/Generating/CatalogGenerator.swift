public import Raster

/// Makes catalog pictures that look like covers, as many as wanted, from a seed.
///
/// An entry is made of parts of material pictures (scaled, turned, waved, recoloured, blended), of
/// lettering, shapes, gradients and textures; without material of these alone. The same seed, index
/// and material give the same pixels everywhere, whatever the number of entries.
public struct CatalogGenerator: Sendable {
    /// Names the algorithm and its constants.
    public static let version = "covers-1"
    /// Pixels of the longer side, at least and at most.
    public static let sides = 400...1_000

    /// What the pictures follow from.
    public let seed: UInt64
    /// Pictures to take parts of; each has 2 pixels at least on a side, or is not used.
    public let material: [Bitmap]

    /// A generator; an empty material makes all pictures from nothing.
    public init(seed: UInt64, material: [Bitmap] = []) {
        self.seed = seed
        self.material = material
    }

    /// The picture of an entry; an index is any number from 0 on.
    public func picture(_ index: Int) -> Bitmap {
        let plan = CoverPlan(seed: seed, index: index, materialCount: material.count)
        var painter = CoverPainter(plan, material: material)
        return painter.paint()
    }

    /// Indices of the material that an entry's picture shows parts of, ascending; quick, since
    /// nothing is drawn.
    public func materialUsed(by index: Int) -> [Int] {
        Self.materialUsed(by: index, seed: seed, materialCount: material.count)
    }

    /// The same without the material at hand.
    public static func materialUsed(by index: Int, seed: UInt64, materialCount: Int) -> [Int] {
        let plan = CoverPlan(seed: seed, index: index, materialCount: materialCount)
        return Set(plan.panels.compactMap(\.material)).sorted()
    }
}
