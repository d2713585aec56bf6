/// A buffer of video pixels whose bytes have been found to be enough.
struct VideoBuffer {
    let bytes: [UInt8]
    let layout: VideoLayout

    init(bytes: [UInt8], layout: VideoLayout, limits: PictureLimits) throws(RasterError) {
        guard layout.width >= 1, layout.height >= 1 else {
            throw RasterError(
                .badBuffer, "\(layout.width) x \(layout.height) pixels; at least 1 x 1")
        }
        try limits.check(width: layout.width, height: layout.height, isBuffered: false)
        self.bytes = bytes
        self.layout = layout
        try check(layout.luma, "brightness", width: layout.width, rows: layout.height)
        try check(
            layout.chroma, "colour", width: 2 * ((layout.width + 1) / 2),
            rows: (layout.height + 1) / 2)
    }

    private func check(
        _ plane: PixelPlane, _ name: String, width: Int, rows: Int
    ) throws(RasterError) {
        guard plane.offset >= 0, plane.offset <= bytes.count else {
            throw RasterError(
                .badBuffer, "the plane of \(name) begins at \(plane.offset) of \(bytes.count)")
        }
        guard plane.bytesPerRow >= width, plane.bytesPerRow <= bytes.count else {
            throw RasterError(
                .badBuffer,
                "\(plane.bytesPerRow) bytes a row of \(name); it takes \(width), and the buffer "
                    + "has \(bytes.count)")
        }
        // The rows are within the limits and a row within the buffer: no overflow.
        let end = plane.offset + plane.bytesPerRow * (rows - 1) + width
        guard end <= bytes.count else {
            throw RasterError(
                .badBuffer, "\(bytes.count) bytes; the plane of \(name) ends at \(end)")
        }
    }

    var head: PictureHead {
        PictureHead(
            format: .pixels, storedWidth: layout.width, storedHeight: layout.height,
            orientation: .upright, isBuffered: false, steps: [.videoConverted])
    }

    func decode(_ plan: DecodePlan, _ shouldStop: () -> Bool) throws(RasterError) -> Bitmap {
        var sink = RowSink(plan: plan, format: .rgb)
        let converter = VideoConverter(range: layout.range, matrix: layout.matrix)
        var rgb = [UInt8](repeating: 0, count: 3 * layout.width)
        try bytes.withUnsafeBufferPointer { (bytes) throws(RasterError) in
            guard let start = bytes.baseAddress else { return }
            let rowsBetweenPolls = RowSink.rowsBetweenPolls(of: layout.width)
            for row in sink.firstRow...sink.lastRow {
                if row % rowsBetweenPolls == 0, shouldStop() { throw .stopped }
                converter.convert(
                    luma: start + layout.luma.offset + row * layout.luma.bytesPerRow,
                    chroma: start + layout.chroma.offset + row / 2 * layout.chroma.bytesPerRow,
                    from: sink.firstColumn, through: sink.lastColumn, to: &rgb)
                sink.add(rgb)
            }
        }
        return sink.finish()
    }
}

/// Brightness and colour to red, green and blue, in 16-bit fixed point, rounded to nearest.
struct VideoConverter {
    private let black: Int
    private let lumaScale: Int
    private let redOfRed: Int
    private let greenOfBlue: Int
    private let greenOfRed: Int
    private let blueOfBlue: Int

    init(range: VideoLayout.Range, matrix: VideoLayout.Matrix) {
        let (red, blue) = matrix.shares
        let green = 1 - red - blue
        let luma = range == .video ? 255.0 / 219 : 1
        let chroma = range == .video ? 255.0 / 224 : 1
        func fixed(_ value: Double) -> Int { Int((65_536 * value).rounded()) }
        black = range == .video ? 16 : 0
        lumaScale = fixed(luma)
        redOfRed = fixed(2 * (1 - red) * chroma)
        greenOfBlue = fixed(-2 * (1 - blue) * blue / green * chroma)
        greenOfRed = fixed(-2 * (1 - red) * red / green * chroma)
        blueOfBlue = fixed(2 * (1 - blue) * chroma)
    }

    /// Writes the pixels from `first` to `last` of a row to the same pixels of `rgb`.
    func convert(
        luma: UnsafePointer<UInt8>, chroma: UnsafePointer<UInt8>, from first: Int,
        through last: Int, to rgb: inout [UInt8]
    ) {
        for pixel in first...last {
            let brightness = lumaScale * (Int(luma[pixel]) - black) + 32_768
            let blue = Int(chroma[pixel & ~1]) - 128
            let red = Int(chroma[pixel | 1]) - 128
            rgb[3 * pixel] = Self.byte(brightness + redOfRed * red)
            rgb[3 * pixel + 1] = Self.byte(brightness + greenOfBlue * blue + greenOfRed * red)
            rgb[3 * pixel + 2] = Self.byte(brightness + blueOfBlue * blue)
        }
    }

    private static func byte(_ fixed: Int) -> UInt8 { UInt8(clamping: fixed >> 16) }
}
