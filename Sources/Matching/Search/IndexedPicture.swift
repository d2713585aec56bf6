/// What of a catalog picture's print a search needs.
struct IndexedPicture: Sendable {
    let width: Int
    let height: Int
    let digest: [UInt8]
    let features: [LocalFeature]
    /// `DescriptorCode.length` bytes a feature.
    let codes: [UInt8]
    /// The nearest word of each feature.
    let words: [UInt16]
    /// Where the picture stands among others with the same score.
    let order: UInt64

    init(_ print: FeaturePrint, order: UInt64 = 0) {
        self.order = order
        width = print.width
        height = print.height
        digest = print.digest
        features = print.features
        codes = print.codes
        let each = Vocabulary.wordsPerDescriptor
        words = print.features.indices.map { print.words[$0 * each] }
    }

    /// Whether there is enough to compare; otherwise it matches only its identical copy.
    var hasEnoughContent: Bool { features.count >= FeaturePrint.featuresMin }
}

/// A feature's place with its direction as a vector.
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
