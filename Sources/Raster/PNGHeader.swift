/// What a PNG file says before its pixels (PNG, third edition, sections 5 and 11).
struct PNGHeader {
    let width: Int
    let height: Int
    /// Bits of a sample, or of an index into the palette.
    let bitDepth: Int
    let isInterlaced: Bool
    private let colourType: Int

    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

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
            let height = reader.number(at: 20, bytes: 4), let bitDepth = reader.byte(at: 24),
            let colourType = reader.byte(at: 25), let interlace = reader.byte(at: 28)
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
        self.bitDepth = bitDepth
        self.colourType = colourType
        isInterlaced = interlace != 0
    }

    private var hasPalette: Bool { colourType & 1 != 0 }
    private var isGray: Bool { colourType & 2 == 0 }
    private var hasAlpha: Bool { colourType & 4 != 0 }

    /// What is done to the stored pixels.
    func steps(_ chunks: PNGChunks) -> [PictureStep] {
        var steps: [PictureStep] = []
        if chunks.isAnimated { steps.append(.firstFrame) }
        if isInterlaced { steps.append(.assembled) }
        if hasPalette { steps.append(.paletteExpanded) }
        if isGray { steps.append(.grayExpanded) }
        if !hasPalette, bitDepth != 8 { steps.append(.depthChanged) }
        if chunks.gammaToCorrect != nil { steps.append(.gammaCorrected) }
        if hasAlpha || chunks.hasTransparency { steps.append(.alphaFlattened) }
        return steps
    }
}
