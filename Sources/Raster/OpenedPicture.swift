/// A source that has passed all checks that need no pixel.
enum OpenedPicture {
    case encoded(EncodedPicture)
    case pixels(PixelBuffer)
    case video(VideoBuffer)

    init(
        _ source: PictureSource, limits: PictureLimits, _ shouldStop: () -> Bool
    ) throws(RasterError) {
        switch source {
        case .encoded(let bytes):
            self = .encoded(try EncodedPicture(bytes, limits: limits, shouldStop))
        case .pixels(let bytes, let layout, let width, let height, let bytesPerRow):
            self = .pixels(
                try PixelBuffer(
                    bytes: bytes, layout: layout, width: width, height: height,
                    bytesPerRow: bytesPerRow, limits: limits))
        case .video(let bytes, let layout):
            self = .video(try VideoBuffer(bytes: bytes, layout: layout, limits: limits))
        }
    }

    var head: PictureHead {
        switch self {
        case .encoded(let picture): picture.head
        case .pixels(let buffer): buffer.head
        case .video(let buffer): buffer.head
        }
    }

    func decode(_ plan: DecodePlan, _ shouldStop: () -> Bool) throws(RasterError) -> StoredPixels {
        switch self {
        case .encoded(let picture): try picture.decode(plan, shouldStop)
        case .pixels(let buffer): StoredPixels(bitmap: try buffer.decode(plan, shouldStop))
        case .video(let buffer): StoredPixels(bitmap: try buffer.decode(plan, shouldStop))
        }
    }
}
