import Journal
import Matching
import Messages

/// Feature prints that no picture gave, as large as wanted: valid, and unlike one another.
enum SyntheticPrints {
    private static let side = 640

    /// An encoded print; about 138 bytes for each feature.
    static func print(_ number: Int, features count: Int) -> [UInt8] {
        var random = SeededRandom(seed: UInt64(number) &* 0x1_0001 &+ 77)
        let units = UInt16(side * LocalFeature.unitsPerPixel - 1)
        let features = (0..<count).map { _ in
            LocalFeature(
                x: UInt16.random(in: 0...units, using: &random),
                y: UInt16.random(in: 0...units, using: &random),
                scale: UInt16.random(in: 100...900, using: &random),
                angle: UInt16.random(in: 0...UInt16.max, using: &random))
        }
        var descriptors: [UInt8] = []
        descriptors.reserveCapacity(count * Descriptor.length)
        for _ in 0..<count * Descriptor.length / 8 {
            // 0 to 23: the length of a row of 128 is then that of a descriptor, and never above.
            let word = random.next()
            for byte in 0..<8 { descriptors.append(UInt8((word >> (8 * byte) & 0xFF) * 24 >> 8)) }
        }
        let digest = ContentHash.of(Array("print \(number)".utf8)).bytes
        return FeaturePrint(
            width: side, height: side, digest: digest, features: features,
            descriptors: descriptors
        ).encoded()
    }
}
