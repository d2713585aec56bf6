import CMatching

/// A separable Gaussian; the edge of the picture is continued by its last pixel.
struct GaussianBlur {
    /// Half of the symmetric kernel, from the centre outwards; all of it sums to 1.
    private let kernel: [Float]

    /// A kernel of 3.5 standard deviations to each side; `sigma` is at most 8.
    init(sigma: Double) {
        let radius = Int(sigma * 3.5 + 0.5)
        precondition(radius < Int(CM_TAPS_MAX), "a blur that the kernel has room for")
        let weights = (0...radius).map {
            Elementary.exponentialOfMinus(Double($0 * $0) / (2 * sigma * sigma))
        }
        let sum = weights.dropFirst().reduce(weights[0]) { $0 + 2 * $1 }
        kernel = weights.map { Float($0 / sum) }
    }

    /// The blurred plane.
    func blurred(_ source: Plane, with kernels: ExtractionKernels) -> Plane {
        var result = Plane(width: source.width, height: source.height)
        result.values.withUnsafeMutableBufferPointer { target in
            run(source, kernels, target: target.baseAddress, difference: nil)
        }
        return result
    }

    /// The blurred plane, and what it differs by from its source.
    func step(
        from source: Plane, with kernels: ExtractionKernels
    ) -> (blurred: Plane, difference: Plane) {
        var blurred = Plane(width: source.width, height: source.height)
        var difference = blurred
        blurred.values.withUnsafeMutableBufferPointer { target in
            difference.values.withUnsafeMutableBufferPointer { difference in
                run(
                    source, kernels, target: target.baseAddress,
                    difference: difference.baseAddress)
            }
        }
        return (blurred, difference)
    }

    private func run(
        _ source: Plane, _ kernels: ExtractionKernels, target: UnsafeMutablePointer<Float>?,
        difference: UnsafeMutablePointer<Float>?
    ) {
        let taps = Int32(kernel.count)
        let size = Int(cm_blur_scratch(Int32(source.width), taps))
        withUnsafeTemporaryAllocation(of: Float.self, capacity: size) { scratch in
            kernels.functions.blur(
                source.values, Int32(source.width), Int32(source.height), kernel, taps, target,
                difference, scratch.baseAddress)
        }
    }
}
