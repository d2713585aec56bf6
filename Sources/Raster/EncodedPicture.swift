/// A file whose header has been read and found to be within the limits, and that has its end mark.
enum EncodedPicture {
    case png([UInt8], PNGHeader, PNGChunks)
    case jpeg([UInt8], JPEGHeader)
    case webp([UInt8], WebPHeader)
    case heif([UInt8], HEIFHeader)

    init(
        _ bytes: [UInt8], limits: PictureLimits, _ shouldStop: () -> Bool
    ) throws(RasterError) {
        guard bytes.count <= limits.encodedBytesMax else {
            throw RasterError(
                .tooLarge, "\(bytes.count) bytes; a file has at most \(limits.encodedBytesMax)")
        }
        switch FileSignature(bytes) {
        case .png:
            let header = try PNGHeader(bytes)
            try limits.check(
                width: header.width, height: header.height, isBuffered: header.isInterlaced)
            self = .png(bytes, header, try PNGChunks(bytes))
        case .jpeg:
            let header = try JPEGHeader(bytes)
            try limits.check(
                width: header.width, height: header.height, isBuffered: header.isBuffered)
            try header.checkEnd(bytes)
            self = .jpeg(bytes, header)
        case .webp:
            let header = try WebPHeader(bytes)
            try limits.check(
                width: header.width, height: header.height, isBuffered: header.isBuffered)
            self = .webp(bytes, header)
        case .heif(let format):
            let header = try HEIFHeader(bytes, format: format, shouldStop)
            try limits.check(width: header.width, height: header.height, isBuffered: true)
            self = .heif(bytes, header)
        case .other(let name):
            throw RasterError(
                .unsupportedFormat, "\(name) is not read; PNG, JPEG, WebP, HEIC and AVIF are")
        case nil:
            throw RasterError(
                .unknownFormat, "\(bytes.count) bytes that begin like no known picture format")
        }
    }

    var head: PictureHead {
        switch self {
        case .png(_, let header, let chunks):
            PictureHead(
                format: .png, storedWidth: header.width, storedHeight: header.height,
                orientation: chunks.orientation, isBuffered: header.isInterlaced,
                steps: header.steps(chunks))
        case .jpeg(_, let header):
            PictureHead(
                format: .jpeg, storedWidth: header.width, storedHeight: header.height,
                orientation: header.orientation ?? .upright, isBuffered: header.isBuffered,
                steps: header.steps)
        case .webp(_, let header):
            PictureHead(
                format: .webp, storedWidth: header.width, storedHeight: header.height,
                orientation: header.orientation, isBuffered: header.isBuffered,
                steps: header.steps)
        case .heif(_, let header):
            PictureHead(
                format: header.format, storedWidth: header.width, storedHeight: header.height,
                orientation: .upright, isBuffered: true, steps: header.steps)
        }
    }

    func decode(_ plan: DecodePlan, _ shouldStop: () -> Bool) throws(RasterError) -> StoredPixels {
        switch self {
        case .png(let bytes, let header, let chunks):
            StoredPixels(
                bitmap: try PNGReader.decode(
                    bytes, header: header, gamma: chunks.gammaToCorrect, plan: plan,
                    shouldStop: shouldStop))
        case .jpeg(let bytes, let header):
            header.isLossless
                ? try LosslessJPEGReader.decode(
                    bytes, header: header, plan: plan, shouldStop: shouldStop)
                : try JPEGReader.decode(bytes, header: header, plan: plan, shouldStop: shouldStop)
        case .webp(let bytes, let header):
            try WebPReader.decode(bytes, header: header, plan: plan, shouldStop: shouldStop)
        case .heif(let bytes, let header):
            try HEIFReader.decode(bytes, header: header, plan: plan, shouldStop: shouldStop)
        }
    }
}
