// Layout, numbers little-endian:
//
//     magic "SLFP"   4 bytes
//     version        1 byte of length, then that many bytes of ASCII
//     width, height  2 bytes each
//     count          2 bytes, features
//     digest         32 bytes
//     features       count times x, y, scale, angle, 2 bytes each
//     codes          count times 16 bytes
//     words          count times 3 words, 2 bytes each
//     whole          with fewer than 150 features, 256 bytes: each part of the picture, zeros if
//                    there is no whole
extension FeaturePrint {
    private static let magic = Array("SLFP".utf8)
    private static let featureBytes = 8
    /// Bytes of one feature's words.
    private static let wordBytes = 2 * Vocabulary.wordsPerDescriptor
    /// Bytes of the largest encoded print.
    public static let encodedBytesMax =
        5 + version.utf8.count + 6 + SHA256.length
        + featuresMax * (featureBytes + DescriptorCode.length + wordBytes)

    /// The print as bytes, at most `encodedBytesMax` (15,046); the version stands inside.
    public func encoded() -> [UInt8] {
        var bytes = Self.magic
        bytes.reserveCapacity(Self.encodedBytesMax)
        bytes.append(UInt8(Self.version.utf8.count))
        bytes += Array(Self.version.utf8)
        for number in [width, height, features.count] { bytes.appendNumber(UInt16(number)) }
        bytes += digest
        for feature in features {
            for number in [feature.x, feature.y, feature.scale, feature.angle] {
                bytes.appendNumber(number)
            }
        }
        bytes += codes
        for word in words { bytes.appendNumber(word) }
        if features.count < WholePicture.featuresMax { bytes += WholePicture.encoded(whole) }
        return bytes
    }

    /// Reads what `encoded()` wrote.
    ///
    /// - Throws: `.printVersion` for a print of another version; `.printMalformed` for everything
    ///   that no picture could have given: wrong lengths, places outside the picture.
    public init(decoding bytes: [UInt8]) throws(MatchingError) {
        var rest = PrintReader(bytes)
        guard try rest.take(Self.magic.count).elementsEqual(Self.magic) else {
            throw MatchingError(.printMalformed, "does not begin with SLFP")
        }
        let version = try rest.take(Int(try rest.byte()))
        guard version.elementsEqual(Self.version.utf8) else {
            throw MatchingError(.printVersion, "another print version, allowed \(Self.version)")
        }
        let width = Int(try rest.number())
        let height = Int(try rest.number())
        let count = Int(try rest.number())
        guard 1...Self.workingSide ~= width, 1...Self.workingSide ~= height else {
            throw MatchingError(
                .printMalformed, "\(width)x\(height) pixels, allowed 1 to \(Self.workingSide)")
        }
        guard count <= Self.featuresMax else {
            throw MatchingError(
                .printMalformed, "\(count) features, allowed \(Self.featuresMax)")
        }
        let digest = Array(try rest.take(SHA256.length))
        let features = try Self.features(count, width: width, height: height, from: &rest)
        let codes = Array(try rest.take(count * DescriptorCode.length))
        var words: [UInt16] = []
        words.reserveCapacity(count * Vocabulary.wordsPerDescriptor)
        for _ in 0..<count * Vocabulary.wordsPerDescriptor { words.append(try rest.number()) }
        var whole: WholePicture?
        if count < WholePicture.featuresMax {
            whole = WholePicture(decoding: try rest.take(WholePicture.byteCount))
        }
        guard rest.isEmpty else {
            throw MatchingError(.printMalformed, "bytes after the last part")
        }
        self.init(
            width: width, height: height, digest: digest, features: features, codes: codes,
            words: words, whole: whole)
    }

    private static func features(
        _ count: Int, width: Int, height: Int, from rest: inout PrintReader
    ) throws(MatchingError) -> [LocalFeature] {
        var features: [LocalFeature] = []
        features.reserveCapacity(count)
        for index in 0..<count {
            let feature = LocalFeature(
                x: try rest.number(), y: try rest.number(), scale: try rest.number(),
                angle: try rest.number())
            guard Int(feature.x) < width * LocalFeature.unitsPerPixel,
                Int(feature.y) < height * LocalFeature.unitsPerPixel, feature.scale >= 1
            else { throw MatchingError(.printMalformed, "feature \(index) outside the picture") }
            features.append(feature)
        }
        return features
    }
}

/// Takes bytes from the front and refuses to run past the end.
private struct PrintReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isEmpty: Bool { rest.isEmpty }

    mutating func take(_ count: Int) throws(MatchingError) -> ArraySlice<UInt8> {
        guard rest.count >= count else {
            throw MatchingError(.printMalformed, "ends \(count - rest.count) bytes early")
        }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func byte() throws(MatchingError) -> UInt8 {
        let bytes = try take(1)
        return bytes[bytes.startIndex]
    }

    mutating func number() throws(MatchingError) -> UInt16 {
        let bytes = try take(2)
        return UInt16(bytes[bytes.startIndex]) | UInt16(bytes[bytes.startIndex + 1]) << 8
    }
}

extension [UInt8] {
    mutating func appendNumber(_ number: UInt16) {
        append(UInt8(truncatingIfNeeded: number))
        append(UInt8(truncatingIfNeeded: number >> 8))
    }
}
