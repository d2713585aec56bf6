/// Ever more blurred copies of a picture, each octave at half the size of the one before.
///
/// Lowe, "Distinctive Image Features from Scale-Invariant Keypoints", 2004, section 3. Only small
/// pictures are doubled first: with large ones that was worse and three times slower on photographs
/// of covers.
struct ScaleSpace {
    /// Layers of an octave in which extrema are looked for.
    static let layers = 3
    /// Blur of an octave's first plane, in its own pixels.
    static let sigma = 1.6
    /// Blur that a picture is taken to have as it comes.
    static let pictureSigma = 0.5
    /// Pixels of the longer side up to which a picture is doubled first; it then still fits the
    /// working side.
    static let doubledSideMax = 320
    /// Pixels of a side below which there is no further octave.
    static let sideMin = 16

    /// One size.
    struct Octave {
        /// Pixels of the working picture in one pixel here.
        let pixel: Float
        /// `layers + 3` planes; plane k is blurred by `sigma * 2^(k / layers)`.
        let planes: [Plane]
        /// Plane k + 1 minus plane k.
        let differences: [Plane]
    }

    let octaves: [Octave]

    /// Blurs the picture; no octave at all for one with a side below `sideMin`.
    init(
        _ image: GrayImage, kernels: ExtractionKernels, shouldStop: () -> Bool
    ) throws(MatchingError) {
        var octaves: [Octave] = []
        var base = Plane(image)
        var pixel: Float = 1
        var blur = Self.pictureSigma
        if max(base.width, base.height) <= Self.doubledSideMax {
            base = base.doubled()
            pixel = 0.5
            blur *= 2
        }
        let first = Self.sigma * Self.sigma - blur * blur
        guard min(base.width, base.height) >= Self.sideMin else {
            self.octaves = []
            return
        }
        base = GaussianBlur(sigma: first.squareRoot()).blurred(base, with: kernels)
        let steps = Self.stepSigmas.map(GaussianBlur.init)
        while min(base.width, base.height) >= Self.sideMin {
            var planes = [base]
            var differences: [Plane] = []
            for step in steps {
                if shouldStop() { throw MatchingError(.stopped, "stopped while blurring") }
                let next = step.step(from: planes[planes.count - 1], with: kernels)
                planes.append(next.blurred)
                differences.append(next.difference)
            }
            octaves.append(Octave(pixel: pixel, planes: planes, differences: differences))
            base = planes[Self.layers].halved()
            pixel *= 2
        }
        self.octaves = octaves
    }

    /// The cube root of 2: the step from one plane's blur to the next one's.
    static let step = 1.259_921_049_894_873_2

    /// What each plane adds to the blur of the one before.
    private static var stepSigmas: [Double] {
        var total = sigma
        return (1..<layers + 3).map { _ in
            let next = total * step
            defer { total = next }
            return (next * next - total * total).squareRoot()
        }
    }
}
