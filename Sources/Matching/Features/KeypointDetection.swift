import CMatching

/// Finds the extrema of the difference of Gaussians (Lowe 2004, sections 3 and 4).
struct KeypointDetection {
    /// Contrast below which an extremum is noise, in grey levels: 0.02 of the whole range, shared
    /// among the layers. Twice that loses dim paintings.
    static let contrastMin: Float = 0.02 * 255 / Float(ScaleSpace.layers)
    /// Features below which fainter ones are looked for too: a flat logo, a near-white cover.
    static let enough = 60
    /// Contrast of the faintest ones, as `contrastMin`.
    static let faintContrastMin = contrastMin / 4
    /// Pixels along the border in which nothing is looked for.
    static let border = 5

    private let octave: Int
    private let contrastMin: Float
    private let width: Int
    private let height: Int
    private let differences: [Plane<Int16>]
    private let kernels: ExtractionKernels

    /// The detection in one octave's differences.
    init(
        _ differences: [Plane<Int16>], octave: Int, contrastMin: Float, kernels: ExtractionKernels
    ) {
        self.contrastMin = contrastMin
        self.octave = octave
        self.kernels = kernels
        width = differences[0].width
        height = differences[0].height
        self.differences = differences
    }

    /// All keypoints of the octave, plane by plane from the top left.
    func keypoints() -> [Keypoint] {
        guard width > 2 * Self.border, height > 2 * Self.border else { return [] }
        var found: [Keypoint] = []
        let refinement = KeypointRefinement(
            differences: differences, octave: octave, contrastMin: contrastMin)
        for plane in 1...ScaleSpace.layers {
            for at in extrema(plane) {
                let place = KeypointRefinement.Place(
                    plane: plane, x: Int(at) % width, y: Int(at) / width)
                if let keypoint = refinement.refined(place) { found.append(keypoint) }
            }
        }
        return found
    }

    /// Indices of the values that are above or below all their 26 neighbours.
    private func extrema(_ plane: Int) -> [Int32] {
        let limit = width * height
        // Interpolation adds contrast: half of the least is enough to look closer.
        let least = Int16(contrastMin * 0.5 * Float(CM_UNITS_PER_GREY))
        return [Int32](unsafeUninitializedCapacity: limit) { found, count in
            count = Int(
                kernels.functions.extrema(
                    differences[plane - 1].values, differences[plane].values,
                    differences[plane + 1].values, Int32(width), Int32(height),
                    Int32(Self.border), least, found.baseAddress, Int32(limit)))
        }
    }
}
