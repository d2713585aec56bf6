import CJPEG

/// Reads one JPEG file's rows, upper first. Owns libjpeg's structs.
struct JPEGReader: ~Copyable {
    private let reader: UnsafeMutablePointer<sl_jpeg_reader>

    /// Reads up to the pixels; `bytes` must outlive the reader, whose status is to be checked.
    private init(_ bytes: UnsafeBufferPointer<UInt8>) throws(RasterError) {
        guard let reader = sl_jpeg_open_reader(bytes.baseAddress, bytes.count) else {
            throw RasterError(.tooLarge, "JPEG: out of memory")
        }
        self.reader = reader
    }

    deinit { sl_jpeg_close_reader(reader) }

    /// Reads what the plan wants of a file whose header has been checked.
    static func decode(
        _ bytes: [UInt8], header: JPEGHeader, plan: DecodePlan, shouldStop: () -> Bool
    ) throws(RasterError) -> StoredPixels {
        try bytes.withUnsafeBufferPointer { (bytes) throws(RasterError) in
            let reader = try JPEGReader(bytes)
            try reader.check(reader.reader.pointee.guard.status)
            try reader.check(header)
            let bitmap = try reader.read(
                plan, isBuffered: header.isBuffered, header.profile, shouldStop)
            return StoredPixels(
                bitmap: bitmap, hasDamage: reader.reader.pointee.guard.has_damage != 0)
        }
    }

    private func read(
        _ plan: DecodePlan, isBuffered: Bool, _ profile: InkProfile, _ shouldStop: () -> Bool
    ) throws(RasterError) -> Bitmap {
        try check(sl_jpeg_start(reader, Int32(plan.reduction)))
        var sink = RowSink(
            plan: plan, format: try format(profile, shouldStop), reduction: plan.reduction)
        var offset = 0
        var nextRow = 0
        if isBuffered {
            try readScans(shouldStop)
        } else {
            offset = try crop(to: sink)
            nextRow = try skipRows(before: sink.firstRow, shouldStop)
        }
        let info = reader.pointee.info
        let rowBytes = Int(info.output_width) * Int(info.output_components)
        var row = [UInt8](repeating: 0, count: rowBytes)
        let rowsBetweenPolls = rowsBetweenPolls
        for index in nextRow...sink.lastRow {
            if index % rowsBetweenPolls == 0, shouldStop() { throw .stopped }
            try check(sl_jpeg_read_row(reader, &row))
            if index >= sink.firstRow { sink.add(row, offset: offset) }
        }
        return sink.finish()
    }

    /// Counted in stored pixels, of which a reduced row takes several rows.
    private var rowsBetweenPolls: Int {
        let info = reader.pointee.info
        let reduction = max(1, Int(info.scale_denom / max(1, info.scale_num)))
        return RowSink.rowsBetweenPolls(of: Int(info.image_width) * reduction)
    }

    private func format(
        _ profile: InkProfile, _ shouldStop: () -> Bool
    ) throws(RasterError) -> RowFormat {
        let info = reader.pointee.info
        guard info.num_components == 4 else { return .rgb }
        // Adobe's programs write inverted inks, and nearly all four-component files are theirs.
        return try .inks(isInverted: info.saw_Adobe_marker != 0, profile, shouldStop)
    }

    /// Output pixels of a block of all components; colour is interpolated across its edges.
    private var blockSize: (width: Int, height: Int) {
        let info = reader.pointee.info
        let side = Int(info.min_DCT_scaled_size)
        return (Int(info.max_h_samp_factor) * side, Int(info.max_v_samp_factor) * side)
    }

    /// Reads all scans, a row of blocks at a time.
    private func readScans(_ shouldStop: () -> Bool) throws(RasterError) {
        var isDone: Int32 = 0
        while isDone == 0 {
            if shouldStop() { throw .stopped }
            try check(sl_jpeg_read_scans(reader, &isDone))
            guard reader.pointee.info.input_scan_number <= PictureLimits.scansMax else {
                throw RasterError(
                    .tooLarge, "JPEG: more than the \(PictureLimits.scansMax) scans allowed")
            }
        }
    }

    /// Limits the rows to the columns that are used and a block on either side, so that the used
    /// ones come out as they do in the whole picture. Returns the first column that rows hold.
    private func crop(to sink: RowSink) throws(RasterError) -> Int {
        let whole = Int(reader.pointee.info.output_width)
        let margin = blockSize.width
        let first = max(0, sink.firstColumn - margin)
        let end = min(whole, sink.lastColumn + 1 + margin)
        guard first > 0 || end < whole else { return 0 }
        var x = UInt32(first)
        var width = UInt32(end - first)
        try check(sl_jpeg_crop(reader, &x, &width))
        return Int(x)
    }

    /// Passes over rows without turning them into pixels, but for the last few above `row`, whose
    /// colour reaches into it. Returns the number of the next row that comes.
    private func skipRows(
        before row: Int, _ shouldStop: () -> Bool
    ) throws(RasterError) -> Int {
        let count = max(0, row - 2 * blockSize.height)
        var skipped = 0
        while skipped < count {
            if shouldStop() { throw .stopped }
            let step = min(rowsBetweenPolls, count - skipped)
            try check(sl_jpeg_skip_rows(reader, UInt32(step)))
            skipped += step
        }
        return skipped
    }

    /// What was checked against the limits must be what is decoded.
    private func check(_ header: JPEGHeader) throws(RasterError) {
        let info = reader.pointee.info
        guard info.image_width == header.width, info.image_height == header.height,
            info.num_components == header.components,
            (info.progressive_mode != 0) == header.isProgressive,
            (info.comps_in_scan < info.num_components) == header.hasPartialScan
        else { throw RasterError(.corrupt, "JPEG: two frames that differ") }
    }

    private func check(_ status: Int32) throws(RasterError) {
        if status != 0 { throw RasterError(jpeg: status, reader.pointee.guard) }
    }
}

extension RasterError {
    /// What libjpeg reported.
    init(jpeg status: Int32, _ fault: sl_jpeg_guard) {
        let code: Code =
            switch UInt32(status) {
            case SL_JPEG_TRUNCATED.rawValue: .truncated
            case SL_JPEG_UNSUPPORTED.rawValue: .unsupportedFormat
            case SL_JPEG_MEMORY.rawValue: .tooLarge
            default: .corrupt
            }
        let message = withUnsafeBytes(of: fault.message) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        self.init(code, "JPEG: \(message)")
    }
}
