import Foundation
import Matching

/// Matching beside OpenCV and FAISS, and how a search grows with the catalog.
enum MatchBench: Benchmark {
    static let name = "match"
    static let summary =
        "extraction, whole queries and import beside OpenCV and FAISS; growth with the catalog"
    static let options = [
        "pictures", "python", "rounds", "entries", "peer-entries", "queries", "peer",
    ]

    static func run(_ options: BenchOptions) throws {
        guard let folder = options["pictures"] else {
            throw BenchError(.usage, "--pictures DIR is needed")
        }
        let rounds = try options.count("rounds", default: 5)
        let entries = try options.count("entries", default: 10_000)
        let set = try MatchSet(folder: folder, queries: options.count("queries", default: 60))
        print(
            """
            ### Matching

            \(set.catalog.count) pictures, \(set.queries.count) queries, \(rounds) interleaved \
            rounds; \(Machine.line).

            """)
        let prints = try set.catalog.map { try FeaturePrint(of: WorkingPictures.picture($0)) }
        let growth = try MatchGrowth(set: set, prints: prints)
        defer { growth.removeFiles() }
        let script = options["peer"] ?? "Tests/Benchmarks/Match/peer.py"
        guard let python = options["python"] else {
            try growth.measure(upTo: entries)
            return
        }
        let peerEntries = try options.count("peer-entries", default: min(entries, 10_000))
        let peer = try MatchPeer(python: python, script: script)
        try MatchQueries.extraction(set, peer, rounds)
        try MatchImport.measure(set, python: python, script: script)
        try growth.measure(upTo: entries) { collection in
            guard collection.count == peerEntries else { return }
            try MatchQueries.besideThePeer(set, collection, peer, rounds)
        }
        try MatchQueries.wholeQuery(set, growth.collection, peer, rounds)
    }
}
