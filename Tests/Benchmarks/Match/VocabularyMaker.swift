import Foundation
import Matching

/// Makes the vocabulary that ships and the weights of its words, as C sources, from a folder of
/// pictures.
///
/// The ones in the repository are made of the Debian package openclipart-png 1:0.18+dfsg-19 (public
/// domain), of its pictures of more than 2 KiB: the vocabulary of every third, the weights of all.
enum VocabularyMaker: Benchmark {
    static let name = "vocabulary"
    static let summary =
        "makes the vocabulary from --pictures DIR and writes it to --out FILE, its words' weights "
        + "to --weights FILE; --words shipped weighs the words of the vocabulary that ships"
    static let options = ["pictures", "out", "every", "weights", "words"]

    /// Bytes below which a file is a thumbnail or an icon.
    private static let bytesMin = 2_049
    /// Descriptors that the centres are made from, at most.
    private static let descriptorsMax = 100_000

    static func run(_ options: BenchOptions) throws {
        guard let folder = options["pictures"], let out = options["out"] else {
            throw BenchError(.usage, "--pictures DIR and --out FILE are needed")
        }
        let every = try options.count("every", default: 3)
        let paths = try WorkingPictures.paths(below: folder).filter {
            let attributes = try FileManager.default.attributesOfItem(atPath: $0)
            return (attributes[.size] as? Int ?? 0) >= bytesMin
        }
        // What cannot be decoded is left out, on every machine alike.
        let rows = paths.map { path in
            (try? WorkingPictures.picture(path)).flatMap {
                try? FeaturePrint.descriptors(of: $0)
            } ?? []
        }
        let chosen = sample(
            of: rows.enumerated().filter { $0.offset % every == every - 1 }.flatMap(\.element))
        guard chosen.count >= Vocabulary.centres * Descriptor.length else {
            throw BenchError(.usage, "the pictures have fewer than \(Vocabulary.centres) features")
        }
        var vocabulary = Vocabulary.shipped
        if options["words"] != "shipped" {
            let values = VocabularyTraining.values(from: chosen)
            vocabulary = Vocabulary(values: values)
            try Data(source(of: values).utf8).write(to: URL(fileURLWithPath: out))
            print("\(out): from \(chosen.count / Descriptor.length) features")
        }
        guard let weights = options["weights"] else { return }
        let words = rows.flatMap { vocabulary.words(of: $0) }.enumerated().filter {
            $0.offset % Vocabulary.wordsPerDescriptor == 0
        }.map(\.element)
        try Data(weightSource(of: VocabularyTraining.weights(of: words)).utf8)
            .write(to: URL(fileURLWithPath: weights))
        print("\(weights): from \(words.count) features")
    }

    private static func weightSource(of weights: [UInt8]) -> String {
        let lines = stride(from: 0, to: weights.count, by: 32).map { start in
            "    " + weights[start..<start + 32].map { "\($0)," }.joined()
        }
        return """
            // Made by `sightline-bench vocabulary`; not to be edited.
            #include "CMatching.h"

            static const uint8_t weights[CM_CENTRES * CM_CENTRES] = {
            \(lines.joined(separator: "\n"))
            };

            const uint8_t *cm_word_weights(void) { return weights; }

            """
    }

    /// Evenly from the whole.
    private static func sample(of descriptors: [UInt8]) -> [UInt8] {
        let count = descriptors.count / Descriptor.length
        let wanted = min(count, descriptorsMax)
        return (0..<wanted).flatMap { index in
            let start = index * count / wanted * Descriptor.length
            return descriptors[start..<start + Descriptor.length]
        }
    }

    private static func source(of values: [Int8]) -> String {
        let lines = stride(from: 0, to: values.count, by: 32).map { start in
            "    " + values[start..<start + 32].map { "\($0)," }.joined()
        }
        return """
            // Made by `sightline-bench vocabulary`; not to be edited.
            #include "CMatching.h"

            static const int8_t values[CM_VOCABULARY_BYTES] = {
            \(lines.joined(separator: "\n"))
            };

            const int8_t *cm_vocabulary(void) { return values; }

            """
    }
}
