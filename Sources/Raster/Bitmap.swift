/// Upright opaque pixels, red, green and blue.
public struct Bitmap: Sendable, Equatable {
    /// Pixels from left to right; 1…1,048,576.
    public let width: Int
    /// Pixels from top to bottom; 1…1,048,576.
    public let height: Int
    /// Three bytes a pixel, row after row from the top, without padding.
    public let rgb: [UInt8]

    /// Pixels on one side, so that the scaler's sums fit in their integers.
    static let sideMax = 1 << 20

    /// From its size and exactly 3 x `width` x `height` bytes; anything else is a precondition
    /// failure.
    public init(width: Int, height: Int, rgb: [UInt8]) {
        precondition(width >= 1 && height >= 1, "a bitmap has at least one pixel")
        precondition(width <= Self.sideMax && height <= Self.sideMax, "a side is too long")
        precondition(rgb.count == 3 * width * height, "a bitmap has three bytes a pixel")
        self.width = width
        self.height = height
        self.rgb = rgb
    }

    /// One byte of brightness a pixel: BT.601 luma in 16-bit fixed point, rounded to nearest.
    ///
    /// Grey pixels keep their value.
    public func gray() -> [UInt8] {
        let pixels = width * height
        return [UInt8](unsafeUninitializedCapacity: pixels) { target, count in
            rgb.withUnsafeBufferPointer { source in
                for index in 0..<pixels {
                    let red = UInt32(source[3 * index])
                    let green = UInt32(source[3 * index + 1])
                    let blue = UInt32(source[3 * index + 2])
                    // The weights add up to 65,536.
                    let luma = red &* 19_595 &+ green &* 38_470 &+ blue &* 7_471 &+ 32_768
                    target[index] = UInt8(truncatingIfNeeded: luma >> 16)
                }
            }
            count = pixels
        }
    }

    /// The same picture with a longer side of at most `maxSide` pixels; never enlarged.
    ///
    /// Each pixel is the exact mean of the area that it covers, rounded half up. `maxSide` below 1
    /// is a precondition failure.
    public func scaled(maxSide: Int) -> Bitmap {
        let region = PixelRegion(x: 0, y: 0, width: width, height: height)
        let plan = DecodePlan(region: region, maxSide: maxSide)
        if plan.width == width && plan.height == height { return self }
        var scaler = plan.scaler(reduction: 1)
        rgb.withUnsafeBufferPointer { source in
            for y in 0..<height {
                scaler.add(row: UnsafeBufferPointer(rebasing: source[(3 * width * y)...]))
            }
        }
        return scaler.finish()
    }

    /// The pixels of a region alone; one that reaches beyond the picture is a precondition failure.
    public func cropped(to region: PixelRegion) -> Bitmap {
        precondition(
            region.x >= 0 && region.y >= 0 && region.x + region.width <= width
                && region.y + region.height <= height, "the region lies inside the picture")
        var pixels: [UInt8] = []
        pixels.reserveCapacity(3 * region.width * region.height)
        for y in region.y..<region.y + region.height {
            let start = 3 * (y * width + region.x)
            pixels += rgb[start..<start + 3 * region.width]
        }
        return Bitmap(width: region.width, height: region.height, rgb: pixels)
    }
}
