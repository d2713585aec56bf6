/// Ever more blurred copies of a picture, each octave at half the size of the one before.
///
/// Lowe, "Distinctive Image Features from Scale-Invariant Keypoints", 2004, section 3. Only small
/// pictures are doubled first: with large ones that was worse and three times slower on photographs
/// of covers.
struct ScaleSpace {
    /// Layers of an octave in which extrema are looked for.
    static let layers = 3
    /// Planes of an octave; one less differences.
    static let planes = layers + 3
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
        /// Plane k is blurred by `sigma * 2^(k / layers)`.
        let planes: [Plane<UInt16>]
    }

    private(set) var octaves: [Octave] = []
    private let kernels: ExtractionKernels
    private let memory: PlaneMemory
    /// Where each octave's differences are, one octave after the other.
    private let room: [UnsafeMutablePointer<Int16>]

    /// Blurs the picture; no octave at all for one with a side below `sideMin`.
    ///
    /// `inspect` sees each octave's differences, plane k + 1 minus plane k, before the next octave's
    /// take their place.
    init(
        _ image: GrayImage, kernels: ExtractionKernels, shouldStop: () -> Bool,
        inspect: (_ octave: Int, _ differences: [Plane<Int16>]) -> Void
    ) throws(MatchingError) {
        self.kernels = kernels
        let isDoubled = max(image.width, image.height) <= Self.doubledSideMax
        let (width, height) = (
            image.width << (isDoubled ? 1 : 0), image.height << (isDoubled ? 1 : 0)
        )
        memory = PlaneMemory(capacity: Self.capacity(width, height))
        let memory = memory
        room = (0..<Self.planes - 1).map { _ in
            UnsafeMutableRawPointer(memory.plane(width: width, height: height).values)
                .assumingMemoryBound(to: Int16.self)
        }
        guard min(width, height) >= Self.sideMin else { return }
        var base = first(of: image, isDoubled: isDoubled)
        var pixel: Float = isDoubled ? 0.5 : 1
        let steps = Self.stepSigmas.map(GaussianBlur.init)
        while true {
            var planes = [base]
            var differences: [Plane<Int16>] = []
            for (step, values) in zip(steps, room) {
                if shouldStop() { throw MatchingError(.stopped, "stopped while blurring") }
                let next = memory.plane(width: base.width, height: base.height)
                let difference = Plane(base.width, base.height, at: values, in: memory)
                step.blur(planes[planes.count - 1], into: next, difference, with: kernels)
                planes.append(next)
                differences.append(difference)
            }
            inspect(octaves.count, differences)
            octaves.append(Octave(pixel: pixel, planes: planes))
            guard min(base.width, base.height) / 2 >= Self.sideMin else { return }
            base = memory.plane(width: base.width / 2, height: base.height / 2)
            base.fill(withHalfOf: planes[Self.layers])
            pixel *= 2
        }
    }

    /// The plane that all others are blurred from.
    private func first(of image: GrayImage, isDoubled: Bool) -> Plane<UInt16> {
        var source = memory.plane(width: image.width, height: image.height)
        source.fill(with: image)
        var blur = Self.pictureSigma
        if isDoubled {
            let double = memory.plane(width: 2 * image.width, height: 2 * image.height)
            double.fill(withDoubleOf: source)
            source = double
            blur *= 2
        }
        let base = memory.plane(width: source.width, height: source.height)
        GaussianBlur(sigma: (Self.sigma * Self.sigma - blur * blur).squareRoot())
            .blur(source, into: base, nil, with: kernels)
        return base
    }

    /// Values of all planes: the differences, the picture itself as it comes and doubled, and the
    /// planes of each octave.
    private static func capacity(_ width: Int, _ height: Int) -> Int {
        var (width, height) = (width, height)
        var sum = (planes - 1 + 2) * PlaneMemory.planeValues(width: width, height: height)
        while min(width, height) >= sideMin {
            sum += planes * PlaneMemory.planeValues(width: width, height: height)
            (width, height) = (width / 2, height / 2)
        }
        return sum
    }

    /// The cube root of 2: the step from one plane's blur to the next one's.
    static let step = 1.259_921_049_894_873_2

    /// What each plane adds to the blur of the one before.
    private static var stepSigmas: [Double] {
        var total = sigma
        return (1..<planes).map { _ in
            let next = total * step
            defer { total = next }
            return (next * next - total * total).squareRoot()
        }
    }
}
