import CPNG

/// Reads one PNG file's rows, upper first, as 8-bit RGB or RGBA. Owns libpng's structs.
struct PNGReader: ~Copyable {
    private let reader: UnsafeMutablePointer<sl_png_reader>

    /// Reads up to the pixels; `bytes` must outlive the reader, whose status is to be checked.
    private init(_ bytes: UnsafeBufferPointer<UInt8>, gamma: Int?) throws(RasterError) {
        guard let reader = sl_png_open_reader(bytes.baseAddress, bytes.count, Int32(gamma ?? 0))
        else {
            throw RasterError(.tooLarge, "PNG: out of memory")
        }
        self.reader = reader
    }

    deinit { sl_png_close_reader(reader) }

    /// Reads what the plan wants of a file whose header has been checked. `gamma` is the stored one
    /// if it is to be brought to sRGB's, in hundred-thousandths.
    static func decode(
        _ bytes: [UInt8], header: PNGHeader, gamma: Int?, plan: DecodePlan,
        shouldStop: () -> Bool
    ) throws(RasterError) -> Bitmap {
        try bytes.withUnsafeBufferPointer { (bytes) throws(RasterError) in
            let reader = try PNGReader(bytes, gamma: gamma)
            try reader.check(reader.reader.pointee.guard.status)
            guard sl_png_width(reader.reader) == header.width,
                sl_png_height(reader.reader) == header.height
            else { throw RasterError(.corrupt, "PNG: two headers that differ") }
            let format: RowFormat = sl_png_channels(reader.reader) == 4 ? .rgba : .rgb
            var sink = RowSink(plan: plan, format: format)
            if header.isInterlaced {
                try reader.readInterlaced(height: header.height, into: &sink, shouldStop)
            } else {
                try reader.readRows(into: &sink, shouldStop)
            }
            if sink.lastRow == header.height - 1 {
                try reader.check(sl_png_finish(reader.reader))
            }
            return sink.finish()
        }
    }

    private var rowsBetweenPolls: Int {
        RowSink.rowsBetweenPolls(of: Int(sl_png_width(reader)))
    }

    private func readRows(
        into sink: inout RowSink, _ shouldStop: () -> Bool
    ) throws(RasterError) {
        let rowsBetweenPolls = rowsBetweenPolls
        var row = [UInt8](repeating: 0, count: sl_png_row_bytes(reader))
        for index in 0...sink.lastRow {
            if index % rowsBetweenPolls == 0, shouldStop() { throw .stopped }
            try check(sl_png_read_row(reader, &row))
            if index >= sink.firstRow { sink.add(row) }
        }
    }

    /// An interlaced picture comes in seven passes, and no row is whole before the last one.
    private func readInterlaced(
        height: Int, into sink: inout RowSink, _ shouldStop: () -> Bool
    ) throws(RasterError) {
        let rowBytes = sl_png_row_bytes(reader)
        let rowsBetweenPolls = rowsBetweenPolls
        var rows = [UInt8](repeating: 0, count: rowBytes * height)
        try rows.withUnsafeMutableBufferPointer { (rows) throws(RasterError) in
            guard let start = rows.baseAddress else { return }
            for index in 0..<(7 * height) {
                if index % rowsBetweenPolls == 0, shouldStop() { throw .stopped }
                try check(sl_png_read_row(reader, start + index % height * rowBytes))
            }
            for index in sink.firstRow...sink.lastRow {
                if index % rowsBetweenPolls == 0, shouldStop() { throw .stopped }
                sink.add(start + index * rowBytes)
            }
        }
    }

    private func check(_ status: Int32) throws(RasterError) {
        if status != 0 { throw RasterError(png: status, reader.pointee.guard) }
    }
}

extension RasterError {
    /// What libpng reported.
    init(png status: Int32, _ fault: sl_png_guard) {
        let code: Code =
            switch UInt32(status) {
            case SL_PNG_TRUNCATED.rawValue: .truncated
            case SL_PNG_MEMORY.rawValue: .tooLarge
            default: .corrupt
            }
        let message = withUnsafeBytes(of: fault.message) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        self.init(code, "PNG: \(message)")
    }
}
