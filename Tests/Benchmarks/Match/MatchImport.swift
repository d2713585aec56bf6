import Foundation
import Locking
import Matching

/// Pictures taken into a catalog, on all cores, beside the peer on all cores.
enum MatchImport {
    private static let picturesMax = 240
    private static let rounds = 3

    static func measure(_ set: MatchSet, python: String, script: String) throws {
        let paths = Array(set.catalog.prefix(picturesMax))
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let peer = try MatchPeer(python: python, script: script, threads: cores)
        var (own, others) = ([Double](), [Double]())
        for _ in 0..<rounds {
            own.append(Double(paths.count) / elapsed(paths))
            let seconds = try paths.reduce(0) { $0 + (try peer.ask("add \($1)").elapsed) } / 1_000
            others.append(Double(paths.count) / seconds)
        }
        var table = MarkdownTable("import, \(cores) cores", "pictures/s", "this to peer", "bar")
        table.add(
            "Sightline", Figure.of(Measures.median(own)),
            Figure.ofRatios(Measures.ratios(own, others)), "≥ 3")
        table.add("OpenCV SIFT, \(cores) threads", Figure.of(Measures.median(others)), "", "")
        print(table.text + "\n")
    }

    private static func elapsed(_ paths: [String]) -> Double {
        let collection = Locked(PrintCollection())
        let start = Clock.seconds()
        DispatchQueue.concurrentPerform(iterations: paths.count) { number in
            guard let picture = try? WorkingPictures.picture(paths[number]),
                let print = try? FeaturePrint(of: picture)
            else { return }
            collection.withLock { $0.put([print], for: number) }
        }
        return Clock.seconds() - start
    }
}
