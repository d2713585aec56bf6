import Foundation
import Matching

/// Makes the vocabulary that ships, as a C source, from a folder of pictures.
///
/// The one in the repository is made of the Debian package openclipart-png 1:0.18+dfsg-19 (public
/// domain): every third of its pictures of more than 2 KiB.
enum VocabularyMaker: Benchmark {
    static let name = "vocabulary"
    static let summary = "makes the vocabulary from --pictures DIR and writes it to --out FILE"
    static let options = ["pictures", "out", "every"]

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
        var descriptors: [UInt8] = []
        for path in paths.enumerated().filter({ $0.offset % every == every - 1 }).map(\.element) {
            // What cannot be decoded is left out, on every machine alike.
            guard let picture = try? WorkingPictures.picture(path) else { continue }
            descriptors += try FeaturePrint.descriptors(of: picture)
        }
        let chosen = sample(of: descriptors)
        guard chosen.count >= Vocabulary.centres * Descriptor.length else {
            throw BenchError(.usage, "the pictures have fewer than \(Vocabulary.centres) features")
        }
        let source = source(of: VocabularyTraining.values(from: chosen))
        try Data(source.utf8).write(to: URL(fileURLWithPath: out))
        print("\(out): from \(chosen.count / Descriptor.length) features")
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
