import CJPEG

/// How a JPEG file is written; the variants beside the standard one are for tests.
package struct JPEGOptions {
    /// 1…100.
    package var quality: Int
    /// Bytes of a sample's pixel: 1 for grey, 3 for RGB, 4 for CMYK with 255 for no ink.
    package var components = 3
    /// How much finer brightness is than colour, across and down.
    package var sampling = (across: 2, down: 2)
    /// Rows of blocks between two restart marks; 0 for none.
    package var restartRows = 0
    /// Whether it is written in several scans, from coarse to fine.
    package var isProgressive = false

    /// The standard one.
    package init(quality: Int) { self.quality = quality }

    /// Writes rows without padding.
    package func encode(
        _ samples: [UInt8], width: Int, height: Int
    ) throws(RasterError) -> [UInt8] {
        precondition((1...100).contains(quality), "quality is 1…100")
        precondition(samples.count == width * height * components, "a sample for each component")
        let longest = Int(JPEG_MAX_DIMENSION)
        guard width <= longest, height <= longest else {
            throw RasterError(
                .encodeFailed, "\(width) x \(height) pixels; JPEG has at most \(longest) a side")
        }
        let options = sl_jpeg_options(
            components: Int32(components), quality: Int32(quality),
            horizontal_sampling: Int32(sampling.across), vertical_sampling: Int32(sampling.down),
            restart_rows: Int32(restartRows), is_progressive: isProgressive ? 1 : 0)
        guard let writer = sl_jpeg_write(samples, UInt32(width), UInt32(height), options) else {
            throw RasterError(.encodeFailed, "JPEG: out of memory")
        }
        defer { sl_jpeg_close_writer(writer) }
        guard writer.pointee.guard.status == 0 else {
            let fault = RasterError(jpeg: writer.pointee.guard.status, writer.pointee.guard)
            throw RasterError(.encodeFailed, fault.context)
        }
        return [UInt8](
            UnsafeBufferPointer(start: writer.pointee.bytes, count: writer.pointee.count))
    }
}
