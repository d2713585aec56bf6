import Journal
import Matching
import Messages

/// Feature prints that no picture gave, as large as wanted: valid, and unlike one another.
enum SyntheticPrints {
    private static let side = 640

    /// An encoded print; 30 bytes for each feature.
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
        let codes = (0..<count * 2).flatMap { _ in
            let word = random.next()
            return (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
        }
        let words = (0..<count * Vocabulary.wordsPerDescriptor).map { _ in
            UInt16.random(in: 0...UInt16.max, using: &random)
        }
        let digest = ContentHash.of(Array("print \(number)".utf8)).bytes
        return FeaturePrint(
            width: side, height: side, digest: digest, features: features,
            codes: codes, words: words
        ).encoded()
    }
}
