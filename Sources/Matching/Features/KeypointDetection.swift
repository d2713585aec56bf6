/// Finds the extrema of the difference of Gaussians (Lowe 2004, sections 3 and 4).
struct KeypointDetection {
    /// Contrast below which an extremum is noise, in grey levels: 0.02 of the whole range, shared
    /// among the layers. Twice that loses dim paintings.
    static let contrastMin: Float = 0.02 * 255 / Float(ScaleSpace.layers)
    /// Pixels along the border in which nothing is looked for.
    static let border = 5

    private let octave: Int
    private let width: Int
    private let height: Int
    private let differences: [Plane]

    /// The detection in one octave's planes.
    init(_ planes: [Plane], octave: Int) {
        self.octave = octave
        width = planes[0].width
        height = planes[0].height
        differences = zip(planes.dropFirst(), planes).map { $0.minus($1) }
    }

    /// All keypoints of the octave, plane by plane from the top left.
    func keypoints() -> [Keypoint] {
        guard width > 2 * Self.border, height > 2 * Self.border else { return [] }
        var found: [Keypoint] = []
        for plane in 1...ScaleSpace.layers {
            for at in extrema(plane) {
                let place = KeypointRefinement.Place(
                    plane: plane, x: at % width, y: at / width)
                let refinement = KeypointRefinement(differences: differences, octave: octave)
                if let keypoint = refinement.refined(place) { found.append(keypoint) }
            }
        }
        return found
    }

    /// Indices of the values that are above or below all their 26 neighbours.
    private func extrema(_ plane: Int) -> [Int] {
        var found: [Int] = []
        differences[plane - 1].values.withUnsafeBufferPointer { below in
            differences[plane].values.withUnsafeBufferPointer { here in
                differences[plane + 1].values.withUnsafeBufferPointer { above in
                    for y in Self.border..<height - Self.border {
                        appendExtrema(of: y, below, here, above, to: &found)
                    }
                }
            }
        }
        return found
    }

    private func appendExtrema(
        of y: Int, _ below: UnsafeBufferPointer<Float>, _ here: UnsafeBufferPointer<Float>,
        _ above: UnsafeBufferPointer<Float>, to found: inout [Int]
    ) {
        // Interpolation adds contrast: half of the least is enough to look closer.
        let least = Self.contrastMin * 0.5
        for at in y * width + Self.border..<(y + 1) * width - Self.border {
            let value = here[at]
            let sign: Float = value < 0 ? -1 : 1
            let size = value * sign
            guard size > least, size >= here[at - 1] * sign, size >= here[at + 1] * sign else {
                continue
            }
            if isLargest(size, sign, at, here), isLargest(size, sign, at, below),
                isLargest(size, sign, at, above)
            {
                found.append(at)
            }
        }
    }

    /// Whether none of the nine values around `at`, times `sign`, exceeds `size`.
    @inline(__always)
    private func isLargest(
        _ size: Float, _ sign: Float, _ at: Int, _ plane: UnsafeBufferPointer<Float>
    ) -> Bool {
        isLargestOfThree(size, sign, at - width, plane) && isLargestOfThree(size, sign, at, plane)
            && isLargestOfThree(size, sign, at + width, plane)
    }

    @inline(__always)
    private func isLargestOfThree(
        _ size: Float, _ sign: Float, _ at: Int, _ plane: UnsafeBufferPointer<Float>
    ) -> Bool {
        size >= plane[at - 1] * sign && size >= plane[at] * sign && size >= plane[at + 1] * sign
    }
}
