extension Orientation {
    /// The orientation that an EXIF block states: a TIFF header and the entries of its first
    /// directory.
    ///
    /// A block that is broken, or states none or a wrong one, counts as upright: the pixels are
    /// whole all the same. The name that JPEG has before the block is passed over: some programs
    /// write it in other formats too.
    init(exif block: ArraySlice<UInt8>) {
        let isNamed = block.starts(with: Self.exifName)
        self = Self.find(in: isNamed ? block.dropFirst(Self.exifName.count) : block) ?? .upright
    }

    /// What stands before the block in JPEG.
    static let exifName: [UInt8] = Array("Exif".utf8) + [0, 0]

    private static func find(in block: ArraySlice<UInt8>) -> Orientation? {
        var reader = ByteReader(block)
        if reader.starts(with: [0x49, 0x49]) {
            reader.isLittleEndian = true
        } else if !reader.starts(with: [0x4D, 0x4D]) {
            return nil
        }
        guard reader.number(at: 2, bytes: 2) == 42,
            let directory = reader.number(at: 4, bytes: 4),
            let entries = reader.number(at: directory, bytes: 2)
        else { return nil }
        for index in 0..<entries {
            let entry = directory + 2 + 12 * index
            guard let tag = reader.number(at: entry, bytes: 2) else { return nil }
            if tag == 0x0112 { return value(of: entry, in: reader) }
        }
        return nil
    }

    /// The value of an orientation entry: one SHORT by the standard; BYTE and LONG occur.
    private static func value(of entry: Int, in reader: ByteReader) -> Orientation? {
        guard let type = reader.number(at: entry + 2, bytes: 2),
            reader.number(at: entry + 4, bytes: 4) == 1,
            let width = [1: 1, 3: 2, 4: 4][type],
            let value = reader.number(at: entry + 8, bytes: width)
        else { return nil }
        return Orientation(rawValue: value)
    }
}
