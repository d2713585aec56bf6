/// What a picture may cost. All are checked against the header before anything is allocated.
public struct PictureLimits: Sendable {
    /// Bytes of an encoded file.
    public var encodedBytesMax: Int
    /// Pixels on one side; more than 1,048,576 are never accepted.
    public var sideMax: Int
    /// Pixels of a picture that is read row by row.
    public var pixelsMax: Int
    /// Pixels of a picture that has to be held in memory whole (`PictureHead.isBuffered`); such a
    /// picture costs up to 8 bytes a pixel while it is read.
    public var bufferedPixelsMax: Int

    /// Scans of one JPEG file; ten are usual. Each one takes a pass over the whole picture.
    public static let scansMax = 256
    /// Bytes of the ICC profile of a picture in four inks; a larger one is not followed.
    public static let profileBytesMax = 4 << 20

    /// From all four limits.
    public init(encodedBytesMax: Int, sideMax: Int, pixelsMax: Int, bufferedPixelsMax: Int) {
        self.encodedBytesMax = encodedBytesMax
        self.sideMax = sideMax
        self.pixelsMax = pixelsMax
        self.bufferedPixelsMax = bufferedPixelsMax
    }

    /// Refuses a size beyond the limits.
    func check(width: Int, height: Int, isBuffered: Bool) throws(RasterError) {
        let longest = min(sideMax, Bitmap.sideMax)
        guard width <= longest, height <= longest else {
            throw RasterError(
                .tooLarge, "\(width) x \(height) pixels; a side has at most \(longest)")
        }
        let most = isBuffered ? min(bufferedPixelsMax, pixelsMax) : pixelsMax
        let (pixels, overflows) = width.multipliedReportingOverflow(by: height)
        guard !overflows, pixels <= most else {
            let kind = isBuffered ? "an interlaced or progressive picture" : "a picture"
            throw RasterError(
                .tooLarge, "\(width) x \(height) pixels; \(kind) has at most \(most)")
        }
    }
}
