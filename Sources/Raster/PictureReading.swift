/// A picture that has been read.
public struct PictureReading: Sendable {
    /// What its header said.
    public let head: PictureHead
    /// The upright pixels, cut and scaled.
    public let bitmap: Bitmap
    /// Whether some of the pixels are made up, because the bytes that hold them are damaged.
    public let hasDamage: Bool
    /// Bytes of memory that a decoder in a process of its own took at its peak, the pixels that it
    /// handed over included; 0 for formats that are read in this process.
    public let decoderPeakBytes: Int
}

/// Pixels as a decoder gives them, before they are turned upright.
struct StoredPixels {
    let bitmap: Bitmap
    var hasDamage = false
    var decoderPeakBytes = 0
}
