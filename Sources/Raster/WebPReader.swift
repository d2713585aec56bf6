import CWebP

/// Reads one WebP file's first frame, in a process of its own.
struct WebPReader {
    private let header: WebPHeader
    private let plan: DecodePlan
    /// The part of the picture that libwebp reads, in stored pixels.
    private let held: PixelRegion
    /// What libwebp scales that part to.
    private let size: (width: Int, height: Int)
    /// The part of the frame that lies in it; nil if none does.
    private let part: PixelRegion?

    /// Pixels of a region that is held and scaled to exact means. A larger one is scaled by libwebp
    /// while it reads, which takes less time and memory and rounds a little worse.
    private static let exactPixelsMax = 1_000_000
    /// Bytes that libwebp may take besides the pixels: its tables and a few rows.
    private static let memoryBytes = 64 << 20
    /// Bytes that it takes for each pixel of a lossless picture or of transparency.
    private static let bytesPerBufferedPixel = 8

    private init(_ header: WebPHeader, _ plan: DecodePlan) {
        self.header = header
        self.plan = plan
        let whole = PixelRegion(x: 0, y: 0, width: header.width, height: header.height)
        let isSmaller = (plan.width, plan.height) != (plan.region.width, plan.region.height)
        let pixels = plan.region.width * plan.region.height
        if !header.isBuffered, isSmaller, pixels > Self.exactPixelsMax {
            held = plan.region
            size = (plan.width, plan.height)
        } else {
            held = plan.surroundings(in: whole)
            size = (held.width, held.height)
        }
        part = header.frame.intersection(held)
    }

    private var isScaled: Bool { size != (held.width, held.height) }

    /// What is made of the rows that libwebp gives.
    private var rest: DecodePlan {
        guard isScaled else { return plan.inside(held) }
        let scaled = PixelRegion(x: 0, y: 0, width: size.width, height: size.height)
        return DecodePlan(region: scaled, width: plan.width, height: plan.height)
    }

    /// Reads what the plan wants of a file whose header has been checked.
    static func decode(
        _ bytes: [UInt8], header: WebPHeader, plan: DecodePlan, shouldStop: () -> Bool
    ) throws(RasterError) -> StoredPixels {
        try WebPReader(header, plan).read(bytes, shouldStop)
    }

    private var pixelBytes: Int { header.isTransparent ? 4 : 3 }
    private var rowBytes: Int { pixelBytes * size.width }

    private func read(
        _ bytes: [UInt8], _ shouldStop: () -> Bool
    ) throws(RasterError) -> StoredPixels {
        let buffered = header.isBuffered ? header.frame.width * header.frame.height : 0
        let decoder = IsolatedDecoder(
            format: "WebP", work: sl_webp_decode, outputBytes: rowBytes * size.height,
            memoryBytes: Self.memoryBytes + Self.bytesPerBufferedPixel * buffered)
        return try bytes.withUnsafeBufferPointer { (bytes) throws(RasterError) in
            guard let part else {
                return StoredPixels(bitmap: .white(width: plan.width, height: plan.height))
            }
            let payload = UnsafeBufferPointer(rebasing: bytes[header.payload])
            return try decoder.run(job(part), payload, shouldStop) {
                (outcome, output) throws(RasterError) in
                try Self.check(outcome.status)
                let bitmap = try rest.scale(
                    output, width: size.width, format: header.isTransparent ? .rgba : .rgb,
                    shouldStop)
                return StoredPixels(bitmap: bitmap, decoderPeakBytes: outcome.peakBytes)
            }
        }
    }

    private func job(_ part: PixelRegion) -> sl_webp_job {
        var job = sl_webp_job()
        job.frame_width = Int32(header.frame.width)
        job.frame_height = Int32(header.frame.height)
        job.x = Int32(part.x - header.frame.x)
        job.y = Int32(part.y - header.frame.y)
        job.width = Int32(part.width)
        job.height = Int32(part.height)
        job.scaled_width = Int32(isScaled ? size.width : part.width)
        job.scaled_height = Int32(isScaled ? size.height : part.height)
        job.has_alpha = header.isTransparent ? 1 : 0
        job.offset =
            rowBytes * (part.y - held.y) + pixelBytes * (part.x - held.x)
        job.bytes_per_row = Int32(rowBytes)
        job.output_bytes = rowBytes * size.height
        return job
    }

    private static func check(_ status: Int32) throws(RasterError) {
        switch UInt32(bitPattern: status) {
        case SL_WEBP_OK.rawValue: return
        case SL_WEBP_TRUNCATED.rawValue:
            throw RasterError(.truncated, "WebP: the file ends before its picture")
        case SL_WEBP_MEMORY.rawValue: throw RasterError(.tooLarge, "WebP: out of memory")
        case SL_WEBP_UNSUPPORTED.rawValue:
            throw RasterError(.unsupportedFormat, "WebP: a kind that libwebp does not read")
        default: throw RasterError(.corrupt, "WebP: damaged pixels")
        }
    }
}
