import Foundation
import Messages
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
    }
}
