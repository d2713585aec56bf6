/// Where the pictures stand on a page that a program drew: a screenshot, a web page, a mock-up.
///
/// Pictures on such a page are small and stand on flat ground. A recursive cut along the flat
/// gaps (XY cut: Nagy and Seth, "Hierarchical representation of optically scanned documents",
/// 1984) gives each of them a region of its own, to be looked at as closely as a picture alone.
public enum PageLayout {
    /// Pixels of the longer side that a page is scaled down to before it is cut.
    public static let pageSide = 2_560
    /// Pixels of the longer side below which the working picture shows a page well enough.
    public static let sideMin = 960

    /// Share of a picture's pixels that equal their right and lower neighbours from which it is
    /// taken to be drawn. Of 589 photographs and covers the median has 0.06; two web pages have
    /// 0.66 and 0.75.
    private static let flatShare = 0.35

    /// Whether a picture looks drawn rather than photographed.
    public static func isPage(_ image: GrayImage) -> Bool {
        guard image.width > 1, image.height > 1 else { return false }
        var flat = 0
        for y in 0..<image.height - 1 {
            let row = y * image.width
            for x in 0..<image.width - 1 {
                let value = image.pixels[row + x]
                if value == image.pixels[row + x + 1], value == image.pixels[row + x + image.width]
                {
                    flat += 1
                }
            }
        }
        return Double(flat) >= flatShare * Double((image.width - 1) * (image.height - 1))
    }

    /// The regions of a page that may hold a picture, at most `most`: the largest first, then from top
    /// to bottom; none that is the whole page.
    public static func regions(of page: GrayImage, most: Int) -> [PageRegion] {
        let blocks = PageBlocks(page)
        let whole = PageRegion(x: 0, y: 0, width: page.width, height: page.height)
        let found = blocks.regions().filter { $0 != whole }
        return Array(found.sorted(by: PageRegion.isBefore).prefix(most))
    }
}

/// A rectangle of a page, in its pixels.
public struct PageRegion: Sendable, Equatable {
    /// Pixels from the left edge to the first column.
    public let x: Int
    /// Pixels from the top edge to the first row.
    public let y: Int
    /// Columns, at least 1.
    public let width: Int
    /// Rows, at least 1.
    public let height: Int

    /// A rectangle.
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    static func isBefore(_ left: PageRegion, _ right: PageRegion) -> Bool {
        let (one, other) = (left.width * left.height, right.width * right.height)
        return one != other ? one > other : (left.y, left.x) < (right.y, right.x)
    }
}
