/// A picture's local features: detection, choice, directions, descriptors.
struct FeatureExtraction {
    /// Features and their descriptors' rows, most pronounced first.
    struct Result {
        var features: [LocalFeature] = []
        var descriptors: [UInt8] = []
    }

    private let space: ScaleSpace
    private let kernels: ExtractionKernels

    /// The result for one picture; `faint` features are looked for where there are few others.
    static func extract(
        from image: GrayImage, faint: Bool = true, kernels: ExtractionKernels,
        shouldStop: () -> Bool
    ) throws(MatchingError) -> Result {
        var found = try keypoints(
            of: image, contrastMin: KeypointDetection.contrastMin, kernels, shouldStop)
        if faint, found.keypoints.count < KeypointDetection.enough {
            found = try keypoints(
                of: image, contrastMin: KeypointDetection.faintContrastMin, kernels, shouldStop)
            found.keypoints = Array(found.keypoints.prefix(KeypointDetection.enough))
        }
        let extraction = FeatureExtraction(space: found.space, kernels: kernels)
        return try extraction.described(
            found.keypoints.prefix(FeaturePrint.featuresMax), image, shouldStop)
    }

    /// The keypoints of a certain contrast, most pronounced first, and where they were found.
    private static func keypoints(
        of image: GrayImage, contrastMin: Float, _ kernels: ExtractionKernels,
        _ shouldStop: () -> Bool
    ) throws(MatchingError) -> (space: ScaleSpace, keypoints: [Keypoint]) {
        var keypoints: [Keypoint] = []
        let space = try ScaleSpace(image, kernels: kernels, shouldStop: shouldStop) {
            keypoints += KeypointDetection(
                $1, octave: $0, contrastMin: contrastMin, kernels: kernels
            ).keypoints()
        }
        keypoints.sort(by: Keypoint.isBefore)
        return (space, keypoints)
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
                description.appendDescriptor(
                    of: keypoint, turns: turns, in: plane, to: &result.descriptors)
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
