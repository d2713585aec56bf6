/// Length and direction of the gradient at every inner pixel of a plane.
struct GradientField {
    let width: Int
    let height: Int
    /// Grey levels over two pixels; 0 along the border.
    let magnitudes: [Float]
    /// Turns 0..<1 from right towards down; 0 along the border.
    let turns: [Float]

    /// The gradients of a plane of at least `ScaleSpace.sideMin` pixels a side.
    init(_ plane: Plane) {
        width = plane.width
        height = plane.height
        var magnitudes = [Float](repeating: 0, count: plane.values.count)
        var turns = magnitudes
        let (width, height) = (width, height)
        plane.values.withUnsafeBufferPointer { values in
            guard let base = values.baseAddress else { return }
            magnitudes.withUnsafeMutableBytes { magnitudes in
                turns.withUnsafeMutableBytes { turns in
                    for y in 1..<height - 1 {
                        var x = 1
                        while x < width - 1 {
                            // The last vector begins early rather than running over the border.
                            let at = y * width + min(x, width - 9)
                            let dx = eight(base, at + 1) - eight(base, at - 1)
                            let dy = eight(base, at + width) - eight(base, at - width)
                            magnitudes.storeBytes(
                                of: (dx * dx + dy * dy).squareRoot(), toByteOffset: at * 4,
                                as: SIMD8<Float>.self)
                            turns.storeBytes(
                                of: Elementary.turns(x: dx, y: dy), toByteOffset: at * 4,
                                as: SIMD8<Float>.self)
                            x += 8
                        }
                    }
                }
            }
        }
        self.magnitudes = magnitudes
        self.turns = turns
    }
}
