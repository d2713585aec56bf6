extension DecodePlan {
    /// The region and two pixels around it, whose colour reaches into it, from even places on.
    func surroundings(in frame: PixelRegion) -> PixelRegion {
        let wide = PixelRegion(
            x: (region.x & ~1) - 2, y: (region.y & ~1) - 2, width: region.width + 5,
            height: region.height + 5)
        return wide.intersection(frame) ?? region
    }

    /// The plan for a decoder that holds a part of the picture that is larger than the region.
    func inside(_ held: PixelRegion) -> DecodePlan {
        let inner = PixelRegion(
            x: region.x - held.x, y: region.y - held.y, width: region.width,
            height: region.height)
        return DecodePlan(region: inner, width: width, height: height)
    }

    /// Cuts and scales rows without padding, of `width` pixels each, to the result.
    func scale(
        _ rows: UnsafePointer<UInt8>, width: Int, format: RowFormat, _ shouldStop: () -> Bool
    ) throws(RasterError) -> Bitmap {
        var sink = RowSink(plan: self, format: format)
        let rowsBetweenPolls = RowSink.rowsBetweenPolls(of: width)
        for row in sink.firstRow...sink.lastRow {
            if row % rowsBetweenPolls == 0, shouldStop() { throw .stopped }
            sink.add(rows + row * width * format.bytesPerPixel)
        }
        return sink.finish()
    }
}

extension PixelRegion {
    /// What lies in both; nil if nothing does. Both hold a pixel, and their sums do not overflow.
    func intersection(_ other: PixelRegion) -> PixelRegion? {
        let left = max(x, other.x)
        let top = max(y, other.y)
        let right = min(x + width, other.x + other.width)
        let bottom = min(y + height, other.y + other.height)
        guard left < right, top < bottom else { return nil }
        return PixelRegion(x: left, y: top, width: right - left, height: bottom - top)
    }
}

extension Bitmap {
    /// Nothing but the ground on which transparency is laid.
    static func white(width: Int, height: Int) -> Bitmap {
        Bitmap(
            width: width, height: height,
            rgb: [UInt8](repeating: 255, count: 3 * width * height))
    }
}
