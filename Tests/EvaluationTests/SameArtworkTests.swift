import Evaluation
import Testing

/// Which accepted strangers have found their own artwork.
struct SameArtworkTests {
    /// A cover, a distractor that shows the same, another one, and what was generated from each.
    private static let entries = [
        CatalogEntry(id: "cover", source: .file(path: "cover")),
        CatalogEntry(id: "copy", source: .file(path: "copy")),
        CatalogEntry(id: "other", source: .file(path: "other")),
        CatalogEntry(id: "generated/0", source: .generated(index: 0, material: [1])),
        CatalogEntry(id: "generated/1", source: .generated(index: 1, material: [2])),
        CatalogEntry(id: "generated/2", source: .generated(index: 2, material: [2, 1])),
    ]

    @Test(
        arguments: [
            ("copy", true), ("other", false), ("generated/0", true), ("generated/1", false),
            ("generated/2", true),
        ])
    func whatIsMadeOfACopyIsTheSameArtwork(found: String, isSame: Bool) {
        var set = EvaluationSet(name: "made")
        set.catalog = ["cover"]
        set.queries = [("photo", ["cover"])]
        let same = SameArtwork(
            [set], in: Self.entries,
            NearDuplicates(neighbors: [[1], [0], [], [], [], []]), cut: 1_000_000)
        var answer = QueryAnswer()
        for (distance, expected) in [(900_000, isSame), (1_000_001, false)] {
            answer.matches = [QueryAnswer.Match(id: found, distance: distance)]
            let query = EvaluatedQuery(
                kind: .otherSets, set: "made", picture: "photo", targets: [], answer: answer)
            #expect(same.pictures(of: [query]).count == (expected ? 1 : 0))
        }
    }
}
