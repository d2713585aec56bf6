import Journal
import Matching
import Messages
import TestSupport

/// Prints that no picture gave, each unlike the others.
enum SyntheticPrint {
    static func print(_ number: Int, features count: Int = 16) -> FeaturePrint {
        var random = SeededRandom(seed: UInt64(number) &* 977 &+ 5)
        let features = (0..<count).map { _ in
            LocalFeature(
                x: UInt16(random.next() % 40_000), y: UInt16(random.next() % 40_000),
                scale: UInt16(100 + random.next() % 800), angle: UInt16(random.next() % 65_536))
        }
        let words = (0..<count * Vocabulary.wordsPerDescriptor).map { _ in
            UInt16(random.next() % 65_536)
        }
        return FeaturePrint(
            width: 640, height: 640, digest: ContentHash.of(Array("\(number)".utf8)).bytes,
            features: features, codes: random.bytes(count * 16), words: words)
    }

    /// A print that has most of another one's features, and so is found by it.
    static func alike(_ number: Int) -> FeaturePrint {
        let print = print(number)
        var digest = print.digest
        digest[0] ^= 1
        return FeaturePrint(
            width: print.width, height: print.height, digest: digest, features: print.features,
            codes: print.codes, words: print.words)
    }
}
