import Evaluation
import Foundation
import Messages
import Raster
import Search
import Service
import TestSupport
import Testing

extension EndToEndTests {
    /// The bars on real photographs, through a router and two workers as processes.
    @Suite(.serialized, .timeLimit(.minutes(10)))
    struct EvaluationTests {
        @Test(.needsShared) func realPhotosAreFoundAtRankOne() async throws {
            let root = try SharedFolder.require()
            let bars = [
                "smvs-dvd-canon": 0.98, "smvs-books": 0.98, "screenshot-albums-crops": 1,
                "album-reencodes": 1, "exif-orientation": 1, "cd-photos": 0,
            ]
            try await withTemporaryDirectory { folder in
                let deployment = Deployment(folder: folder)
                try await deployment.startRoles(workers: 2)
                let names = bars.keys.sorted().flatMap { ["--set", $0] }
                let run = try Command.run(
                    ["evaluate", "--root", root, "--json"] + deployment.connect + names)
                #expect(run.status == 0, "\(run.errors)")
                let sets = try #require(JSONValue(parsing: Array(run.output.utf8))["sets"]?.array)
                #expect(sets.count == bars.count)
                for set in sets {
                    let name = set["name"]?.text ?? ""
                    let remarks = "\(name): \(set["remarks"]?.array?.compactMap(\.text) ?? [])"
                    #expect(set["recallAt1"]?.double ?? 0 >= bars[name] ?? 2, "\(remarks)")
                    #expect(set["falseAccepts"]?.integer == 0, "\(remarks)")
                    #expect(set["incomplete"]?.integer == 0, "\(remarks)")
                    #expect(set["accepted"]?.double ?? 0 >= bars[name] ?? 2, "\(remarks)")
                }
                let list = try deployment.run("entity", "list", "movie")
                #expect(list.output == "type  id  title  subtitle\n", "sets are removed afterwards")
            }
        }

        @Test func aTeamsOwnPicturesAreMeasuredDrawnAndCompared() throws {
            try withTemporaryDirectory { folder in
                let covers = CatalogGenerator(seed: 17)
                for index in 0..<4 {
                    try PictureFolder.write(
                        try covers.picture(index).jpeg(quality: 85),
                        to: "\(folder)/covers/\(index).jpg")
                }
                let call =
                    [
                        "evaluate", "--pictures", "\(folder)/covers", "--distort", "3", "--entries",
                        "12", "--json", "--cache", "\(folder)/cache",
                    ]
                let first = try Command.run(
                    call + [
                        "--out", "\(folder)/run.json", "--curves", "\(folder)/curve.png",
                        "--failures", "\(folder)/failures.png", "--write-queries",
                        "\(folder)/views",
                    ])
                #expect(first.status == 0, "\(first.errors)")
                let run = try JSONValue(parsing: Array(first.output.utf8))
                #expect(run["sets"]?.array?.first?["queries"]?.integer == 12)
                #expect(run["catalog"]?["generated"]?.integer == 8)
                #expect(run["curve"]?.array?.count == 41)
                for name in ["curve.png", "failures.png", "views/3.jpg.3.jpg"] {
                    let file = try PictureFolder.bytes(of: "\(folder)/\(name)")
                    #expect(
                        try Picture.head(of: .encoded(file), limits: .sightline).width > 0,
                        "\(name)")
                }
                let second = try Command.run(call + ["--compare", "\(folder)/run.json"])
                #expect(second.status == 0, "\(second.errors)")
                let again = try JSONValue(parsing: Array(second.output.utf8))
                #expect(again["catalog"]?["cached"]?.integer == 12)
                #expect(again["comparison"]?["compared"]?.integer == 12)
                #expect(again["comparison"]?["better"]?.array == [])
                #expect(again["comparison"]?["worse"]?.array == [])
                #expect(again["comparison"]?["meanChange"]?.double == 0)
            }
        }

        @Test(arguments: [
            ["--pictures", "/nowhere"], ["--root", "/nowhere"], [],
            ["--pictures", "/tmp", "--root", "/tmp"],
            ["--root", "/tmp", "--connect", "127.0.0.1", "--entries", "5"],
            ["--pictures", "/tmp", "--compare", "/nowhere.json"],
            ["--pictures", "/tmp", "--kind", "painting"],
        ])
        func wrongCallsAreNamed(options: [String]) throws {
            let run = try Command.run(["evaluate"] + options)
            #expect(run.status == 2)
            #expect(run.errors.hasPrefix("sightline: "))
            #expect(run.output == "")
        }
    }
}
