import Foundation
import Matching

/// What one query costs, beside the peer.
enum MatchQueries {
    /// Extraction of the query pictures, decoding left out.
    static func extraction(_ set: MatchSet, _ peer: MatchPeer, _ rounds: Int) throws {
        let pictures = try set.queries.map { try WorkingPictures.picture($0.path) }
        var (own, others) = ([Double](), [Double]())
        var (ownFeatures, otherFeatures) = (0, 0)
        for _ in 0..<rounds {
            for (query, picture) in zip(set.queries, pictures) {
                let start = ProcessorTime.ofSelf()
                ownFeatures += try FeaturePrint(of: picture).featureCount
                own.append((ProcessorTime.ofSelf() - start) * 1_000)
                let other = try peer.ask("extract \(query.path)")
                others.append(other.milliseconds)
                otherFeatures += other.features ?? 0
            }
        }
        var table = MarkdownTable("extraction", "CPU ms", "features", "OpenCV to this", "bar")
        table.add(
            "feature print, with words", Figure.of(Measures.median(own)),
            "\(ownFeatures / own.count)", Figure.ofRatios(Measures.ratios(others, own)), "≥ 1.5")
        table.add(
            "OpenCV SIFT, one thread", Figure.of(Measures.median(others)),
            "\(otherFeatures / others.count)", "", "")
        print(table.text + "\n")
    }

    /// Whole queries in units of OpenCV's extraction of the same picture.
    static func wholeQuery(
        _ set: MatchSet, _ collection: PrintCollection, _ peer: MatchPeer, _ rounds: Int
    ) throws {
        var (own, others) = ([Double](), [Double]())
        for _ in 0..<rounds {
            for query in set.queries {
                own.append(try whole(query.path, collection).milliseconds)
                others.append(try peer.ask("extract \(query.path)").milliseconds)
            }
        }
        let (median, last) = (Measures.median(own), Measures.percentile(0.99, of: own))
        var table = MarkdownTable("what", "measured", "bar")
        table.add(
            "a query at \(collection.count) entries, decoded, CPU ms p50", Figure.of(median), "")
        table.add(
            "in OpenCV SIFT extractions", Figure.ofRatios(Measures.ratios(own, others)), "≤ 2")
        table.add(
            "p99 to p50", "\(Figure.of(last)) ms, \(Figure.of(last / median, digits: 2))", "≤ 2")
        print(table.text + "\n")
    }

    /// The same catalog and queries in the peer.
    static func besideThePeer(
        _ set: MatchSet, _ collection: PrintCollection, _ peer: MatchPeer, _ rounds: Int
    ) throws {
        for path in set.catalog { try peer.ask("add \(path)") }
        try peer.ask("fill \(collection.count)")
        try peer.ask("build")
        var (own, others) = ([Double](), [Double]())
        var (found, foundByPeer) = (0, 0)
        for round in 0..<rounds {
            for query in set.queries {
                let answer = try whole(query.path, collection)
                let other = try peer.ask("query \(query.path)")
                own.append(answer.milliseconds)
                others.append(other.milliseconds)
                guard round == 0 else { continue }
                found += answer.entry.map { query.targets.contains($0) } == true ? 1 : 0
                let names = Set(query.targets.map { set.catalog[$0] })
                foundByPeer += names.contains(other.found ?? "") ? 1 : 0
            }
        }
        var table = MarkdownTable(
            "a query at \(collection.count) entries", "CPU ms p50", "p99", "found and accepted",
            "peer to this", "bar")
        table.add(
            "Sightline, one thread", Figure.of(Measures.median(own)),
            Figure.of(Measures.percentile(0.99, of: own)), "\(found) of \(set.queries.count)",
            Figure.ofRatios(Measures.ratios(others, own)), "≥ 5")
        table.add(
            "OpenCV SIFT, FAISS, OpenCV RANSAC", Figure.of(Measures.median(others)),
            Figure.of(Measures.percentile(0.99, of: others)),
            "\(foundByPeer) of \(set.queries.count)", "", "")
        print(table.text + "\n")
    }

    /// One query from the file's bytes to the answer.
    private static func whole(
        _ path: String, _ collection: PrintCollection
    ) throws -> (milliseconds: Double, entry: Int?) {
        let start = ProcessorTime.ofSelf()
        let print = try FeaturePrint(of: WorkingPictures.picture(path))
        let outcome = collection.search(print, maxDistance: 1_000_000)
        return ((ProcessorTime.ofSelf() - start) * 1_000, outcome.matches.first?.entry)
    }
}
