/// How the scanned part of a segment is laid out, numbers little-endian:
///
///     magic "SLIX", format     4 bytes each
///     pictures, wholes         4 bytes each
///     features                 8 bytes, of all pictures
///     pictures' part           8 bytes, its length
///     print version            16 bytes of ASCII, zeros behind
///     zeros                    16 bytes
///     rows                     of every picture its print's name (32), the first 8 bytes of its
///                              digest, the number of its features (2), 6 zeros
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
    static let format: UInt32 = 2
    static let magic = Array("SLIX".utf8)
    static let headBytes = 64
    static let rowBytes = 48
    private static let versionBytes = 16

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

    func name(of slot: Int, in bytes: UnsafeRawBufferPointer) -> PrintName {
        let start = Self.headBytes + slot * Self.rowBytes
        return PrintName(reading: .init(rebasing: bytes[start..<start + PrintName.byteCount]))
    }

    func digestKey(of slot: Int, in bytes: UnsafeRawBufferPointer) -> UInt64 {
        bytes.load(
            fromByteOffset: Self.headBytes + slot * Self.rowBytes + PrintName.byteCount,
            as: UInt64.self)
    }

    func featureCount(of slot: Int, in bytes: UnsafeRawBufferPointer) -> Int {
        Int(
            bytes.load(
                fromByteOffset: Self.headBytes + slot * Self.rowBytes + PrintName.byteCount + 8,
                as: UInt16.self))
    }

    private static var paddedVersion: [UInt8] {
        let version = Array(FeaturePrint.version.utf8.prefix(versionBytes))
        return version + [UInt8](repeating: 0, count: versionBytes - version.count)
    }
}
