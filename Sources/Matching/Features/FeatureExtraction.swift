/// A picture's local features: detection, choice, directions, descriptors.
struct FeatureExtraction {
    /// Features and their descriptors' rows, most pronounced first.
    struct Result {
        var features: [LocalFeature] = []
        var descriptors: [UInt8] = []
    }

    private let space: ScaleSpace
    private let table = GaussianTable()
    private var fields: [[GradientField?]]

    /// The result for one picture.
    static func extract(
        from image: GrayImage, shouldStop: () -> Bool
    ) throws(MatchingError) -> Result {
        let space = try ScaleSpace(image, shouldStop: shouldStop)
        var keypoints: [Keypoint] = []
        for (number, octave) in space.octaves.enumerated() {
            if shouldStop() { throw MatchingError(.stopped, "stopped while detecting") }
            keypoints += KeypointDetection(octave.planes, octave: number).keypoints()
        }
        keypoints.sort(by: Keypoint.isBefore)
        var extraction = FeatureExtraction(space: space)
        return try extraction.described(
            keypoints.prefix(FeaturePrint.featuresMax), image, shouldStop)
    }

    private init(space: ScaleSpace) {
        self.space = space
        fields = space.octaves.map { $0.planes.map { _ in nil } }
    }

    private mutating func described(
        _ keypoints: ArraySlice<Keypoint>, _ image: GrayImage, _ shouldStop: () -> Bool
    ) throws(MatchingError) -> Result {
        let orientation = Orientation(table: table)
        let description = Description(table: table)
        var result = Result()
        result.descriptors.reserveCapacity(FeaturePrint.featuresMax * Descriptor.length)
        for (number, keypoint) in keypoints.enumerated() {
            if number.isMultiple(of: 16), shouldStop() {
                throw MatchingError(.stopped, "stopped while describing")
            }
            let field = field(of: keypoint)
            for turns in orientation.directions(of: keypoint, in: field) {
                guard result.features.count < FeaturePrint.featuresMax else { return result }
                result.features.append(feature(keypoint, turns, image))
                result.descriptors += description.descriptor(
                    of: keypoint, turns: turns, in: field)
            }
        }
        return result
    }

    /// The gradients of the keypoint's plane, computed once.
    private mutating func field(of keypoint: Keypoint) -> GradientField {
        if let field = fields[keypoint.octave][keypoint.plane] { return field }
        let field = GradientField(space.octaves[keypoint.octave].planes[keypoint.plane])
        fields[keypoint.octave][keypoint.plane] = field
        return field
    }

    private func feature(
        _ keypoint: Keypoint, _ turns: Float, _ image: GrayImage
    ) -> LocalFeature {
        let units = space.octaves[keypoint.octave].pixel * Float(LocalFeature.unitsPerPixel)
        let last = { (side: Int) in Float(side * LocalFeature.unitsPerPixel - 1) }
        return LocalFeature(
            x: UInt16(max(0, min(keypoint.x * units, last(image.width)))),
            y: UInt16(max(0, min(keypoint.y * units, last(image.height)))),
            scale: UInt16(max(1, min(keypoint.sigma * units, Float(UInt16.max)))),
            angle: UInt16(truncatingIfNeeded: Int(turns * 65_536)))
    }
}
