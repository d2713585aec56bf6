import Journal
import Matching
import Messages

/// Prints of entries that no picture gave: pieces of real prints, each code with some bits changed,
/// so that their words and codes are spread as those of pictures are.
struct CatalogFill {
    private static let pieceFeatures = 60
    private static let changedBits = 8
    /// Features of one print, 335 on average.
    private static let features = 250..<420

    private let material: [FeaturePrint]

    /// A fill of pieces of these prints.
    init(_ material: [FeaturePrint]) {
        self.material = material.filter { $0.featureCount > 0 }
    }

    /// The print of a number.
    func print(_ number: Int) -> FeaturePrint {
        var random = SeededRandom(seed: UInt64(number) &* 0x1_0001 &+ 9)
        let wanted = Int.random(in: Self.features, using: &random)
        var features: [LocalFeature] = []
        var (codes, words) = ([UInt8](), [UInt16]())
        while features.count < wanted, let source = material.randomElement(using: &random) {
            let first = Int.random(in: 0..<source.featureCount, using: &random)
            let last = min(first + Self.pieceFeatures, source.featureCount)
            features += source.features[first..<last]
            words += source.words[first * 3..<last * 3]
            for feature in first..<last {
                var code = Array(source.codes[feature * 16..<feature * 16 + 16])
                for _ in 0..<Self.changedBits {
                    let bit = Int.random(in: 0..<128, using: &random)
                    code[bit / 8] ^= 1 << (bit % 8)
                }
                codes += code
            }
        }
        return FeaturePrint(
            width: 640, height: 640, digest: ContentHash.of(Array("fill \(number)".utf8)).bytes,
            features: features, codes: codes, words: words)
    }
}
