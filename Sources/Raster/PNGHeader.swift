/// What a PNG file says before its pixels (PNG, third edition, sections 5 and 11).
struct PNGHeader {
    let width: Int
    let height: Int
    let isInterlaced: Bool

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Reads the header chunk only.
    init(_ bytes: [UInt8]) throws(RasterError) {
        let reader = ByteReader(bytes[...])
        guard reader.starts(with: Self.signature) else {
            guard bytes.count >= Self.signature.count else {
                throw RasterError(.truncated, "PNG: the file ends in its signature")
            }
            throw RasterError(.corrupt, "PNG: the signature was changed on the way, as text")
        }
        guard let width = reader.number(at: 16, bytes: 4),
            let height = reader.number(at: 20, bytes: 4),
            let interlace = reader.byte(at: 28)
        else { throw RasterError(.truncated, "PNG: the file ends in its header") }
        guard reader.starts(with: Array("IHDR".utf8), at: 12) else {
            if reader.starts(with: Array("CgBI".utf8), at: 12) {
                throw RasterError(.unsupportedFormat, "PNG: Apple's own variant (CgBI)")
            }
            throw RasterError(.corrupt, "PNG: the first chunk is no header")
        }
        let sides = 1...0x7FFF_FFFF
        guard sides.contains(width), sides.contains(height) else {
            throw RasterError(.corrupt, "PNG: \(width) x \(height) pixels; at least 1 x 1")
        }
        self.width = width
        self.height = height
        isInterlaced = interlace != 0
    }

    /// Walks over all chunks to the end mark, and returns the orientation that an eXIf chunk
    /// states.
    ///
    /// - Throws: `truncated` where the file ends before the end mark.
    static func orientation(_ bytes: [UInt8]) throws(RasterError) -> Orientation {
        let reader = ByteReader(bytes[...])
        var orientation = Orientation.upright
        var offset = signature.count
        while true {
            guard let length = reader.number(at: offset, bytes: 4),
                length <= reader.count - offset - 12
            else { throw RasterError(.truncated, "PNG: the file ends before its end mark") }
            if reader.starts(with: Array("IEND".utf8), at: offset + 4) { return orientation }
            if reader.starts(with: Array("eXIf".utf8), at: offset + 4) {
                orientation = Orientation(exif: bytes[(offset + 8)..<(offset + 8 + length)])
            }
            offset += 12 + length
        }
    }
}
