import CMatching

/// How the scanned part of a segment is laid out, numbers little-endian:
///
///     magic "SLIX", format     4 bytes each
///     pictures, wholes         4 bytes each
///     features                 8 bytes, of all pictures
///     pictures' part           8 bytes, its length
///     print version            16 bytes of ASCII, zeros behind
///     zeros                    16 bytes
///     rows                     of every picture its print's name (32), the first 8 bytes of its
///                              digest, the order of its entry (8), the number of its features (2),
///                              6 zeros
///     starts                   of every word where its features begin (4), and their end
///     codes                    of every feature its half code (8), in the order of their words
///     slots                    of every feature the number of its picture (2), in the same order
///     places                   of every feature its `CoarsePlace` (4), in the same order
///     wholes                   of every picture with few features its parts (256), zeros if it has
///                              no whole, in the order of the pictures
///
/// Each part begins at a multiple of 8. The pictures' part is `IndexedPicture.encoded` of each.
struct SegmentLayout: Equatable {
    /// The version of this layout and of how pictures are encoded in it.
    static let format: UInt32 = 3
    static let magic = Array("SLIX".utf8)
    static let headBytes = 64
    static let rowBytes = 56
    private static let versionBytes = 16
    /// Bytes of one feature: its code, its slot and its place.
    private static let featureBytes = 14
    // Where the parts of a row begin.
    private static let digestAt = PrintName.byteCount
    private static let orderAt = digestAt + 8
    private static let countAt = orderAt + 8

    let pictures: Int
    let features: Int
    /// Pictures with fewer than `WholePicture.featuresMax` features.
    let wholes: Int
    let pictureBytes: Int

    var startsAt: Int { Self.headBytes + pictures * Self.rowBytes }
    var codesAt: Int { (startsAt + (Vocabulary.count + 1) * 4 + 7) / 8 * 8 }
    var slotsAt: Int { codesAt + features * 8 }
    var placesAt: Int { (slotsAt + features * 2 + 7) / 8 * 8 }
    var wholesAt: Int { (placesAt + features * 4 + 7) / 8 * 8 }
    var byteCount: Int { wholesAt + wholes * WholePicture.byteCount }

    /// The first `headBytes` bytes.
    var head: [UInt8] {
        var bytes = Self.magic
        for number in [Self.format, UInt32(pictures), UInt32(wholes)] {
            withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
        }
        for number in [features, pictureBytes] {
            withUnsafeBytes(of: UInt64(number).littleEndian) { bytes += $0 }
        }
        bytes += Self.paddedVersion
        bytes += [UInt8](repeating: 0, count: Self.headBytes - bytes.count)
        return bytes
    }

    init(pictures: Int, features: Int, wholes: Int, pictureBytes: Int) {
        self.pictures = pictures
        self.features = features
        self.wholes = wholes
        self.pictureBytes = pictureBytes
    }

    /// The layout of a scanned part; nil if it is of another format or print version, or not what
    /// it says.
    init?(reading bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.headBytes, bytes.prefix(4).elementsEqual(Self.magic) else {
            return nil
        }
        let number = { (at: Int) in
            UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self))
        }
        let long = { (at: Int) in
            Int(
                exactly: UInt64(
                    littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)))
        }
        let pictures = Int(number(8))
        guard number(4) == Self.format, pictures <= PrintSegment.picturesMax,
            let features = long(16), features <= pictures * FeaturePrint.featuresMax,
            let pictureBytes = long(24), bytes[32..<48].elementsEqual(Self.paddedVersion)
        else { return nil }
        self.init(
            pictures: pictures, features: features, wholes: Int(number(12)),
            pictureBytes: pictureBytes)
        guard wholes <= pictures, bytes.count >= byteCount, isConsistent(bytes) else { return nil }
    }

    /// Whether no number leads out of the part that it points into.
    private func isConsistent(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let counts = (0..<pictures).map { featureCount(of: $0, in: bytes) }
        guard counts.allSatisfy({ $0 <= FeaturePrint.featuresMax }),
            counts.reduce(0, +) == features,
            counts.count(where: { $0 < WholePicture.featuresMax }) == wholes,
            counts.reduce(0, { $0 + IndexedPicture.byteCount(features: $1) }) == pictureBytes
        else { return false }
        var last: UInt32 = 0
        for word in 0...Vocabulary.count {
            let start = bytes.load(fromByteOffset: startsAt + 4 * word, as: UInt32.self)
            guard start >= last else { return false }
            last = start
        }
        guard Int(last) == features else { return false }
        let slots = UnsafeRawBufferPointer(rebasing: bytes[slotsAt..<slotsAt + 2 * features])
            .assumingMemoryBound(to: UInt16.self)
        return slots.reduce(0, max) < max(1, pictures)
    }

    /// What a picture with so many features takes of the scanned part.
    static func bytes(ofPictureWith features: Int) -> Int {
        rowBytes + features * featureBytes
            + (features < WholePicture.featuresMax ? WholePicture.byteCount : 0)
    }

    // MARK: Rows

    /// The row of a picture of the entry of an order.
    static func row(of picture: RecentPicture, order: UInt64) -> [UInt8] {
        var row = picture.name.bytes + picture.picture.digest.prefix(8)
        withUnsafeBytes(of: order.littleEndian) { row += $0 }
        row.appendNumber(UInt16(picture.words.count))
        return row + [UInt8](repeating: 0, count: rowBytes - row.count)
    }

    func row(of slot: Int, in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let start = Self.headBytes + slot * Self.rowBytes
        return UnsafeRawBufferPointer(rebasing: bytes[start..<start + Self.rowBytes])
    }

    func name(of slot: Int, in bytes: UnsafeRawBufferPointer) -> PrintName {
        PrintName(reading: row(of: slot, in: bytes))
    }

    func digestKey(of slot: Int, in bytes: UnsafeRawBufferPointer) -> UInt64 {
        row(of: slot, in: bytes).load(fromByteOffset: Self.digestAt, as: UInt64.self)
    }

    func order(of slot: Int, in bytes: UnsafeRawBufferPointer) -> UInt64 {
        row(of: slot, in: bytes).load(fromByteOffset: Self.orderAt, as: UInt64.self)
    }

    func featureCount(of slot: Int, in bytes: UnsafeRawBufferPointer) -> Int {
        Int(row(of: slot, in: bytes).load(fromByteOffset: Self.countAt, as: UInt16.self))
    }

    // MARK: Features

    /// The features by word; nil for no bytes at all.
    func postings(in bytes: UnsafeRawBufferPointer) -> cm_postings? {
        bytes.baseAddress.map { base in
            cm_postings(
                starts: (base + startsAt).assumingMemoryBound(to: UInt32.self),
                codes: (base + codesAt).assumingMemoryBound(to: UInt64.self),
                slots: (base + slotsAt).assumingMemoryBound(to: UInt16.self),
                places: (base + placesAt).assumingMemoryBound(to: UInt32.self))
        }
    }

    private static var paddedVersion: [UInt8] {
        let version = Array(FeaturePrint.version.utf8.prefix(versionBytes))
        return version + [UInt8](repeating: 0, count: versionBytes - version.count)
    }
}
