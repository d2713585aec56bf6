/// Where the rows of one plane lie in a buffer.
public struct PixelPlane: Sendable, Equatable {
    /// Bytes from the start of the buffer to the first row; 0 or more.
    public var offset: Int
    /// Bytes from the start of a row to the start of the next one.
    public var bytesPerRow: Int

    /// From its parts.
    public init(offset: Int, bytesPerRow: Int) {
        self.offset = offset
        self.bytesPerRow = bytesPerRow
    }
}

/// How a buffer of video pixels is laid out: NV12, a plane of brightness and one of colour with a
/// pair (blue difference, red difference) for each 2 x 2 pixels, 8 bits a sample.
///
/// A pair counts for its four pixels alike. Of an odd side, the last pair counts for one pixel.
public struct VideoLayout: Sendable, Equatable {
    /// Which numbers mean black and white.
    public enum Range: String, Sendable, CaseIterable {
        /// 16…235 for brightness, 16…240 for colour; others are cut off.
        case video
        /// 0…255.
        case full
    }

    /// How brightness and colour are made of red, green and blue.
    public enum Matrix: String, Sendable, CaseIterable {
        /// ITU-R BT.601.
        case bt601
        /// ITU-R BT.709.
        case bt709

        /// The shares of red and blue in brightness.
        var shares: (red: Double, blue: Double) {
            switch self {
            case .bt601: (0.299, 0.114)
            case .bt709: (0.2126, 0.0722)
            }
        }
    }

    /// Pixels from left to right; at least 1.
    public var width: Int
    /// Pixels from top to bottom; at least 1.
    public var height: Int
    /// Which numbers mean black and white.
    public var range: Range
    /// How brightness and colour are made.
    public var matrix: Matrix
    /// The plane of brightness, a byte a pixel.
    public var luma: PixelPlane
    /// The plane of colour, two bytes for each two pixels of every other row.
    public var chroma: PixelPlane

    /// From its parts.
    public init(
        width: Int, height: Int, range: Range, matrix: Matrix, luma: PixelPlane, chroma: PixelPlane
    ) {
        self.width = width
        self.height = height
        self.range = range
        self.matrix = matrix
        self.luma = luma
        self.chroma = chroma
    }
}
