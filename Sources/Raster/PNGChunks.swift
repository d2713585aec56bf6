/// What a PNG file's chunks say beside the header and the pixels.
///
/// How brightness is read: by sRGB's curve, unless a gAMA chunk states another one and none of
/// cICP, iCCP and sRGB, which are all stronger than it, stands there. Profiles are not applied:
/// nearly all of them describe sRGB or a space close to it, and colour hardly counts in matching.
struct PNGChunks {
    /// By the last eXIf chunk, wherever it stands; upright if there is none or it is broken.
    private(set) var orientation = Orientation.upright
    /// Whether single colours are transparent, by a tRNS chunk.
    private(set) var hasTransparency = false
    /// Whether other pictures follow the one that is read, by an acTL chunk.
    private(set) var isAnimated = false
    private var gamma: Int?
    private var hasColourSpace = false

    /// Walks over all chunks to the end mark.
    ///
    /// - Throws: `truncated` where the file ends before the end mark; `corrupt` for a wrong checksum
    ///   of the header or the palette.
    init(_ bytes: [UInt8]) throws(RasterError) {
        let reader = ByteReader(bytes[...])
        var offset = PNGHeader.signature.count
        var isBeforePixels = true
        while true {
            guard let length = reader.number(at: offset, bytes: 4),
                let name = reader.number(at: offset + 4, bytes: 4),
                length <= reader.count - offset - 12
            else { throw RasterError(.truncated, "PNG: the file ends before its end mark") }
            switch Name(rawValue: name) {
            case .end: return
            case .header, .palette:
                guard length <= 768, Self.isWhole(reader, at: offset, length: length) else {
                    throw RasterError(.corrupt, "PNG: the header or palette has a wrong checksum")
                }
            case .pixels: isBeforePixels = false
            case .exif: orientation = Orientation(exif: bytes[(offset + 8)..<(offset + 8 + length)])
            case .transparency: hasTransparency = true
            case .animation: isAnimated = isAnimated || isBeforePixels
            case .gamma where isBeforePixels && gamma == nil && length == 4:
                guard Self.isWhole(reader, at: offset, length: length) else { break }
                gamma = reader.number(at: offset + 8, bytes: 4)
            case .codePoints, .profile, .standard: hasColourSpace = hasColourSpace || isBeforePixels
            case .gamma, nil: break
            }
            offset += 12 + length
        }
    }

    /// The stored gamma in hundred-thousandths, if brightness has to be brought to sRGB's curve.
    ///
    /// Values within 5 % of sRGB's own 45,455 are left alone, as libpng does: they mean it.
    var gammaToCorrect: Int? {
        guard !hasColourSpace, let gamma, Self.gammas.contains(gamma) else { return nil }
        return abs(gamma - 45_455) * 20 <= 45_455 ? nil : gamma
    }

    /// What is believable, 1/10 to 10; others are taken for mistakes and ignored.
    private static let gammas = 10_000...1_000_000

    private enum Name: Int {
        case header = 0x4948_4452
        case palette = 0x504C_5445
        case end = 0x4945_4E44
        case pixels = 0x4944_4154
        case exif = 0x6558_4966
        case transparency = 0x7452_4E53
        case animation = 0x6163_544C
        case gamma = 0x6741_4D41
        case codePoints = 0x6349_4350
        case profile = 0x6943_4350
        case standard = 0x7352_4742
    }

    /// Whether the checksum of a short chunk at `offset` is right.
    private static func isWhole(_ reader: ByteReader, at offset: Int, length: Int) -> Bool {
        var remainder = UInt32.max
        for place in (offset + 4)..<(offset + 8 + length) {
            remainder ^= UInt32(reader.byte(at: place) ?? 0)
            for _ in 0..<8 { remainder = remainder >> 1 ^ (remainder & 1 == 0 ? 0 : 0xEDB8_8320) }
        }
        return reader.number(at: offset + 8 + length, bytes: 4) == Int(~remainder)
    }
}
