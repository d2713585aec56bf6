import Bytes
import Messages
import Queue
import TestSupport
import Testing

@Suite struct MergeTests {
    @Test func resultsComeBySortKey() {
        let merged = Merge.merge(
            [[item([3], [3], "3"), item([1], [1], "1")], [item([2], [2], "2")]], limit: 10)
        #expect(text(Merge.body(of: merged).array) == "[1,2,3]")
    }

    @Test func nothingIsAnEmptyArray() {
        #expect(text(Merge.body(of: Merge.merge([[], []], limit: 10)).array) == "[]")
    }

    @Test func aUnionKeyIsKeptOnceWithItsLowestSortKey() {
        let merged = Merge.merge(
            [[item([5], [9], "\"far\"")], [item([2], [9], "\"near\"")]], limit: 10)
        #expect(text(Merge.body(of: merged).array) == "[\"near\"]")
    }

    @Test func aResultWithoutItsParentIsDropped() {
        let lost = item([1, 0], [8], parent: [7], "\"orphan\"")
        let grandchild = item([1, 0, 0], [9], parent: [8], "\"orphan's child\"")
        let merged = Merge.merge([[lost, grandchild, item([2], [2], "2")]], limit: 10)
        #expect(text(Merge.body(of: merged).array) == "[2]")
    }

    @Test func anOrphanDoesNotHideTheSameResultElsewhere() {
        let orphan = item([1, 0], [8], parent: [7], "\"orphan\"")
        let merged = Merge.merge([[orphan], [item([4], [8], "\"own\"")]], limit: 10)
        #expect(text(Merge.body(of: merged).array) == "[\"own\"]")
    }

    @Test func theLimitCutsTheMixedListLast() {
        let merged = Merge.merge(
            [[item([1], [1], "1"), item([1, 0], [2], parent: [1], "2"), item([3], [3], "3")]],
            limit: 2)
        #expect(text(Merge.body(of: merged).array) == "[1,2]")
    }

    @Test(arguments: UInt64(0)..<200)
    func partsInAnyOrderGiveTheSameBytes(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var parts: [[MergeItem]] = (0..<4).map { part in
            (0..<Int.random(in: 0..<12, using: &random)).map { _ in
                let union = UInt8.random(in: 0..<10, using: &random)
                let sort = UInt8.random(in: 0..<4, using: &random)
                let parent: [UInt8] =
                    Bool.random(using: &random) ? [] : [UInt8.random(in: 0..<10, using: &random)]
                return item([sort], [union], parent: parent, "\(part * 10 + Int(union))")
            }
        }
        let first = Merge.body(of: Merge.merge(parts, limit: 8))
        for _ in 0..<5 {
            parts.shuffle(using: &random)
            parts = parts.map { $0.shuffled(using: &random) }
            #expect(Merge.body(of: Merge.merge(parts, limit: 8)) == first)
        }
    }
}
