/// What of a catalog picture's print a search needs.
struct IndexedPicture: Sendable {
    let width: Int
    let height: Int
    let digest: [UInt8]
    let features: [LocalFeature]
    /// `DescriptorCode.length` bytes a feature.
    let codes: [UInt8]
    /// The picture as a whole, if it has few features.
    let whole: WholePicture?

    init(_ print: FeaturePrint) {
        width = print.width
        height = print.height
        digest = print.digest
        features = print.features
        codes = print.codes
        whole = print.whole
    }

    /// Whether it has so few features that the parts of the whole are kept.
    var hasPartsOfWhole: Bool { features.count < WholePicture.featuresMax }

    /// Whether there are enough features to compare.
    var hasEnoughContent: Bool { features.count >= FeaturePrint.featuresMin }
}

// Layout, numbers little-endian: digest (32), width, height, features (2 each), 2 bytes of zero;
// then of every feature x, y, scale, angle (2 each); of every feature its code; with fewer than 150
// features each part of the whole (1), zeros if there is none. The words stand in the scanned part.
extension IndexedPicture {
    private static let headBytes = SHA256.length + 8
    private static let featureBytes = 8

    /// Bytes that a picture of so many features has.
    static func byteCount(features: Int) -> Int {
        headBytes + features * (featureBytes + DescriptorCode.length)
            + (features < WholePicture.featuresMax ? WholePicture.byteCount : 0)
    }

    /// The picture as bytes.
    var encoded: [UInt8] {
        var bytes = digest
        bytes.reserveCapacity(Self.byteCount(features: features.count))
        for number in [width, height, features.count, 0] { bytes.appendNumber(UInt16(number)) }
        for feature in features {
            bytes.appendNumber(feature.x)
            bytes.appendNumber(feature.y)
            bytes.appendNumber(feature.scale)
            bytes.appendNumber(feature.angle)
        }
        bytes += codes
        if hasPartsOfWhole { bytes += WholePicture.encoded(whole) }
        return bytes
    }

    /// Reads what `encoded` wrote, `byteCount` of it.
    init(decoding bytes: UnsafeRawBufferPointer) {
        let number = { (at: Int) in
            UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt16.self))
        }
        digest = Array(bytes[..<SHA256.length])
        width = Int(number(SHA256.length))
        height = Int(number(SHA256.length + 2))
        let count = Int(number(SHA256.length + 4))
        var at = Self.headBytes
        features = (0..<count).map { index in
            let start = at + index * Self.featureBytes
            return LocalFeature(
                x: number(start), y: number(start + 2), scale: number(start + 4),
                angle: number(start + 6))
        }
        at += count * Self.featureBytes
        codes = Array(bytes[at..<at + count * DescriptorCode.length])
        at += count * DescriptorCode.length
        whole =
            count < WholePicture.featuresMax
            ? WholePicture(decoding: bytes[at...].prefix(WholePicture.byteCount)) : nil
    }
}

/// A feature's place with its direction as a vector.
struct FeaturePoint: Sendable {
    /// Pixels from the left edge.
    let x: Float
    /// Pixels from the top edge.
    let y: Float
    /// Standard deviation of its Gaussian, in pixels.
    let scale: Float
    let cosine: Float
    let sine: Float

    init(_ feature: LocalFeature) {
        let unit = 1 / Float(LocalFeature.unitsPerPixel)
        x = Float(feature.x) * unit
        y = Float(feature.y) * unit
        scale = Float(feature.scale) * unit
        let direction = Elementary.direction(turns: Double(feature.angle) / 65_536)
        cosine = Float(direction.cosine)
        sine = Float(direction.sine)
    }
}
