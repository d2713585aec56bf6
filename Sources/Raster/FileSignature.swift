/// What the first bytes of a file say that it is.
enum FileSignature: Equatable {
    case png
    case jpeg
    case webp
    /// HEIF, with the format that its brands name.
    case heif(PictureFormat)
    /// A known format that is not read here, by name.
    case other(String)

    /// Nil if the bytes begin like no known format.
    init?(_ bytes: [UInt8]) {
        let reader = ByteReader(bytes[...])
        if reader.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            self = .png
        } else if reader.starts(with: [0xFF, 0xD8]) {
            self = .jpeg
        } else if reader.starts(with: Array("RIFF".utf8)),
            reader.starts(with: Array("WEBP".utf8), at: 8)
        {
            self = .webp
        } else if let format = Self.heif(reader) {
            self = .heif(format)
        } else if let other = Self.others.first(where: {
            reader.starts(with: $0.bytes, at: $0.offset)
        }) {
            self = .other(other.name)
        } else {
            return nil
        }
    }

    /// The format that the first brand names that is read, the main one before the compatible ones.
    private static func heif(_ reader: ByteReader) -> PictureFormat? {
        guard reader.starts(with: Array("ftyp".utf8), at: 4),
            let length = reader.number(at: 0, bytes: 4)
        else { return nil }
        let brands: [(name: String, format: PictureFormat)] = [
            ("heic", .heic), ("heix", .heic), ("heim", .heic), ("heis", .heic), ("hevc", .heic),
            ("hevx", .heic), ("avif", .avif), ("avis", .avif), ("mif1", .heic), ("msf1", .heic),
        ]
        let places = [8] + Array(stride(from: 16, to: min(length, 256) - 3, by: 4))
        let found = places.compactMap { place in
            brands.first { reader.starts(with: Array($0.name.utf8), at: place) }
        }
        // The general brands say nothing of what is inside.
        return (found.first { !$0.name.hasSuffix("f1") } ?? found.first)?.format
    }

    private static let others: [(name: String, offset: Int, bytes: [UInt8])] = [
        ("GIF", 0, Array("GIF8".utf8)),
        ("TIFF", 0, [0x49, 0x49, 0x2A, 0x00]),
        ("TIFF", 0, [0x4D, 0x4D, 0x00, 0x2A]),
        ("another kind of HEIF or MP4", 4, Array("ftyp".utf8)),
        ("JPEG 2000", 4, Array("jP  ".utf8)),
        ("JPEG 2000", 0, [0xFF, 0x4F, 0xFF, 0x51]),
        ("JPEG XL", 4, Array("JXL ".utf8)),
        ("JPEG XL", 0, [0xFF, 0x0A]),
        ("BMP", 0, Array("BM".utf8)),
    ]
}
