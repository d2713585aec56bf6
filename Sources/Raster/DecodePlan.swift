/// What is read from where in the stored rows, and how small it becomes.
struct DecodePlan {
    /// The wanted part of the stored picture, in its pixels.
    let region: PixelRegion
    /// Pixels across of the result, before it is turned upright.
    let width: Int
    /// Pixels down of the result, before it is turned upright.
    let height: Int

    /// The size of the result keeps the region's proportions, rounded half up, with a longer side
    /// of at most `maxSide`, at least one pixel, and never enlarged.
    init(region: PixelRegion, maxSide: Int) {
        precondition(maxSide >= 1, "maxSide is at least 1")
        self.region = region
        let longer = max(region.width, region.height)
        let target = min(longer, maxSide)
        func side(_ length: Int) -> Int { max(1, (2 * length * target + longer) / (2 * longer)) }
        width = side(region.width)
        height = side(region.height)
    }

    /// With the size of the result, of which no side is longer than the region's.
    init(region: PixelRegion, width: Int, height: Int) {
        self.region = region
        self.width = width
        self.height = height
    }

    /// The largest of the reductions 1, 2, 4 and 8 that leaves the region no smaller than the
    /// result.
    ///
    /// Powers of two only: for them libjpeg-turbo has vector code, and they align with its blocks.
    var reduction: Int {
        let longer = max(region.width, region.height)
        let target = max(width, height)
        return [8, 4, 2].first { longer / $0 >= target } ?? 1
    }

    /// Takes the rows from the region's first to its last one, each from pixel 0 on, of a picture
    /// whose stored sides have been divided by `reduction`.
    func scaler(reduction: Int) -> AreaScaler {
        AreaScaler(
            columns: AxisCover(
                start: region.x, length: region.width, unit: reduction, count: width),
            rows: AxisCover(
                start: region.y, length: region.height, unit: reduction, count: height))
    }
}
