/// One channel of brightness, row by row from the top left, without padding.
public struct GrayImage: Sendable, Equatable {
    /// Pixels of a row, at least 1.
    public let width: Int
    /// Rows, at least 1.
    public let height: Int
    /// `width * height` values, 0 black to 255 white.
    public let pixels: [UInt8]

    /// A picture of exactly `width * height` pixels; another number of pixels, or a side below 1,
    /// is the caller's mistake and traps.
    public init(width: Int, height: Int, pixels: [UInt8]) {
        precondition(width >= 1 && height >= 1, "a picture has at least one pixel")
        let (count, overflow) = width.multipliedReportingOverflow(by: height)
        precondition(!overflow && pixels.count == count, "pixels.count is width * height")
        self.width = width
        self.height = height
        self.pixels = pixels
    }
}
