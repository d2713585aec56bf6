/// A separable Gaussian; the edge of the picture is continued by its last pixel.
struct GaussianBlur {
    /// Half of the symmetric kernel, from the centre outwards; all of it sums to 1.
    private let kernel: [Float]

    private var radius: Int { kernel.count - 1 }

    /// A kernel of 3.5 standard deviations to each side.
    init(sigma: Double) {
        let radius = Int(sigma * 3.5 + 0.5)
        let weights = (0...radius).map {
            Elementary.exponentialOfMinus(Double($0 * $0) / (2 * sigma * sigma))
        }
        let sum = weights.dropFirst().reduce(weights[0]) { $0 + 2 * $1 }
        kernel = weights.map { Float($0 / sum) }
    }

    /// The blurred plane.
    func callAsFunction(_ source: Plane) -> Plane {
        let stride = (source.width + 7) / 8 * 8
        let across = blurredAcross(source, stride: stride)
        return blurredDown(across, stride: stride, width: source.width, height: source.height)
    }

    /// Rows blurred along themselves, each padded to `stride`, a whole number of vectors.
    private func blurredAcross(_ source: Plane, stride: Int) -> [Float] {
        let width = source.width
        var padded = [Float](repeating: 0, count: stride + 2 * radius)
        var across = [Float](repeating: 0, count: stride * source.height)
        across.withUnsafeMutableBytes { target in
            for y in 0..<source.height {
                let row = y * width
                for x in 0..<radius { padded[x] = source.values[row] }
                for x in 0..<width { padded[radius + x] = source.values[row + x] }
                for x in radius + width..<padded.count {
                    padded[x] = source.values[row + width - 1]
                }
                padded.withUnsafeBufferPointer { line in
                    kernel.withUnsafeBufferPointer { kernel in
                        Self.blurRow(line, kernel, target, at: y * stride, count: stride)
                    }
                }
            }
        }
        return across
    }

    private static func blurRow(
        _ padded: UnsafeBufferPointer<Float>, _ kernel: UnsafeBufferPointer<Float>,
        _ target: UnsafeMutableRawBufferPointer, at start: Int, count: Int
    ) {
        guard let base = padded.baseAddress else { return }
        var x = 0
        while x < count {
            let centre = base + (kernel.count - 1 + x)
            var sum = eight(centre, 0) * kernel[0]
            var tap = 1
            while tap < kernel.count {
                sum += (eight(centre, -tap) + eight(centre, tap)) * kernel[tap]
                tap += 1
            }
            target.storeBytes(of: sum, toByteOffset: (start + x) * 4, as: SIMD8<Float>.self)
            x += 8
        }
    }

    private func blurredDown(
        _ across: [Float], stride: Int, width: Int, height: Int
    ) -> Plane {
        var result = Plane(width: width, height: height)
        var line = [Float](repeating: 0, count: stride)
        across.withUnsafeBufferPointer { source in
            for y in 0..<height {
                line.withUnsafeMutableBytes { target in
                    kernel.withUnsafeBufferPointer { kernel in
                        Self.blurColumns(
                            source, kernel, target, y: y, stride: stride, height: height)
                    }
                }
                for x in 0..<width { result.values[y * width + x] = line[x] }
            }
        }
        return result
    }

    private static func blurColumns(
        _ source: UnsafeBufferPointer<Float>, _ kernel: UnsafeBufferPointer<Float>,
        _ target: UnsafeMutableRawBufferPointer, y: Int, stride: Int, height: Int
    ) {
        guard let base = source.baseAddress else { return }
        var x = 0
        while x < stride {
            var sum = eight(base, y * stride + x) * kernel[0]
            var tap = 1
            while tap < kernel.count {
                let above = max(0, y - tap) * stride
                let below = min(height - 1, y + tap) * stride
                sum += (eight(base, above + x) + eight(base, below + x)) * kernel[tap]
                tap += 1
            }
            target.storeBytes(of: sum, toByteOffset: x * 4, as: SIMD8<Float>.self)
            x += 8
        }
    }
}
