import Matching
import TestSupport
import Testing

/// Reports about indexes of other search services (`research/visual.md`, section 4), each as a test of
/// a collection of prints.
@Suite(.timeLimit(.minutes(5)))
struct VisualReportIndexTests {
    private static let cut = 1_000_000

    @Test("R16: a removal during a merge of the index holds when the merge is adopted")
    func removedDuringMerge() throws {
        var collection = PrintCollection(mergesWhenPutting: false)
        for number in 0..<2_100 {
            collection.put([SyntheticPrint.print(number)], for: number, order: UInt64(number))
        }
        let pending = collection.pendingMerge
        let merge = try #require(pending)
        let removed = Array(stride(from: 0, to: 2_000, by: 211))
        for number in removed { collection.remove(entry: number) }
        let merged = try #require(merge.run())
        let isAdopted = collection.adopt(merged)
        #expect(isAdopted)
        for number in removed {
            let found = collection.search(
                SyntheticPrint.print(number), maxDistance: 2_000_000
            ).matches
            #expect(!found.contains { $0.entry == number })
            let kept = number + 1
            #expect(
                collection.search(SyntheticPrint.print(kept), maxDistance: Self.cut).matches
                    .first?.entry == kept)
        }
    }

    @Test("R17: a filter for one in a hundred still finds all that match")
    func filtered() {
        var collection = PrintCollection()
        // All of them match; only some are of the kind that is asked for.
        for number in 0..<1_000 {
            let print = number.isMultiple(of: 2) ? SyntheticPrint.print(7) : SyntheticPrint.alike(7)
            collection.put([print], for: number, order: UInt64(number))
        }
        for query in [SyntheticPrint.print(7), SyntheticPrint.alike(7)] {
            let found = collection.search(query, maxDistance: Self.cut) {
                $0.isMultiple(of: 100)
            }
            #expect(Set(found.matches.map(\.entry)) == Set(stride(from: 0, to: 1_000, by: 100)))
        }
    }

    @Test("R19: many copies of one picture do not hide another's")
    func manyCopies() {
        var collection = PrintCollection()
        for group in 0..<5 {
            for copy in 0..<100 {
                collection.put(
                    [SyntheticPrint.print(group)], for: group * 100 + copy,
                    order: UInt64(copy * 5 + group))
            }
        }
        for group in 0..<5 {
            for query in [SyntheticPrint.print(group), SyntheticPrint.alike(group)] {
                let found = collection.search(query, maxDistance: Self.cut).matches
                #expect(!found.isEmpty && found.allSatisfy { $0.entry / 100 == group })
            }
        }
    }
}
