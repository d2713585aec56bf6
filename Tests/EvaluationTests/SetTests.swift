import Evaluation
import Foundation
import TestSupport
import Testing

struct FamilyTests {
    private func set(_ name: String, _ catalog: [String]) -> EvaluationSet {
        var set = EvaluationSet(name: name)
        set.catalog = catalog
        return set
    }

    @Test func setsAreOfOneFamilyByNameOrByPicture() {
        let families = Families([
            set("smvs-books", ["a"]), set("smvs-dvd-canon", ["b"]), set("albums", ["c", "d"]),
            set("cd-photos", ["d"]), set("museum", ["e"]),
        ])
        #expect(families.areOne("smvs-books", "smvs-dvd-canon"))
        #expect(families.areOne("albums", "cd-photos"))
        #expect(families.areOne("museum", "museum"))
        #expect(!families.areOne("museum", "albums"))
        #expect(!families.areOne("smvs-books", "cd-photos"))
        #expect(!families.areOne("smvs", "smvs-books"), "no such set")
    }

    @Test func whatIsOneWithAThirdIsOne() {
        let families = Families([
            set("pdq-modes", ["a"]), set("loose", ["a", "b"]), set("other", ["b"]),
            set("pdq-uniform", ["z"]),
        ])
        #expect(families.areOne("other", "pdq-uniform"))
    }

    @Test func namesMustBeTheSameUpToTheHyphen() {
        let families = Families([set("pdq-a", ["1"]), set("pdqs-a", ["2"]), set("pdq", ["3"])])
        #expect(!families.areOne("pdq-a", "pdqs-a"))
        #expect(families.areOne("pdq-a", "pdq"))
    }
}

struct NearDuplicateTests {
    @Test func theirsAreTakenOutToo() {
        let duplicates = NearDuplicates(neighbors: [[1], [0, 2], [1, 3], [2], []])
        #expect(duplicates.group(of: 0) == [0, 1, 2])
        #expect(duplicates.group(of: 1) == [0, 1, 2, 3])
        #expect(duplicates.group(of: 4) == [4])
        #expect(duplicates.group(of: 9) == [9])
    }
}

struct EvaluationSetTests {
    @Test func rowsOfOneQueryAreAlternativesUnlessTheSetIsFull() throws {
        try withTemporaryDirectory { folder in
            let write = { (name: String, text: String) in
                try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
            }
            try write("c", "set\tpath\none\ta.jpg\none\tb.jpg\ntwo-full\ta.jpg\n")
            try write("p", "set\tquery\ttarget\none\tq\ta.jpg\none\tq\tb.jpg\ntwo-full\tr\ta.jpg\n")
            let sets = try EvaluationSet.read(
                catalog: "\(folder)/c", pairs: "\(folder)/p", negatives: nil, named: [])
            #expect(sets.map(\.name) == ["one", "two-full"])
            #expect(sets[0].objects(of: ["a.jpg", "b.jpg"]) == [["a.jpg", "b.jpg"]])
            #expect(sets[1].objects(of: ["a.jpg", "b.jpg"]) == [["a.jpg"], ["b.jpg"]])
            #expect(throws: EvaluationError.self) {
                try EvaluationSet.read(
                    catalog: "\(folder)/c", pairs: "\(folder)/p", negatives: nil,
                    named: ["three"])
            }
        }
    }
}
