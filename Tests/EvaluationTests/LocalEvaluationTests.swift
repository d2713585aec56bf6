import Evaluation
import Foundation
import Locking
import Matching
import Messages
import Raster
import Search
import TestSupport
import Testing

/// Whole evaluations in this process, on generated pictures.
struct LocalEvaluationTests {
    /// A clock that moves a millisecond each time it is read.
    private static func instruments() -> Instruments {
        let time = Locked<UInt64>(0)
        return Instruments(
            monotonic: {
                time.withLock { now in
                    now += 1_000_000
                    return now
                }
            }, processor: { 7 }, resident: { 0 })
    }

    private static let maker = PrintMaker(
        decode: { file, _ in
            try Picture.decode(
                .encoded(file), maxSide: FeaturePrint.workingSide, limits: Fixtures.limits)
        },
        print: { working, _ in try Fixtures.print(of: working) },
        query: { file, shouldStop, didEnd in
            try PictureQuery(of: .encoded(file), shouldStop: shouldStop, didEnd: didEnd)
        })

    /// Two sets of three covers each with a view of each, four distractors of which two are the
    /// same picture, and one file that is no picture.
    private static func fill(_ folder: String) throws -> [EvaluationSet] {
        let covers = CatalogGenerator(seed: 31)
        try FileManager.default.createDirectory(
            atPath: "\(folder)/others", withIntermediateDirectories: true)
        func write(_ name: String, _ bytes: [UInt8]) throws {
            try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        }
        var sets: [EvaluationSet] = []
        for (number, name) in ["one", "two"].enumerated() {
            var set = EvaluationSet(name: name)
            for index in (3 * number)..<(3 * number + 3) {
                let cover = covers.picture(index)
                try write("\(index).jpg", try cover.jpeg(quality: 85))
                let view = Distortion(seed: 3, number: index, strength: 0.1, kind: .photo)
                try write("q\(index).jpg", try view.applied(to: cover).jpeg())
                set.catalog.append("\(index).jpg")
                set.queries.append(("q\(index).jpg", ["\(index).jpg"]))
            }
            sets.append(set)
        }
        sets[0].catalog.append("broken.jpg")
        try write("broken.jpg", Array("no picture".utf8))
        for index in 10..<13 {
            try write("others/\(index).jpg", try covers.picture(index).jpeg(quality: 85))
        }
        try write("others/again.png", try covers.picture(10).scaled(maxSide: 500).png())
        return sets
    }

    private static func run(
        _ folder: String, _ change: (inout LocalEvaluation.Options) -> Void
    ) async throws -> EvaluationRun {
        var options = LocalEvaluation.Options(root: folder)
        options.distractors = "\(folder)/others"
        options.strength = 0.1
        options.cores = 2
        change(&options)
        return try await LocalEvaluation(
            options, maker: maker, instruments: instruments()
        ).run(try fill(folder)) { _, _, _ in }
    }

    @Test func everyKindOfQueryIsAskedAgainstItsOwnCatalog() async throws {
        try await withTemporaryDirectory { folder in
            let run = try await Self.run(folder) {
                $0.entries = 20
                $0.cache = "\(folder)/cache"
            }
            let all = run.together
            #expect(all.recallAt1 == 1, "\(all.remarks)")
            #expect(all.strangers(.otherSets) == (6, 0), "\(all.remarks)")
            #expect(all.strangers(.distorted) == (4, 0), "\(all.remarks)")
            #expect(run.nearDuplicatesRemoved == 2, "the picture and its copy, both ways")
            #expect(run.catalog?.build.entries == 20)
            #expect(run.catalog?.build.generated == 20 - 7 - 4)
            #expect(run.catalog?.notImported.count == 1)
            #expect(run.catalog?.build.cached == 0)
            #expect(run.results.map(\.name) == ["one", "two", "distractors"])
            #expect(all.stages["print"]?.count == 16)
            #expect(all.checked.count == 16)

            let again = try await Self.run(folder) {
                $0.entries = 20
                $0.cache = "\(folder)/cache"
            }
            #expect(again.catalog?.build.cached == 19)
            #expect(again.queries.map(\.answer.matches) == run.queries.map(\.answer.matches))
        }
    }

