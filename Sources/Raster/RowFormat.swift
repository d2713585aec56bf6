/// What the bytes of a decoder's row mean.
enum RowFormat {
    case rgb
    case rgba
    case bgra
    case gray
    /// Amounts of cyan, magenta, yellow and black ink.
    case cmyk
    /// The same with 255 for no ink, as Adobe's programs write it.
    case invertedCMYK
    /// Either of these, with the colours that a profile gives to inks.
    case profiledCMYK(InkTable)

    /// Bytes of one pixel.
    var bytesPerPixel: Int {
        switch self {
        case .gray: 1
        case .rgb: 3
        case .rgba, .bgra, .cmyk, .invertedCMYK, .profiledCMYK: 4
        }
    }

    /// Writes the pixels from `first` to `last` of a row as opaque RGB to the same pixels of
    /// another row.
    ///
    /// Straight alpha is flattened on white, so that colour hidden under alpha 0 has no effect.
    func convert(
        _ row: UnsafePointer<UInt8>, from first: Int, through last: Int,
        to rgb: UnsafeMutablePointer<UInt8>
    ) {
        switch self {
        case .rgb:
            (rgb + 3 * first).update(from: row + 3 * first, count: 3 * (last - first + 1))
        case .gray:
            for pixel in first...last {
                rgb[3 * pixel] = row[pixel]
                rgb[3 * pixel + 1] = row[pixel]
                rgb[3 * pixel + 2] = row[pixel]
            }
        case .rgba:
            for pixel in first...last {
                Self.flatten(row + 4 * pixel, red: 0, blue: 2, to: rgb + 3 * pixel)
            }
        case .bgra:
            for pixel in first...last {
                Self.flatten(row + 4 * pixel, red: 2, blue: 0, to: rgb + 3 * pixel)
            }
        case .cmyk:
            for pixel in first...last {
                Self.print(row + 4 * pixel, paper: 255, to: rgb + 3 * pixel)
            }
        case .invertedCMYK:
            for pixel in first...last {
                Self.print(row + 4 * pixel, paper: 0, to: rgb + 3 * pixel)
            }
        case .profiledCMYK(let table):
            table.convert(row, from: first, through: last, to: rgb)
        }
    }

    @inline(__always)
    private static func flatten(
        _ pixel: UnsafePointer<UInt8>, red: Int, blue: Int, to rgb: UnsafeMutablePointer<UInt8>
    ) {
        let alpha = UInt32(pixel[3])
        // 255 * 255 twice at most, so that the division is exact enough to round to nearest.
        let white = (255 &- alpha) &* 255 &+ 127
        rgb[0] = UInt8(truncatingIfNeeded: (UInt32(pixel[red]) &* alpha &+ white) / 255)
        rgb[1] = UInt8(truncatingIfNeeded: (UInt32(pixel[1]) &* alpha &+ white) / 255)
        rgb[2] = UInt8(truncatingIfNeeded: (UInt32(pixel[blue]) &* alpha &+ white) / 255)
    }

    /// Of four inks, by the file's profile where it has one that can be read.
    ///
    /// - Throws: `stopped`; `tooLarge` where there is no process to read the profile in.
    static func inks(
        isInverted: Bool, _ profile: InkProfile, _ shouldStop: () -> Bool
    ) throws(RasterError) -> RowFormat {
        if let table = try profile.table(paper: isInverted ? 255 : 0, shouldStop) {
            return .profiledCMYK(table)
        }
        return isInverted ? .invertedCMYK : .cmyk
    }

    /// The simple approximation without colour profiles: light that ink and black both let pass.
    /// `paper` is 255 if bytes are amounts of ink, 0 if they are amounts of light.
    @inline(__always)
    private static func print(
        _ inks: UnsafePointer<UInt8>, paper: UInt8, to rgb: UnsafeMutablePointer<UInt8>
    ) {
        let black = UInt32(inks[3] ^ paper)
        for channel in 0..<3 {
            let light = UInt32(inks[channel] ^ paper) &* black &+ 127
            rgb[channel] = UInt8(truncatingIfNeeded: light / 255)
        }
    }
}
