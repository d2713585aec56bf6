/// What the first bytes of a file say that it is.
enum FileSignature: Equatable {
    case png
    case jpeg
    /// A known format that is not read here, by name.
    case other(String)

    /// Nil if the bytes begin like no known format.
    init?(_ bytes: [UInt8]) {
        let reader = ByteReader(bytes[...])
        if reader.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            self = .png
        } else if reader.starts(with: [0xFF, 0xD8]) {
            self = .jpeg
        } else if let other = Self.others.first(where: {
            reader.starts(with: $0.bytes, at: $0.offset)
        }) {
            self = .other(other.name)
        } else {
            return nil
        }
    }

    private static let others: [(name: String, offset: Int, bytes: [UInt8])] = [
        ("WebP", 8, Array("WEBP".utf8)),
        ("GIF", 0, Array("GIF8".utf8)),
        ("TIFF", 0, [0x49, 0x49, 0x2A, 0x00]),
        ("TIFF", 0, [0x4D, 0x4D, 0x00, 0x2A]),
        ("HEIF or AVIF", 4, Array("ftyp".utf8)),
        ("JPEG 2000", 4, Array("jP  ".utf8)),
        ("JPEG 2000", 0, [0xFF, 0x4F, 0xFF, 0x51]),
        ("JPEG XL", 4, Array("JXL ".utf8)),
        ("JPEG XL", 0, [0xFF, 0x0A]),
        ("BMP", 0, Array("BM".utf8)),
    ]
}
