import CPNG

extension Bitmap {
    /// A baseline JPEG file, 4:2:0; the same bitmap and quality give the same bytes.
    ///
    /// `quality` is 1…100; anything else is a precondition failure.
    ///
    /// - Throws: `RasterError` with `encodeFailed`, for a side above 65,500 pixels.
    public func jpeg(quality: Int) throws(RasterError) -> [UInt8] {
        try JPEGOptions(quality: quality).encode(rgb, width: width, height: height)
    }

    /// A PNG file of 8-bit RGB pixels; the same bitmap gives the same bytes.
    ///
    /// - Throws: `RasterError` with `encodeFailed`.
    public func png() throws(RasterError) -> [UInt8] {
        guard let writer = sl_png_write(rgb, UInt32(width), UInt32(height)) else {
            throw RasterError(.encodeFailed, "PNG: out of memory")
        }
        defer { sl_png_close_writer(writer) }
        guard writer.pointee.guard.status == 0 else {
            let fault = RasterError(png: writer.pointee.guard.status, writer.pointee.guard)
            throw RasterError(.encodeFailed, fault.context)
        }
        return [UInt8](
            UnsafeBufferPointer(start: writer.pointee.bytes, count: writer.pointee.count))
    }
}
