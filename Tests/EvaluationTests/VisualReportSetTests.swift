import Evaluation
import Foundation
import Matching
import Raster
import Search
import TestSupport
import Testing

/// Reports about cut-offs and ranks, on real photographs and strangers to them.
@Suite(.timeLimit(.minutes(5)), .needsShared)
struct VisualReportSetTests {
    /// One photograph of so many; all with SIGHTLINE_SOAK=1.
    private static let stride = Soak.isOn ? 1 : 10

    private static func query(_ path: String) throws -> PictureQuery {
        try PictureQuery(of: .encoded(SharedFolder.bytes(path)))
    }

    /// Rows of a set, with a collection of all its targets.
    private static func set(
        _ name: String
    ) throws -> (pairs: [(query: String, target: Int)], collection: PrintCollection) {
        let rows = try SharedFolder.rows("pairs.tsv").filter { $0[0] == name }
        let targets = Array(Set(rows.map { $0[2] })).sorted()
        var collection = PrintCollection()
        for (number, target) in targets.enumerated() {
            collection.put([try query(target).print], for: number)
        }
        let pairs = rows.map { row in (row[1], targets.firstIndex(of: row[2]) ?? -1) }
        return (pairs, collection)
    }

    @Test("R12: another photo or a crop of the same cover is first and within the cut")
    func photographs() throws {
        for (name, stride) in [
            ("smvs-dvd-canon", Self.stride), ("screenshot-albums-crops", 1),
        ] {
            let (pairs, collection) = try Self.set(name)
            var right = 0
            var asked = 0
            for index in Swift.stride(from: 0, to: pairs.count, by: stride) {
                let matches = try Self.query(pairs[index].query).search(
                    collection, maxDistance: VisualReportTests.cut
                ).matches
                asked += 1
                if matches.first?.entry == pairs[index].target { right += 1 }
            }
            #expect(Double(right) >= 0.95 * Double(asked), "\(name): \(right) of \(asked)")
        }
    }

    @Test("R13: one cut keeps what is the same and lets hardly a stranger in")
    func cut() throws {
        let (pairs, collection) = try Self.set("smvs-dvd-canon")
        var strangers = try SharedFolder.rows("negatives.tsv").map { $0[1] }
        let files = try FileManager.default.subpathsOfDirectory(
            atPath: SharedFolder.require() + "/distractors"
        ).filter { $0.hasSuffix(".jpg") }.sorted()
        strangers += Swift.stride(from: 0, to: files.count, by: 6 * Self.stride).map {
            "distractors/\(files[$0])"
        }
        var accepted = 0
        for stranger in strangers {
            let found = try Self.query(stranger).search(
                collection, maxDistance: VisualReportTests.cut)
            accepted += found.matches.isEmpty ? 0 : 1
        }
        #expect(Double(accepted) <= 0.03 * Double(strangers.count), "\(accepted)")
        #expect(strangers.count >= 30 && pairs.count == 100)
    }
}
