/// The eight EXIF orientations (EXIF 2.32, tag 0x0112): where the stored first row and first
/// column are seen when the picture stands upright.
enum Orientation: Int, CaseIterable {
    case upright = 1
    case mirrored
    case turned180
    case flipped
    case transposed
    case turned90Clockwise
    case transverse
    case turned90Counterclockwise

    /// Whether stored rows are upright columns.
    var swapsSides: Bool { rawValue >= 5 }

    /// Whether the stored columns run from right to left, once sides are swapped where needed.
    private var reversesColumns: Bool {
        switch self {
        case .upright, .flipped, .transposed, .turned90Counterclockwise: false
        case .mirrored, .turned180, .turned90Clockwise, .transverse: true
        }
    }

    /// Whether the stored rows run from bottom to top, once sides are swapped where needed.
    private var reversesRows: Bool {
        switch self {
        case .upright, .mirrored, .transposed, .turned90Clockwise: false
        case .turned180, .flipped, .transverse, .turned90Counterclockwise: true
        }
    }

    /// The stored place of a region of the upright picture, whose size is `width` x `height`.
    func stored(_ region: PixelRegion, width: Int, height: Int) -> PixelRegion {
        let x = reversesColumns ? width - region.x - region.width : region.x
        let y = reversesRows ? height - region.y - region.height : region.y
        guard swapsSides else {
            return PixelRegion(x: x, y: y, width: region.width, height: region.height)
        }
        return PixelRegion(x: y, y: x, width: region.height, height: region.width)
    }

    /// Turns stored pixels upright.
    func upright(_ stored: Bitmap) -> Bitmap {
        if self == .upright { return stored }
        let width = swapsSides ? stored.height : stored.width
        let height = swapsSides ? stored.width : stored.height
        // Bytes from one upright pixel to its right and lower neighbours in the stored rows.
        let across = (swapsSides ? stored.width : 1) * (reversesColumns ? -3 : 3)
        let down = (swapsSides ? 1 : stored.width) * (reversesRows ? -3 : 3)
        let start =
            (reversesColumns ? -across * (width - 1) : 0)
            + (reversesRows ? -down * (height - 1) : 0)
        let rgb = [UInt8](unsafeUninitializedCapacity: stored.rgb.count) { target, count in
            stored.rgb.withUnsafeBufferPointer { source in
                // A few rows at a time, so that turned rows do not miss the cache at every pixel.
                for top in stride(from: 0, to: height, by: 16) {
                    for x in 0..<width {
                        for y in top..<min(top + 16, height) {
                            let from = start + y * down + x * across
                            let to = 3 * (y * width + x)
                            target[to] = source[from]
                            target[to + 1] = source[from + 1]
                            target[to + 2] = source[from + 2]
                        }
                    }
                }
            }
            count = stored.rgb.count
        }
        return Bitmap(width: width, height: height, rgb: rgb)
    }
}
