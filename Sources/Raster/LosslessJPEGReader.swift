/// Reads lossless JPEG (ITU-T T.81, annex H), which Debian's libjpeg does not: one scan of Huffman
/// codes without subsampling, row by row. Any damage is a fault.
struct LosslessJPEGReader {
    private let header: JPEGHeader
    private let scan: Scan
    private var bits: JPEGBits
    /// Samples of the row above, and of the row that is being read, pixel by pixel.
    private var above: [Int]
    private var row: [Int]
    private var pixelsToRestart: Int

    /// What stands before the entropy-coded bytes.
    private struct Scan {
        var tables: [Int: HuffmanTable] = [:]
        var restartInterval = 0
        var hasInvertedInks = false
        /// The table of each component.
        var tableOfComponent: [HuffmanTable] = []
        var predictor = 0
        var pointTransform = 0
    }

    private init(_ bytes: UnsafeBufferPointer<UInt8>, _ header: JPEGHeader, _ scan: Scan) {
        self.header = header
        self.scan = scan
        bits = JPEGBits(bytes, offset: header.scanOffset)
        above = [Int](repeating: 0, count: header.width * header.components)
        row = above
        pixelsToRestart = scan.restartInterval
    }

    /// Reads what the plan wants of a file whose header has been checked.
    static func decode(
        _ bytes: [UInt8], header: JPEGHeader, plan: DecodePlan, shouldStop: () -> Bool
    ) throws(RasterError) -> StoredPixels {
        let scan = try scan(of: bytes, header)
        return try bytes.withUnsafeBufferPointer { (buffer) throws(RasterError) in
            var reader = LosslessJPEGReader(buffer, header, scan)
            return StoredPixels(bitmap: try reader.read(plan, shouldStop))
        }
    }

    private func format(_ shouldStop: () -> Bool) throws(RasterError) -> RowFormat {
        switch header.components {
        case 1: .gray
        case 3: .rgb
        default: try .inks(isInverted: scan.hasInvertedInks, header.profile, shouldStop)
        }
    }

    private mutating func read(
        _ plan: DecodePlan, _ shouldStop: () -> Bool
    ) throws(RasterError) -> Bitmap {
        var sink = RowSink(plan: plan, format: try format(shouldStop))
        var line = [UInt8](repeating: 0, count: row.count)
        var isFirst = true
        for index in 0...sink.lastRow {
            // A row may be long and is slow; each one is a moment to stop.
            if shouldStop() { throw .stopped }
            if scan.restartInterval > 0, pixelsToRestart == 0 {
                guard bits.restart() else { throw Self.damaged }
                pixelsToRestart = scan.restartInterval
                isFirst = true
            }
            try readRow(isFirst: isFirst)
            isFirst = false
            if index >= sink.firstRow {
                toBytes(&line)
                sink.add(line)
            }
            swap(&above, &row)
        }
        return sink.finish()
    }

    private mutating func readRow(isFirst: Bool) throws(RasterError) {
        let count = header.components
        let start = 1 << (header.precision - scan.pointTransform - 1)
        for at in 0..<row.count {
            guard let difference = bits.difference(scan.tableOfComponent[at % count]) else {
                throw Self.damaged
            }
            let prediction: Int
            if at < count {
                prediction = isFirst ? start : above[at]
            } else if isFirst {
                prediction = row[at - count]
            } else {
                prediction = predict(
                    left: row[at - count], up: above[at], corner: above[at - count])
            }
            row[at] = (prediction + difference) & 0xFFFF
        }
        guard scan.restartInterval > 0 else { return }
        pixelsToRestart -= header.width
        guard pixelsToRestart >= 0 else {
            throw RasterError(.corrupt, "JPEG: a restart inside a row of a lossless picture")
        }
    }

    /// Table H.1.
    private func predict(left: Int, up: Int, corner: Int) -> Int {
        switch scan.predictor {
        case 1: left
        case 2: up
        case 3: corner
        case 4: left + up - corner
        case 5: left + (up - corner) >> 1
        case 6: up + (left - corner) >> 1
        default: (left + up) >> 1
        }
    }

    /// Samples of any depth as bytes, rounded to nearest.
    private func toBytes(_ line: inout [UInt8]) {
        let most = 1 << header.precision - 1
        for at in 0..<row.count {
            let value = min(row[at] << scan.pointTransform, most)
            line[at] = UInt8((2 * 255 * value + most) / (2 * most))
        }
    }

    private static var damaged: RasterError {
        RasterError(.corrupt, "JPEG: damaged lossless pixels")
    }

    private static func scan(
        of bytes: [UInt8], _ header: JPEGHeader
    ) throws(RasterError) -> Scan {
        var scan = Scan()
        var cursor = JPEGCursor(bytes, offset: 2)
        while cursor.offset < header.scanOffset, let marker = cursor.nextMarker() {
            if marker == 0x01 || (0xD0...0xD7).contains(marker) { continue }
            guard let segment = cursor.nextSegment() else { break }
            let reader = ByteReader(segment)
            switch marker {
            case 0xC4: try HuffmanTable.read(reader, into: &scan.tables)
            case 0xDD: scan.restartInterval = reader.number(at: 0, bytes: 2) ?? 0
            case 0xEE: scan.hasInvertedInks = reader.starts(with: Array("Adobe".utf8))
            case 0xDA: try read(reader, header, &scan)
            default: break
            }
        }
        return scan
    }

    private static func read(
        _ reader: ByteReader, _ header: JPEGHeader, _ scan: inout Scan
    ) throws(RasterError) {
        let count = header.components
        for index in 0..<count {
            guard let tables = reader.byte(at: 2 + 2 * index), let table = scan.tables[tables >> 4]
            else { throw RasterError(.corrupt, "JPEG: a scan without its Huffman table") }
            scan.tableOfComponent.append(table)
        }
        guard let predictor = reader.byte(at: 1 + 2 * count), (1...7).contains(predictor),
            let approximation = reader.byte(at: 3 + 2 * count),
            approximation & 15 < header.precision
        else { throw RasterError(.corrupt, "JPEG: no lossless scan") }
        scan.predictor = predictor
        scan.pointTransform = approximation & 15
    }
}
