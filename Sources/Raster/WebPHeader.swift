/// What a WebP file says before its pixels (RFC 9649, sections 2 and 3).
struct WebPHeader {
    /// Pixels across of the whole picture.
    private(set) var width = 0
    /// Pixels down of the whole picture.
    private(set) var height = 0
    /// Where the first frame lies in the picture; all of it, unless it is animated.
    private(set) var frame = PixelRegion(x: 0, y: 0, width: 0, height: 0)
    /// What libwebp is given: the file, or the first frame's chunks.
    private(set) var payload: Range<Int>
    private(set) var isAnimated = false
    private(set) var isLossless = false
    private(set) var orientation = Orientation.upright
    private var hasAlpha = false

    /// Walks over the chunks.
    ///
    /// - Throws: `truncated` where the file is shorter than it says; `corrupt` where it has no
    ///   picture or a frame that lies outside.
    init(_ bytes: [UInt8]) throws(RasterError) {
        payload = 0..<bytes.count
        var reader = ByteReader(bytes[...])
        reader.isLittleEndian = true
        guard let size = reader.number(at: 4, bytes: 4), size <= bytes.count - 8 else {
            throw Self.truncated
        }
        let end = 8 + size
        payload = 0..<end
        try read(reader, from: 12, to: end)
        guard frame.width > 0 else { throw RasterError(.corrupt, "WebP: no picture in the file") }
        if width == 0 { (width, height) = (frame.width, frame.height) }
        guard frame.isInside(width: width, height: height),
            isAnimated || (frame.width == width && frame.height == height)
        else { throw RasterError(.corrupt, "WebP: the frame and the picture differ in size") }
    }

    /// Whether pixels of the picture may let the ground through.
    var isTransparent: Bool { hasAlpha || frame.width < width || frame.height < height }
    /// Whether libwebp holds the whole frame before it gives a row, or is made to.
    var isBuffered: Bool { isLossless || isTransparent }

    /// What is done to the stored pixels.
    var steps: [PictureStep] {
        (isAnimated ? [.firstFrame] : []) + (isTransparent ? [.alphaFlattened] : [])
    }

    private mutating func read(
        _ reader: ByteReader, from start: Int, to end: Int
    ) throws(RasterError) {
        var offset = start
        while offset <= end - 8, let length = reader.number(at: offset + 4, bytes: 4) {
            guard length <= end - offset - 8 else { throw Self.truncated }
            let body = offset + 8
            if reader.starts(with: Array("VP8X".utf8), at: offset) {
                guard length >= 10 else { throw RasterError(.corrupt, "WebP: a short header") }
                width = (reader.number(at: body + 4, bytes: 3) ?? 0) + 1
                height = (reader.number(at: body + 7, bytes: 3) ?? 0) + 1
            } else if reader.starts(with: Array("EXIF".utf8), at: offset) {
                orientation = Orientation(exif: reader.bytes[body..<(body + length)])
            } else if frame.width == 0 {
                try readFrame(reader, at: offset, length: length)
            }
            offset = body + length + length % 2
        }
    }

    private mutating func readFrame(
        _ reader: ByteReader, at offset: Int, length: Int
    ) throws(RasterError) {
        let body = offset + 8
        if reader.starts(with: Array("ANMF".utf8), at: offset) {
            guard length >= 16, !isAnimated, let x = reader.number(at: body, bytes: 3),
                let y = reader.number(at: body + 3, bytes: 3)
            else { throw RasterError(.corrupt, "WebP: a frame without pixels") }
            isAnimated = true
            payload = (body + 16)..<(body + length)
            try read(reader, from: body + 16, to: body + length)
            (frame.x, frame.y) = (2 * x, 2 * y)
        } else if reader.starts(with: Array("ALPH".utf8), at: offset) {
            hasAlpha = true
        } else if reader.starts(with: Array("VP8L".utf8), at: offset) {
            guard length >= 5, reader.byte(at: body) == 0x2F,
                let bits = reader.number(at: body + 1, bytes: 4)
            else { throw RasterError(.corrupt, "WebP: no lossless picture") }
            isLossless = true
            hasAlpha = bits >> 28 & 1 == 1
            (frame.width, frame.height) = (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
        } else if reader.starts(with: Array("VP8 ".utf8), at: offset) {
            guard length >= 10, reader.starts(with: [0x9D, 0x01, 0x2A], at: body + 3),
                let width = reader.number(at: body + 6, bytes: 2),
                let height = reader.number(at: body + 8, bytes: 2)
            else { throw RasterError(.corrupt, "WebP: no lossy picture") }
            (frame.width, frame.height) = (width & 0x3FFF, height & 0x3FFF)
        }
    }

    private static var truncated: RasterError {
        RasterError(.truncated, "WebP: the file is shorter than it says")
    }
}
