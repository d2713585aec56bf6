/// A raw pixel buffer whose bytes have been found to be enough.
struct PixelBuffer {
    let bytes: [UInt8]
    let layout: PixelLayout
    let width: Int
    let height: Int
    let bytesPerRow: Int

    init(
        bytes: [UInt8], layout: PixelLayout, width: Int, height: Int, bytesPerRow: Int,
        limits: PictureLimits
    ) throws(RasterError) {
        guard width >= 1, height >= 1 else {
            throw RasterError(.badBuffer, "\(width) x \(height) pixels; at least 1 x 1")
        }
        try limits.check(width: width, height: height, isBuffered: false)
        let rowBytes = width * layout.bytesPerPixel
        guard bytesPerRow >= rowBytes, bytesPerRow <= bytes.count else {
            throw RasterError(
                .badBuffer,
                "\(bytesPerRow) bytes a row; \(width) pixels take \(rowBytes), and the buffer has "
                    + "\(bytes.count)")
        }
        // The sides are within the limits and the row within the buffer: no overflow.
        let needed = bytesPerRow * (height - 1) + rowBytes
        guard bytes.count >= needed else {
            throw RasterError(.badBuffer, "\(bytes.count) bytes; the rows take \(needed)")
        }
        self.bytes = bytes
        self.layout = layout
        self.width = width
        self.height = height
        self.bytesPerRow = bytesPerRow
    }

    var head: PictureHead {
        PictureHead(
            format: .pixels, storedWidth: width, storedHeight: height, orientation: .upright,
            isBuffered: false, steps: layout == .gray ? [.grayExpanded] : [.alphaFlattened])
    }

    func decode(_ plan: DecodePlan, _ shouldStop: () -> Bool) throws(RasterError) -> Bitmap {
        var sink = RowSink(plan: plan, format: format)
        try bytes.withUnsafeBufferPointer { (bytes) throws(RasterError) in
            guard let start = bytes.baseAddress else { return }
            let rowsBetweenPolls = RowSink.rowsBetweenPolls(of: width)
            for row in sink.firstRow...sink.lastRow {
                if row % rowsBetweenPolls == 0, shouldStop() { throw .stopped }
                sink.add(start + row * bytesPerRow)
            }
        }
        return sink.finish()
    }

    private var format: RowFormat {
        switch layout {
        case .bgra: .bgra
        case .rgba: .rgba
        case .gray: .gray
        }
    }
}

extension RasterError {
    /// The caller asked to stop.
    static var stopped: RasterError { RasterError(.stopped, "the caller asked to stop") }
}
