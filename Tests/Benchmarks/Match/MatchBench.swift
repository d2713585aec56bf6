import Foundation
import Matching

/// Extraction beside OpenCV's SIFT, and how a search grows with the catalog.
enum MatchBench: Benchmark {
    static let name = "match"
    static let summary = "extraction beside OpenCV's SIFT; time of a search by entries"
    static let options = ["pictures", "python", "rounds", "entries"]

    private static let picturesMax = 12

    static func run(_ options: BenchOptions) throws {
        guard let folder = options["pictures"] else {
            throw BenchError(.usage, "--pictures DIR is needed")
        }
        let rounds = try options.count("rounds", default: 11)
        let all = try WorkingPictures.paths(below: folder)
        let step = max(1, all.count / picturesMax)
        let paths = stride(from: 0, to: all.count, by: step).prefix(picturesMax).map { all[$0] }
        guard !paths.isEmpty else { throw BenchError(.usage, "no pictures in '\(folder)'") }
        print("### Matching\n\n\(rounds) interleaved rounds; \(Machine.line).\n")
        if let python = options["python"] { try extraction(paths, python, rounds) }
        try growth(paths, entriesMax: options.count("entries", default: 10_000))
    }

    private static func extraction(_ paths: [String], _ python: String, _ rounds: Int) throws {
        let peer = try SIFTPeer(
            python: python, side: FeaturePrint.workingSide, features: FeaturePrint.featuresMax)
        let pictures = try paths.map(WorkingPictures.picture)
        var (own, others): ([Double], [Double]) = ([], [])
        var (ownFeatures, otherFeatures) = (0, 0)
        for _ in 0..<rounds {
            for (path, picture) in zip(paths, pictures) {
                let start = ProcessorTime.ofSelf()
                let print = try FeaturePrint(of: picture)
                own.append((ProcessorTime.ofSelf() - start) * 1_000)
                ownFeatures += print.featureCount
                let other = try peer.milliseconds(of: path)
                others.append(other.milliseconds)
                otherFeatures += other.features
            }
        }
        var table = MarkdownTable("extraction", "CPU ms", "features", "OpenCV to this")
        table.add(
            "feature print", Figure.of(Measures.median(own)), "\(ownFeatures / own.count)", "")
        table.add(
            "OpenCV SIFT, one thread", Figure.of(Measures.median(others)),
            "\(otherFeatures / others.count)",
            Figure.ofRatios(Measures.ratios(others, own)))
        print(table.text + "\n")
    }

    private static func growth(_ paths: [String], entriesMax: Int) throws {
        let prints = try paths.map { try FeaturePrint(of: WorkingPictures.picture($0)) }
        var table = MarkdownTable(
            "entries", "put ms each", "search CPU ms p50", "p99", "checked", "found")
        var collection = PrintCollection()
        for (number, print) in prints.enumerated() { collection.put([print], for: number) }
        var size = 1_000
        while size <= entriesMax {
            let start = ProcessorTime.ofSelf()
            let added = size - collection.count
            for number in collection.count..<size {
                let bytes = SyntheticPrints.print(number, features: 400)
                collection.put([try FeaturePrint(decoding: bytes)], for: number)
            }
            let put = (ProcessorTime.ofSelf() - start) * 1_000 / Double(added)
            var (times, checked, found) = ([Double](), 0, 0)
            for (number, print) in prints.enumerated() {
                let start = ProcessorTime.ofSelf()
                let outcome = collection.search(print, maxDistance: 1_000_000)
                times.append((ProcessorTime.ofSelf() - start) * 1_000)
                checked = max(checked, outcome.checked)
                found += outcome.matches.first?.entry == number ? 1 : 0
            }
            table.add(
                Figure.of(Double(size), digits: 0), Figure.of(put, digits: 2),
                Figure.of(Measures.median(times)),
                Figure.of(Measures.percentile(0.99, of: times)), "\(checked)",
                "\(found) of \(prints.count)")
            size *= 10
        }
        print(table.text + "\n")
    }
}
