/// Place, size and direction of one local feature, in the fixed-point form of the encoding.
package struct LocalFeature: Sendable, Equatable {
    /// Units of `x`, `y` and `scale` in one pixel.
    package static let unitsPerPixel = 64

    /// Centre from the left edge, in 1/64 pixel.
    package let x: UInt16
    /// Centre from the top edge, in 1/64 pixel.
    package let y: UInt16
    /// Standard deviation of the Gaussian it was found at, in 1/64 pixel; at least 1.
    package let scale: UInt16
    /// Main direction of the gradient, in 1/65,536 turn from right towards down.
    package let angle: UInt16

    package init(x: UInt16, y: UInt16, scale: UInt16, angle: UInt16) {
        self.x = x
        self.y = y
        self.scale = scale
        self.angle = angle
    }
}
