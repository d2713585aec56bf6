import Foundation
import TestSupport
import Testing

extension EndToEndTests {
    /// A recording of ours with the backup of its journal, checked in: what it answered, it
    /// answers still.
    ///
    /// `SIGHTLINE_MAKE_FIXTURES=1 swift test -c release --filter ReplayFixtureTests` makes it
    /// anew, which a new version of the feature print or of the ranking needs.
    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct ReplayFixtureTests {
        private static let folder = PackageRoot.path("Tests/EndToEndTests/Fixtures/replay")

        @Test func whatWasAnsweredIsAnsweredStill() async throws {
            if ProcessInfo.processInfo.environment["SIGHTLINE_MAKE_FIXTURES"] == "1" {
                try await Self.make()
            }
            let result = try Command.run([
                "replay", "\(Self.folder)/recording", "--data", "\(Self.folder)/journal",
            ])
            #expect(result.status == 0, "\(result)")
            #expect(
                result.output.hasPrefix(
                    "replayed 14: 14 same, 0 different, 0 failed, 0 not compared"), "\(result)")
            let verified = try Command.run(["log", "verify", "\(Self.folder)/recording"])
            #expect(verified.status == 0, "\(verified)")
        }

        @Test func itIsSmall() throws {
            let files = FileManager.default.enumerator(atPath: Self.folder)
            var bytes = 0
            while let name = files?.nextObject() as? String {
                let attributes = try FileManager.default.attributesOfItem(
                    atPath: "\(Self.folder)/\(name)")
                bytes += (attributes[.size] as? Int) ?? 0
            }
            #expect((10_000...300_000).contains(bytes))
        }

        private static func make() async throws {
            try? FileManager.default.removeItem(atPath: folder)  // there may be none yet
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            try await withTemporaryDirectory { work in
                try Covers.write(2, to: work, concertDate: Traffic.concertDate, side: 240)
                let server = Deployment(folder: work)
                try await server.serve(["--record", "\(work)/log"])
                for type in ["album", "concert"] {
                    _ = try server.run("import", type, "\(work)/\(type)s.jsonl")
                }
                for picture in ["photo-1", "photo-2", "stranger"] {
                    _ = try server.run(
                        "search", "\(work)/\(picture).jpg", "--as-of", Traffic.asOf)
                }
                _ = try server.run("entity", "remove", "concert", "concert-1")
                _ = try server.run("search", "\(work)/photo-1.jpg", "--as-of", Traffic.asOf)
                _ = try server.run("open", "album", "album-2")
                _ = try server.run("open", "concert", "concert-1")
                _ = try server.run("entity", "list")
                _ = try server.run("entity", "show", "album", "album-1")
                try server.process("serve").terminate()
                _ = try server.process("serve").wait()
                // Without the status requests that told that the server was up.
                let last = try Recording.last("\(work)/log")
                _ = try Command.run([
                    "log", "extract", "\(work)/log", "2-\(last)", "--log",
                    "\(folder)/recording",
                ])
                _ = try Command.run([
                    "journal", "backup", "\(folder)/journal", "--data", "\(work)/data",
                ])
                // Nobody writes here.
                try FileManager.default.removeItem(atPath: "\(folder)/recording/messages.lock")
            }
        }
    }
}
