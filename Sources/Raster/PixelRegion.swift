/// A rectangle of whole pixels; x to the right and y down from the upper left corner.
public struct PixelRegion: Sendable, Equatable {
    /// The left edge.
    public var x: Int
    /// The upper edge.
    public var y: Int
    /// Pixels from left to right; at least 1 to be usable.
    public var width: Int
    /// Pixels from top to bottom; at least 1 to be usable.
    public var height: Int

    /// From its upper left corner and its size.
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// Whether it holds a pixel and lies wholly inside a picture of this size.
    func isInside(width outerWidth: Int, height outerHeight: Int) -> Bool {
        // Differences, not sums: a region from outside may hold numbers whose sum overflows.
        width >= 1 && height >= 1 && x >= 0 && y >= 0
            && width <= outerWidth && height <= outerHeight
            && x <= outerWidth - width && y <= outerHeight - height
    }
}
