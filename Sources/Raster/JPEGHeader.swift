import Glibc

/// What a JPEG file says before its pixels (ITU-T T.81, annex B).
struct JPEGHeader {
    private(set) var width = 0
    private(set) var height = 0
    private(set) var components = 0
    private(set) var isProgressive = false
    /// Whether libjpeg is not asked, which reads no lossless pictures.
    private(set) var isLossless = false
    /// Bits of a sample.
    private(set) var precision = 8
    private(set) var orientation: Orientation?
    /// Whether the first scan holds some of the components only.
    private(set) var hasPartialScan = false
    /// Where the first scan's entropy-coded bytes begin.
    private(set) var scanOffset = 0
    /// What the colours of inks are; empty in most files.
    private(set) var profile = InkProfile()

    /// Reads the segments up to the first scan.
    init(_ bytes: [UInt8]) throws(RasterError) {
        var cursor = JPEGCursor(bytes, offset: 2)
        while let marker = cursor.nextMarker() {
            switch marker {
            case 0x01, 0xD0...0xD7:
                continue
            case 0xD8:
                throw RasterError(.corrupt, "JPEG: a second start mark before the picture")
            case 0xD9:
                throw RasterError(.corrupt, "JPEG: the end mark comes before any picture")
            default:
                guard let segment = cursor.nextSegment() else { throw Self.truncated }
                try read(segment, marker: marker)
            }
            if marker == 0xDA {
                scanOffset = cursor.offset
                return
            }
        }
        throw Self.truncated
    }

    /// Whether libjpeg has to hold the whole picture before it gives a row.
    var isBuffered: Bool { isProgressive || hasPartialScan }

    /// What is done to the stored pixels.
    var steps: [PictureStep] {
        var steps: [PictureStep] = isBuffered ? [.assembled] : []
        if precision != 8 { steps.append(.depthChanged) }
        if components == 1 { steps.append(.grayExpanded) }
        if components == 4 { steps.append(.inksConverted) }
        if components == 4, profile.bytes != nil { steps.append(.profileFollowed) }
        return steps
    }

    /// Walks over the scans to the end mark, which must be there; libjpeg makes do with damage
    /// before it.
    ///
    /// - Throws: `truncated` where the file has no end mark; `tooLarge` for more than `scansMax`
    ///   scans.
    func checkEnd(_ bytes: [UInt8]) throws(RasterError) {
        var cursor = JPEGCursor(bytes, offset: scanOffset)
        var scans = 1
        while let marker = cursor.nextMarker() {
            if marker == 0xD9 { return }
            // Segments are not passed over: after damage their lengths may lead anywhere.
            guard marker == 0xDA else { continue }
            scans += 1
            guard scans <= PictureLimits.scansMax else {
                throw RasterError(
                    .tooLarge, "JPEG: more than the \(PictureLimits.scansMax) scans allowed")
            }
        }
        throw Self.truncated
    }

    private mutating func read(_ segment: ArraySlice<UInt8>, marker: UInt8) throws(RasterError) {
        switch marker {
        case 0xC0, 0xC1, 0xC2, 0xC3, 0xC9, 0xCA:
            isLossless = marker == 0xC3
            isProgressive = marker == 0xC2 || marker == 0xCA
            try readFrame(ByteReader(segment))
        case 0xC5...0xC8, 0xCB, 0xCD...0xCF:
            throw RasterError(
                .unsupportedFormat,
                "JPEG: hierarchical and arithmetic lossless pictures are not read")
        case 0xDA:
            guard width > 0 else { throw RasterError(.corrupt, "JPEG: a scan before its frame") }
            hasPartialScan = ByteReader(segment).byte(at: 0) != components
            guard !isLossless || !hasPartialScan else {
                throw RasterError(
                    .unsupportedFormat, "JPEG: a lossless picture of several scans")
            }
        case 0xE1:
            if orientation == nil, segment.starts(with: Orientation.exifName) {
                orientation = Orientation(exif: segment)
            }
        case 0xE2:
            profile.add(segment)
        default:
            break
        }
    }

    private mutating func readFrame(_ frame: ByteReader) throws(RasterError) {
        guard width == 0 else { throw RasterError(.corrupt, "JPEG: a second frame") }
        guard let precision = frame.byte(at: 0), let height = frame.number(at: 1, bytes: 2),
            let width = frame.number(at: 3, bytes: 2), let components = frame.byte(at: 5)
        else { throw RasterError(.corrupt, "JPEG: the frame is too short") }
        guard precision == 8 || isLossless && (2...16).contains(precision) else {
            throw RasterError(
                .unsupportedFormat,
                "JPEG: \(precision) bits a sample; 8 are read, of lossless pictures 2 to 16")
        }
        guard width > 0 else { throw RasterError(.corrupt, "JPEG: no columns") }
        guard height > 0 else {
            throw RasterError(.unsupportedFormat, "JPEG: the height comes after the pixels")
        }
        guard [1, 3, 4].contains(components) else {
            throw RasterError(
                .unsupportedFormat, "JPEG: \(components) components; 1, 3 or 4 are read")
        }
        if isLossless, components > 1 {
            let samplings = (0..<components).map { frame.byte(at: 7 + 3 * $0) }
            guard samplings.allSatisfy({ $0 == 0x11 }) else {
                throw RasterError(
                    .unsupportedFormat, "JPEG: a lossless picture with smaller components")
            }
        }
        self.width = width
        self.height = height
        self.components = components
        self.precision = precision
    }

    private static var truncated: RasterError {
        RasterError(.truncated, "JPEG: the file ends before its end mark")
    }
}

/// Walks over the markers of a JPEG file.
struct JPEGCursor {
    private let bytes: [UInt8]
    private(set) var offset: Int

    init(_ bytes: [UInt8], offset: Int) {
        self.bytes = bytes
        self.offset = offset
    }

    /// The next marker, past entropy-coded and stray bytes; nil at the end of the file.
    mutating func nextMarker() -> UInt8? {
        while let found = find(0xFF) {
            offset = found
            while offset < bytes.count, bytes[offset] == 0xFF { offset += 1 }
            guard offset < bytes.count else { return nil }
            offset += 1
            // A zero behind 0xFF makes it an entropy-coded byte.
            if bytes[offset - 1] != 0 { return bytes[offset - 1] }
        }
        return nil
    }

    /// The parameters behind a marker that has some; nil if they reach beyond the file.
    mutating func nextSegment() -> ArraySlice<UInt8>? {
        guard let length = ByteReader(bytes[...]).number(at: offset, bytes: 2), length >= 2,
            length <= bytes.count - offset
        else { return nil }
        defer { offset += length }
        return bytes[(offset + 2)..<(offset + length)]
    }

    private func find(_ byte: UInt8) -> Int? {
        bytes.withUnsafeBytes { buffer in
            guard let start = buffer.baseAddress, offset < buffer.count,
                let found = memchr(start + offset, Int32(byte), buffer.count - offset)
            else { return nil }
            return UnsafeRawPointer(found) - start
        }
    }
}
