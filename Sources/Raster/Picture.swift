/// Reads pictures: encoded bytes or pixel buffers to upright, bounded, opaque RGB pixels.
///
/// A file that ends before its end mark is refused as truncated, and never half read. Damage before
/// the end mark is a fault too, but for two kinds that leave the rest of the picture in its place:
/// in the scans of a JPEG file, where libjpeg finds its way again and `PictureReading.hasDamage`
/// says so; and wrong checksums of PNG's pixel chunks whose pixels pass their own checksum.
public enum Picture {
    /// Reads the header only.
    ///
    /// - Throws: `RasterError` with `unknownFormat`, `unsupportedFormat`, `tooLarge`, `badBuffer`,
    ///   `truncated` or `corrupt`.
    public static func head(
        of source: PictureSource, limits: PictureLimits
    ) throws(RasterError) -> PictureHead {
        try OpenedPicture(source, limits: limits, { false }).head
    }

    /// Reads a picture, or a region of it, with a longer side of at most `maxSide` pixels.
    ///
    /// The result is never enlarged; where it is smaller, each pixel is the mean of the area that
    /// it covers. The region is in pixels of the upright picture, and the decode scale follows from
    /// the region's size, so that a small region of a huge picture keeps its detail. Memory stays
    /// within a few rows and the result, except where `PictureHead.isBuffered`. The same input gives
    /// the same bytes. A `maxSide` below 1 is a precondition failure.
    ///
    /// `shouldStop` is asked at least every 64 rows and every 262,144 pixels that are decoded, but at
    /// least one row of them.
    ///
    /// - Throws: `RasterError`, any code but `encodeFailed`. Limits are checked before anything is
    ///   allocated.
    public static func decode(
        _ source: PictureSource, region: PixelRegion? = nil, maxSide: Int, limits: PictureLimits,
        shouldStop: () -> Bool = { false }
    ) throws(RasterError) -> Bitmap {
        try read(
            source, region: region, maxSide: maxSide, limits: limits, shouldStop: shouldStop
        ).bitmap
    }

    /// The same as `decode`, with what was found out on the way.
    ///
    /// - Throws: As `decode` does.
    public static func read(
        _ source: PictureSource, region: PixelRegion? = nil, maxSide: Int, limits: PictureLimits,
        shouldStop: () -> Bool = { false }
    ) throws(RasterError) -> PictureReading {
        precondition(maxSide >= 1, "maxSide is at least 1")
        let picture = try OpenedPicture(source, limits: limits, shouldStop)
        let head = picture.head
        let region = region ?? PixelRegion(x: 0, y: 0, width: head.width, height: head.height)
        guard region.isInside(width: head.width, height: head.height) else {
            throw RasterError(
                .badRegion,
                "\(region.width) x \(region.height) at \(region.x), \(region.y); "
                    + "the upright picture is \(head.width) x \(head.height)")
        }
        let orientation = Orientation(rawValue: head.orientation) ?? .upright
        let plan = DecodePlan(
            region: orientation.stored(region, width: head.width, height: head.height),
            maxSide: maxSide)
        let stored = try picture.decode(plan, shouldStop)
        return PictureReading(
            head: head, bitmap: orientation.upright(stored.bitmap), hasDamage: stored.hasDamage,
            decoderPeakBytes: stored.decoderPeakBytes)
    }
}
