import Foundation
import Matching

/// Matching beside OpenCV and FAISS, and how a search grows with the catalog.
enum MatchBench: Benchmark {
    static let name = "match"
    static let summary =
        "extraction, whole queries and import beside OpenCV and FAISS; growth with the catalog"
    static let options = [
        "pictures", "python", "rounds", "entries", "peer-entries", "queries", "peer", "parts",
    ]
    /// What `--parts` may name, separated by commas; without `--python` there is only growth.
    private static let parts = ["extraction", "import", "peer", "growth", "query"]

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
        guard let python = options["python"] else {
            try growth(of: set, in: options["folder"]).measure(upTo: entries)
            return
        }
        try besidePeer(set, python, options, rounds: rounds, entries: entries)
    }

    private static func besidePeer(
        _ set: MatchSet, _ python: String, _ options: BenchOptions, rounds: Int, entries: Int
    ) throws {
        let script = options["peer"] ?? "Tests/Benchmarks/Match/peer.py"
        let wanted = try parts(options["parts"])
        let peer = try MatchPeer(python: python, script: script)
        if wanted.contains("extraction") { try MatchQueries.extraction(set, peer, rounds) }
        if wanted.contains("import") {
            try MatchImport.measure(set, python: python, script: script)
        }
        guard wanted.contains(where: { ["peer", "growth", "query"].contains($0) }) else { return }
        let growth = try growth(of: set, in: options["folder"])
        let peerEntries = try options.count("peer-entries", default: min(entries, 10_000))
        if wanted.contains("growth") {
            try growth.measure(upTo: entries) { collection in
                guard wanted.contains("peer"), collection.count == peerEntries else { return }
                try MatchQueries.besideThePeer(set, collection, peer, rounds)
            }
        } else if wanted.contains("peer") {
            try growth.grow(to: peerEntries)
            try MatchQueries.besideThePeer(set, growth.collection, peer, rounds)
        }
        guard wanted.contains("query") else { return }
        try growth.grow(to: entries)
        try MatchQueries.wholeQuery(set, growth.collection, peer, rounds)
    }

    private static func parts(_ text: String?) throws -> [String] {
        guard let text else { return parts }
        let wanted = text.split(separator: ",").map(String.init)
        guard wanted.allSatisfy(parts.contains) else {
            throw BenchError(.usage, "--parts names some of \(parts.joined(separator: ", "))")
        }
        return wanted
    }

    private static func growth(of set: MatchSet, in parent: String?) throws -> MatchGrowth {
        let prints = try set.catalog.map { try FeaturePrint(of: WorkingPictures.picture($0)) }
        return try MatchGrowth(set: set, prints: prints, folder: Started.makeFolder(in: parent))
    }
}