    @Test func theSameArtworkAmongDistractorsIsToldFromAStranger() async throws {
        try await withTemporaryDirectory { folder in
            _ = try Self.fill(folder)
            // The first cover of the first set once more, as a distractor.
            let cover = CatalogGenerator(seed: 31).picture(0).scaled(maxSide: 450)
            try PictureFolder.write(try cover.png(), to: "\(folder)/others/copy.png")
            let run = try await Self.run(folder) { $0.distortedMax = 1 }
            #expect(run.together.strangers(.otherSets).accepted == 1)
            #expect(run.sameArtwork.map(\.picture) == ["q0.jpg"])
            let strict = run.curve.choice(falseAccepts: 0)
            let without = run.curveWithoutSameArtwork.choice(falseAccepts: 0)
            #expect(
                strict.fitting.queries + strict.reporting.queries
                    == without.fitting.queries + without.reporting.queries + 1)
        }
    }

    @Test func anotherVolumeOfASeriesIsAStranger() async throws {
        try await withTemporaryDirectory { folder in
            let run = try await Self.run(folder) {
                $0.distractors = nil
                $0.series = 4
                $0.entries = 12
            }
            #expect(run.together.strangers(.series) == (4, 0), "\(run.together.remarks)")
            #expect(run.catalog?.build.series == 4)
            #expect(run.catalog?.build.entries == 12)
            #expect(run.json["all"]?["seriesStrangers"]?["queries"]?.integer == 4)
        }
    }

    @Test func aQueryThatDoesNotEndInTimeIsIncomplete() async throws {
        try await withTemporaryDirectory { folder in
            let run = try await Self.run(folder) {
                $0.distractors = nil
                // The clock moves a millisecond at each question.
                $0.budgetMilliseconds = 4
            }
            #expect(run.together.incomplete == run.queries.count)
            #expect(run.together.recallAt1 == 0)
        }
    }

    @Test func aFolderOfPicturesIsItsOwnTest() async throws {
        try await withTemporaryDirectory { folder in
            let covers = CatalogGenerator(seed: 41)
            for index in 0..<3 {
                // The third is the second once more, smaller.
                let cover = covers.picture(min(index, 1)).scaled(maxSide: 700 - 100 * index)
                try PictureFolder.write(
                    try cover.jpeg(quality: 85), to: "\(folder)/covers/deep/\(index).jpg")
            }
            var options = LocalEvaluation.Options(root: "\(folder)/covers")
            options.views = 2
            options.strength = 0.1
            options.writesQueries = "\(folder)/queries"
            let evaluation = LocalEvaluation(
                options, maker: Self.maker, instruments: Self.instruments())
            let set = try EvaluationSet(picturesOf: "\(folder)/covers")
            #expect(set.catalog == ["deep/0.jpg", "deep/1.jpg", "deep/2.jpg"])
            let run = try await evaluation.run([set]) { _, _, _ in }
            #expect(run.queries.count == 6)
            #expect(
                run.queries.map(\.targets) == [
                    [["deep/0.jpg"]], [["deep/0.jpg"]], [["deep/1.jpg", "deep/2.jpg"]],
                    [["deep/1.jpg", "deep/2.jpg"]], [["deep/2.jpg", "deep/1.jpg"]],
                    [["deep/2.jpg", "deep/1.jpg"]],
                ])
            #expect(run.together.recallAt1 == 1, "\(run.together.remarks)")
            #expect(
                try PictureFolder.files(of: "\(folder)/queries")
                    == (0..<3).flatMap { ["deep/\($0).jpg.1.jpg", "deep/\($0).jpg.2.jpg"] })
            let sheet = try await FailurePictures(run, of: evaluation).sheet()
            #expect(sheet.width > 600)
        }
    }
}
