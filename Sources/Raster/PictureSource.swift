/// The order of the bytes of one pixel; the alpha is straight, not premultiplied.
public enum PixelLayout: String, Sendable, CaseIterable {
    /// Blue, green, red, alpha.
    case bgra
    /// Red, green, blue, alpha.
    case rgba
    /// One byte of brightness.
    case gray

    /// Bytes of one pixel.
    public var bytesPerPixel: Int {
        switch self {
        case .bgra, .rgba: 4
        case .gray: 1
        }
    }
}

/// A picture before it is read.
public enum PictureSource: Sendable {
    /// The bytes of a file of any of the formats; which one is told from the bytes.
    case encoded([UInt8])
    /// A raw buffer of upright pixels, the first row on top. Each row begins `bytesPerRow` bytes
    /// after the one above it; the last row needs no padding behind it.
    case pixels([UInt8], layout: PixelLayout, width: Int, height: Int, bytesPerRow: Int)
    /// A raw buffer of upright video pixels.
    case video([UInt8], VideoLayout)
}

/// What a picture was read from.
public enum PictureFormat: String, Sendable {
    /// Portable Network Graphics.
    case png
    /// JPEG, baseline or progressive.
    case jpeg
    /// WebP, lossy, lossless or animated.
    case webp
    /// HEIF with HEVC pictures, as phones write it.
    case heic
    /// HEIF with AV1 pictures.
    case avif
    /// A raw pixel buffer.
    case pixels
}
