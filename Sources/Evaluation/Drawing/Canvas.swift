package import Raster

/// Pixels to draw on.
///
/// Everything that draws uses whole numbers, or IEEE operations in a fixed order, so that the same
/// calls give the same pixels everywhere.
package struct Canvas: Sendable {
    package let width: Int
    package let height: Int
    /// Red, green, blue, row after row.
    var pixels: [UInt8]

    /// A canvas of one colour.
    package init(width: Int, height: Int, _ color: Color) {
        self.width = width
        self.height = height
        pixels = [UInt8](unsafeUninitializedCapacity: 3 * width * height) { buffer, count in
            for at in 0..<(width * height) {
                buffer[3 * at] = UInt8(truncatingIfNeeded: color.red)
                buffer[3 * at + 1] = UInt8(truncatingIfNeeded: color.green)
                buffer[3 * at + 2] = UInt8(truncatingIfNeeded: color.blue)
            }
            count = 3 * width * height
        }
    }

    /// A canvas that shows a picture.
    package init(_ bitmap: Bitmap) {
        width = bitmap.width
        height = bitmap.height
        pixels = bitmap.rgb
    }

    /// What is drawn.
    package var bitmap: Bitmap { Bitmap(width: width, height: height, rgb: pixels) }

    /// Puts a picture's pixels on the canvas as they are.
    mutating func copy(_ picture: Bitmap, left: Int, top: Int) {
        guard left >= 0, top >= 0, left + picture.width <= width else { return }
        for y in 0..<min(picture.height, height - top) {
            let from = 3 * y * picture.width
            let to = 3 * ((top + y) * width + left)
            pixels.replaceSubrange(
                to..<(to + 3 * picture.width), with: picture.rgb[from..<(from + 3 * picture.width)])
        }
    }

    /// Mixes a colour into the pixels of a box; `cover` says how much of it for a pixel's centre
    /// relative to the canvas, 0 to 256.
    @inline(__always)
    mutating func mix(
        _ color: Color, left: Int, top: Int, right: Int, bottom: Int,
        cover: (_ x: Int, _ y: Int) -> Int
    ) {
        let (left, right) = (max(0, left), min(width, right))
        let (top, bottom) = (max(0, top), min(height, bottom))
        guard left < right, top < bottom else { return }
        let width = width
        pixels.withUnsafeMutableBufferPointer { pixels in
            for y in top..<bottom {
                for x in left..<right {
                    let part = cover(x, y)
                    if part <= 0 { continue }
                    let at = 3 * (y * width + x)
                    pixels[at] = Self.mixed(pixels[at], color.red, part)
                    pixels[at + 1] = Self.mixed(pixels[at + 1], color.green, part)
                    pixels[at + 2] = Self.mixed(pixels[at + 2], color.blue, part)
                }
            }
        }
    }

    @inline(__always)
    static func mixed(_ old: UInt8, _ new: Int, _ part: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: Int(old) &+ ((new &- Int(old)) &* part &+ 128) >> 8)
    }

    @inline(__always)
    static func clamped(_ value: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: max(0, min(255, value)))
    }
}
