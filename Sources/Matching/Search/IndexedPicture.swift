/// One catalog picture, its descriptors packed for the kernel.
struct IndexedPicture: Sendable {
    let width: Int
    let height: Int
    let digest: [UInt8]
    let hasEnoughContent: Bool
    let points: [FeaturePoint]
    let descriptors: PackedDescriptors

    init(_ print: FeaturePrint) {
        width = print.width
        height = print.height
        digest = print.digest
        hasEnoughContent = print.hasEnoughContent
        points = print.features.map(FeaturePoint.init)
        descriptors = PackedDescriptors(print.descriptors)
    }
}

/// A feature's place with its direction as a vector, so that a search needs no trigonometry.
struct FeaturePoint: Sendable {
    /// Pixels from the left edge.
    let x: Float
    /// Pixels from the top edge.
    let y: Float
    /// Standard deviation of its Gaussian, in pixels.
    let scale: Float
    let cosine: Float
    let sine: Float

    init(_ feature: LocalFeature) {
        let unit = 1 / Float(LocalFeature.unitsPerPixel)
        x = Float(feature.x) * unit
        y = Float(feature.y) * unit
        scale = Float(feature.scale) * unit
        let direction = Elementary.direction(turns: Double(feature.angle) / 65_536)
        cosine = Float(direction.cosine)
        sine = Float(direction.sine)
    }
}
