/// What a picture is recognised by: up to 500 local features, a digest of its working pixels and, of
/// one with few features, how it looks as a whole.
///
/// The same pixels give the same bits on every machine: nothing here uses the platform's
/// transcendental functions, fused multiply-add or an order of sums that depends on the processor.
/// One print serves both as query and as catalog picture.
public struct FeaturePrint: Sendable, Equatable {
    /// Names the algorithm and all its constants; prints of two versions are never compared.
    public static let version = "sl3"
    /// Pixels of the longer side that callers scale a picture down to, for queries and for the
    /// catalog alike; a smaller picture stays as it is.
    public static let workingSide = 640
    /// Features of one print, at most; the most pronounced are kept.
    public static let featuresMax = 500
    /// Features below which a picture has too little content to be told from strangers.
    package static let featuresMin = 8

    /// Width of the working picture, in pixels.
    package let width: Int
    /// Height of the working picture, in pixels.
    package let height: Int
    /// SHA-256 over the size and the working pixels: decides identity.
    package let digest: [UInt8]
    /// Where the features are.
    package let features: [LocalFeature]
    /// `DescriptorCode.length` bytes a feature, in the order of `features`.
    package let codes: [UInt8]
    /// `Vocabulary.wordsPerDescriptor` words a feature, the nearest first.
    package let words: [UInt16]
    /// The picture as a whole, if it has few features and any contrast.
    package let whole: WholePicture?

    /// Computes the print of a working picture.
    ///
    /// `shouldStop` is asked between the steps: before each blur and every 16 keypoints.
    /// - Throws: `.pictureSize` if a side exceeds `workingSide`; `.stopped` if told to stop.
    public init(
        of image: GrayImage, shouldStop: () -> Bool = { false }
    ) throws(MatchingError) {
        try self.init(of: image, kernels: .fast, shouldStop: shouldStop)
    }

    /// The same with a choice of kernels, which makes no difference to the print.
    package init(
        of image: GrayImage, kernels: ExtractionKernels, shouldStop: () -> Bool = { false }
    ) throws(MatchingError) {
        try Self.checkSize(of: image)
        let found = try FeatureExtraction.extract(
            from: image, kernels: kernels, shouldStop: shouldStop)
        self.init(
            width: image.width, height: image.height, digest: Self.digest(of: image),
            features: found.features, codes: DescriptorCode.codes(of: found.descriptors),
            words: Vocabulary.shipped.words(of: found.descriptors),
            whole: found.features.count < WholePicture.featuresMax
                ? WholePicture(of: image) : nil)
    }

    /// The print of a picture that is told by how it looks as a whole alone: no features are looked
    /// for.
    public init(wholeOf image: GrayImage) throws(MatchingError) {
        try Self.checkSize(of: image)
        self.init(
            width: image.width, height: image.height, digest: Self.digest(of: image), features: [],
            codes: [], words: [], whole: WholePicture(of: image))
    }

    package init(
        width: Int, height: Int, digest: [UInt8], features: [LocalFeature], codes: [UInt8],
        words: [UInt16], whole: WholePicture? = nil
    ) {
        self.width = width
        self.height = height
        self.digest = digest
        self.features = features
        self.codes = codes
        self.words = words
        self.whole = whole
    }

    /// The descriptors of a picture's features but for faint ones, `Descriptor.length` bytes each:
    /// what a vocabulary is made from.
    package static func descriptors(of image: GrayImage) throws(MatchingError) -> [UInt8] {
        try FeatureExtraction.extract(
            from: image, faint: false, kernels: .fast, shouldStop: { false }
        ).descriptors
    }

    /// Number of local features, at most `featuresMax`.
    public var featureCount: Int { features.count }

    /// Whether there are enough features to compare; otherwise the picture matches only what looks
    /// alike as a whole.
    public var hasEnoughContent: Bool { features.count >= Self.featuresMin }

    /// Whether it has so few features that how it looks as a whole counts too.
    public var isToldAsAWhole: Bool { whole != nil }

    private static func checkSize(of image: GrayImage) throws(MatchingError) {
        guard max(image.width, image.height) <= workingSide else {
            throw MatchingError(
                .pictureSize,
                "\(image.width)x\(image.height) pixels, allowed \(workingSide) on a side")
        }
    }

    private static func digest(of image: GrayImage) -> [UInt8] {
        var hash = SHA256()
        hash.update([
            UInt8(truncatingIfNeeded: image.width), UInt8(truncatingIfNeeded: image.width >> 8),
            UInt8(truncatingIfNeeded: image.height), UInt8(truncatingIfNeeded: image.height >> 8),
        ])
        hash.update(image.pixels)
        return hash.finish()
    }
}
