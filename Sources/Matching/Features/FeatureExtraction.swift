/// A picture's local features: detection, choice, directions, descriptors.
struct FeatureExtraction {
    /// Features and their descriptors' rows, most pronounced first.
    struct Result {
        var features: [LocalFeature] = []
        var descriptors: [UInt8] = []
    }

    private let space: ScaleSpace
    private let kernels: ExtractionKernels

    /// The result for one picture.
    static func extract(
        from image: GrayImage, kernels: ExtractionKernels, shouldStop: () -> Bool
    ) throws(MatchingError) -> Result {
        let space = try ScaleSpace(image, kernels: kernels, shouldStop: shouldStop)
        var keypoints: [Keypoint] = []
        for (number, octave) in space.octaves.enumerated() {
            if shouldStop() { throw MatchingError(.stopped, "stopped while detecting") }
            keypoints += KeypointDetection(
                octave.differences, octave: number, kernels: kernels
            ).keypoints()
        }
        keypoints.sort(by: Keypoint.isBefore)
        let extraction = FeatureExtraction(space: space, kernels: kernels)
        return try extraction.described(
            keypoints.prefix(FeaturePrint.featuresMax), image, shouldStop)
    }

    private init(space: ScaleSpace, kernels: ExtractionKernels) {
        self.space = space
        self.kernels = kernels
    }

    private func described(
        _ keypoints: ArraySlice<Keypoint>, _ image: GrayImage, _ shouldStop: () -> Bool
    ) throws(MatchingError) -> Result {
        let orientation = Orientation(kernels: kernels)
        let description = Description(kernels: kernels)
        var result = Result()
        result.descriptors.reserveCapacity(FeaturePrint.featuresMax * Descriptor.length)
        for (number, keypoint) in keypoints.enumerated() {
            if number.isMultiple(of: 16), shouldStop() {
                throw MatchingError(.stopped, "stopped while describing")
            }
            let plane = space.octaves[keypoint.octave].planes[keypoint.plane]
            for turns in orientation.directions(of: keypoint, in: plane) {
                guard result.features.count < FeaturePrint.featuresMax else { return result }
                result.features.append(feature(keypoint, turns, image))
                result.descriptors += description.descriptor(
                    of: keypoint, turns: turns, in: plane)
            }
        }
        return result
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
