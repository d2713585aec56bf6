import CHEIF

/// What a HEIC or AVIF file says before its pixels, in the words of libheif.
struct HEIFHeader {
    let format: PictureFormat
    /// Pixels across of the upright picture.
    let width: Int
    /// Pixels down of the upright picture.
    let height: Int
    let hasAlpha: Bool
    /// Bits of a sample of brightness.
    let bits: Int
    /// Pictures in the file, without thumbnails.
    let pictures: Int

    /// Reads the boxes before the pixels, in a process of its own: they are as involved as a
    /// picture.
    init(
        _ bytes: [UInt8], format: PictureFormat, _ shouldStop: () -> Bool
    ) throws(RasterError) {
        self.format = format
        let decoder = IsolatedDecoder(
            format: format.rawValue.uppercased(), work: sl_heif_read_head, outputBytes: 0,
            memoryBytes: HEIFReader.memoryBytes)
        let values = try bytes.withUnsafeBufferPointer { (bytes) throws(RasterError) in
            try decoder.run(sl_heif_job(), bytes, shouldStop) { (outcome, _) throws(RasterError) in
                try HEIFReader.check(outcome, format)
                return outcome.values
            }
        }
        width = values[Int(SL_HEIF_WIDTH.rawValue)]
        height = values[Int(SL_HEIF_HEIGHT.rawValue)]
        hasAlpha = values[Int(SL_HEIF_ALPHA.rawValue)] != 0
        bits = values[Int(SL_HEIF_BITS.rawValue)]
        pictures = values[Int(SL_HEIF_PICTURES.rawValue)]
        guard width >= 1, height >= 1 else {
            throw RasterError(.corrupt, "\(format.rawValue.uppercased()): no pixels")
        }
    }

    /// What is done to the stored pixels; libheif turns them itself, as the file's own properties
    /// say, which are stronger than EXIF's orientation.
    var steps: [PictureStep] {
        (pictures > 1 ? [.firstFrame] : []) + (bits != 8 ? [.depthChanged] : [])
            + (hasAlpha ? [.alphaFlattened] : [])
    }
}

/// Reads the main picture of one HEIC or AVIF file, in a process of its own.
enum HEIFReader {
    /// Bytes that libheif and its decoders may take besides the pixels.
    static let memoryBytes = 192 << 20
    /// Bytes that they take for each pixel: planes of 16 bits, as stored and as colours.
    private static let bytesPerPixel = 24

    /// Reads what the plan wants of a file whose header has been checked.
    static func decode(
        _ bytes: [UInt8], header: HEIFHeader, plan: DecodePlan, shouldStop: () -> Bool
    ) throws(RasterError) -> StoredPixels {
        let region = plan.region
        let format: RowFormat = header.hasAlpha ? .rgba : .rgb
        let decoder = IsolatedDecoder(
            format: header.format.rawValue.uppercased(), work: sl_heif_decode,
            outputBytes: format.bytesPerPixel * region.width * region.height,
            memoryBytes: memoryBytes + bytesPerPixel * header.width * header.height)
        return try bytes.withUnsafeBufferPointer { (bytes) throws(RasterError) in
            try decoder.run(job(header, region), bytes, shouldStop) {
                (outcome, output) throws(RasterError) in
                try check(outcome, header.format)
                let bitmap = try plan.inside(region).scale(
                    output, width: region.width, format: format, shouldStop)
                return StoredPixels(bitmap: bitmap, decoderPeakBytes: outcome.peakBytes)
            }
        }
    }

    private static func job(_ header: HEIFHeader, _ region: PixelRegion) -> sl_heif_job {
        var job = sl_heif_job()
        job.whole_width = Int32(header.width)
        job.whole_height = Int32(header.height)
        job.x = Int32(region.x)
        job.y = Int32(region.y)
        job.width = Int32(region.width)
        job.height = Int32(region.height)
        job.has_alpha = header.hasAlpha ? 1 : 0
        return job
    }

    static func check(
        _ outcome: IsolatedDecoder.Outcome, _ format: PictureFormat
    ) throws(RasterError) {
        guard outcome.status != 0 else { return }
        let code: RasterError.Code =
            switch UInt32(bitPattern: outcome.status) {
            case SL_HEIF_TRUNCATED.rawValue: .truncated
            case SL_HEIF_MEMORY.rawValue: .tooLarge
            case SL_HEIF_UNSUPPORTED.rawValue: .unsupportedFormat
            default: .corrupt
            }
        throw RasterError(code, "\(format.rawValue.uppercased()): \(outcome.message)")
    }
}
