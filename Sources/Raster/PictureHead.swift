/// What a picture's header says, before any pixel is read.
public struct PictureHead: Sendable, Equatable {
    /// The format.
    public let format: PictureFormat
    /// Pixels from left to right of the upright picture.
    public let width: Int
    /// Pixels from top to bottom of the upright picture.
    public let height: Int
    /// The EXIF orientation, 1…8: how the stored rows have to be turned to stand upright. 1 where
    /// the file has none or a broken one.
    public let orientation: Int
    /// Whether the whole picture has to be held in memory to read any of it: interlaced PNG,
    /// progressive or multi-scan JPEG, lossless or transparent WebP, HEIC and AVIF.
    public let isBuffered: Bool
    /// What is done to the stored pixels, in this order, apart from cutting and scaling.
    public let steps: [PictureStep]

    /// From the stored size, the orientation and what the format's own header asks for.
    init(
        format: PictureFormat, storedWidth: Int, storedHeight: Int, orientation: Orientation,
        isBuffered: Bool, steps: [PictureStep] = []
    ) {
        self.format = format
        self.width = orientation.swapsSides ? storedHeight : storedWidth
        self.height = orientation.swapsSides ? storedWidth : storedHeight
        self.orientation = orientation.rawValue
        self.isBuffered = isBuffered
        self.steps = steps + (orientation == .upright ? [] : [.turnedUpright])
    }
}
