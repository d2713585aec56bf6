import Raster

/// JPEG files in four inks with an ICC profile that is made by hand (ICC.1:2001-04, version 2.4).
enum InkFile {
    /// Lightness and the two colour differences (CIELAB, D50) of paper under all or none of each ink.
    static func lab(_ inks: Int) -> (Double, Double, Double) {
        switch inks {
        case 0b0000: (100, 0, 0)
        case 0b1000: (50, 0, 0)
        // sRGB's red, green and blue.
        case 0b0110: (54.29, 80.81, 69.89)
        case 0b1010: (87.82, -79.29, 80.99)
        case 0b1100: (29.57, 68.30, -112.03)
        case 0b0001, 0b0011, 0b0101, 0b0111, 0b1001, 0b1011, 0b1101, 0b1111: (0, 0, 0)
        default: (75, 0, 0)
        }
    }

    private static func number(_ value: Int, _ bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * (bytes - 1 - $0))) }
    }

    /// A table of four inks to CIELAB with two nodes an ink and straight lines between.
    private static var table: [UInt8] {
        let straight = number(0, 2) + number(65_535, 2)
        let one = number(65_536, 4)
        let none = number(0, 4)
        var bytes: [UInt8] = Array("mft2".utf8) + none + [4, 3, 2, 0]
        bytes += one + none + none + none + one + none + none + none + one
        bytes += number(2, 2) + number(2, 2)
        for _ in 0..<4 { bytes += straight }
        for inks in 0..<16 {
            let (lightness, a, b) = lab(inks)
            bytes += number(Int(lightness * 652.8 + 0.5), 2)
            bytes += number(Int((a + 128) * 256 + 0.5), 2)
            bytes += number(Int((b + 128) * 256 + 0.5), 2)
        }
        for _ in 0..<3 { bytes += straight }
        return bytes
    }

    /// The profile; of another space of colours if told.
    static func profile(space: String = "CMYK") -> [UInt8] {
        let table = table
        let offset = 128 + 4 + 12
        var bytes = number(offset + table.count, 4) + number(0, 4) + number(0x0240_0000, 4)
        bytes += Array(("prtr" + space + "Lab ").utf8)
        bytes += number(2_026, 2) + [0, 1, 0, 1, 0, 0, 0, 0, 0, 0] + Array("acsp".utf8)
        bytes += [UInt8](repeating: 0, count: 28)
        // The light of the space between profiles, D50.
        bytes += number(0xF6D6, 4) + number(0x1_0000, 4) + number(0xD32D, 4)
        bytes += [UInt8](repeating: 0, count: 128 - bytes.count)
        return bytes + number(1, 4) + Array("A2B0".utf8) + number(offset, 4)
            + number(table.count, 4) + table
    }

    /// A JPEG file of uniform fields of inks, 16 pixels each side by side, 255 for no ink.
    static func encode(_ fields: [[UInt8]], quality: Int = 100) throws -> [UInt8] {
        var options = JPEGOptions(quality: quality)
        options.components = 4
        options.sampling = (1, 1)
        let row = fields.flatMap { field in (0..<16).flatMap { _ in field } }
        let samples = (0..<16).flatMap { _ in row }
        return try options.encode(samples, width: 16 * fields.count, height: 16)
    }

    /// The file with the profile in segments of at most `part` bytes, the last one first if told.
    static func with(
        _ profile: [UInt8], _ jpeg: [UInt8], part: Int = 65_519, isReversed: Bool = false
    ) -> [UInt8] {
        let count = (profile.count + part - 1) / part
        let segments = (0..<count).map { index in
            let bytes = profile[(index * part)..<min(profile.count, (index + 1) * part)]
            return [0xFF, 0xE2] + number(bytes.count + 16, 2) + Array("ICC_PROFILE".utf8) + [0]
                + [UInt8(index + 1), UInt8(count)] + bytes
        }
        return jpeg[..<2] + (isReversed ? segments.reversed() : segments).flatMap { $0 }
            + jpeg[2...]
    }
}
