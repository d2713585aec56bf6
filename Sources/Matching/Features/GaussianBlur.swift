import CMatching

/// A separable Gaussian; the edge of the picture is continued by its last pixel.
struct GaussianBlur {
    /// Half of the symmetric kernel, from the centre outwards, in 1/65536: the centre, then twice
    /// each value. All of it sums to 1.
    private let kernel: [UInt16]

    /// A kernel of three standard deviations to each side; `sigma` is 0.5 to 8.
    init(sigma: Double) {
        let radius = Int(sigma * 3.5 + 0.5)
        precondition(1..<Int(CM_TAPS_MAX) ~= radius, "a blur that the kernel has room for")
        let weights = (0...radius).map {
            Elementary.exponentialOfMinus(Double($0 * $0) / (2 * sigma * sigma))
        }
        let sum = weights.dropFirst().reduce(weights[0]) { $0 + 2 * $1 }
        let pairs = weights.dropFirst().map { Int(2 * $0 / sum * 65_536 + 0.5) }
        kernel = ([65_536 - pairs.reduce(0, +)] + pairs).map(UInt16.init)
    }

    /// Blurs a plane into another of its size, and says by what they differ.
    func blur(
        _ source: Plane<UInt16>, into target: Plane<UInt16>, _ difference: Plane<Int16>?,
        with kernels: ExtractionKernels
    ) {
        let taps = Int32(kernel.count)
        let size = Int(cm_blur_scratch(Int32(source.width), taps))
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: size) { scratch in
            kernels.functions.blur(
                source.values, Int32(source.width), Int32(source.height), kernel, taps,
                target.values, difference?.values, scratch.baseAddress)
        }
    }
}
