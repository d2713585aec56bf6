/// A frame of one grey around a picture, as people put around a logo when they post it again.
public enum PlainBorder {
    /// Grey levels by which the frame's pixels may differ from its middle value: compression.
    private static let tolerance = 12
    /// Percent of a row or column that has to be of the frame's grey.
    private static let plainPercent = 98
    /// Pixels next to the frame that are blended with it.
    private static let blended = 1
    /// Pixels that the shorter side of what is left has, at least.
    private static let sideMin = 32

    /// What stands inside the frame; nil without a frame on all four sides, or if too little is left.
    public static func inside(of image: GrayImage) -> PageRegion? {
        guard let content = content(of: image), content.x > 0, content.y > 0,
            content.x + content.width < image.width, content.y + content.height < image.height
        else { return nil }
        let (width, height) = (content.width - 2 * blended, content.height - 2 * blended)
        guard min(width, height) >= sideMin else { return nil }
        return PageRegion(
            x: content.x + blended, y: content.y + blended, width: width, height: height)
    }

    /// The rows and columns from the first to the last that are not all of the grey of the edge; nil
    /// if there are none.
    static func content(of image: GrayImage) -> PageRegion? {
        let grey = middle(of: image)
        let row = { (y: Int) in
            isPlain(image.width, grey) { image.pixels[y * image.width + $0] }
        }
        let column = { (x: Int) in
            isPlain(image.height, grey) { image.pixels[$0 * image.width + x] }
        }
        let (rows, columns) = (0..<image.height, 0..<image.width)
        guard let top = rows.first(where: { !row($0) }),
            let bottom = rows.last(where: { !row($0) }),
            let left = columns.first(where: { !column($0) }),
            let right = columns.last(where: { !column($0) })
        else { return nil }
        return PageRegion(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
    }

    /// The middle one of the outermost pixels' greys.
    private static func middle(of image: GrayImage) -> Int {
        let (last, below) = (image.width - 1, (image.height - 1) * image.width)
        var greys = Array(image.pixels[...last]) + image.pixels[below...]
        for y in 0..<image.height {
            greys.append(image.pixels[y * image.width])
            greys.append(image.pixels[y * image.width + last])
        }
        return Int(greys.sorted()[greys.count / 2])
    }

    private static func isPlain(_ count: Int, _ grey: Int, _ pixel: (Int) -> UInt8) -> Bool {
        let plain = (0..<count).count { abs(Int(pixel($0)) - grey) <= tolerance }
        return plain * 100 >= plainPercent * count
    }
}
