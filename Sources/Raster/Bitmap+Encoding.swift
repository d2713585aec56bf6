extension Bitmap {
    /// A baseline JPEG file, 4:2:0; the same bitmap and quality give the same bytes.
    ///
    /// `quality` is 1…100; anything else is a precondition failure.
    ///
    /// - Throws: `RasterError` with `encodeFailed`, for a side above 65,500 pixels.
    public func jpeg(quality: Int) throws(RasterError) -> [UInt8] {
        throw RasterError(.encodeFailed, "")
    }

    /// A PNG file of 8-bit RGB pixels; the same bitmap gives the same bytes.
    ///
    /// - Throws: `RasterError` with `encodeFailed`.
    public func png() throws(RasterError) -> [UInt8] {
        throw RasterError(.encodeFailed, "")
    }
}
