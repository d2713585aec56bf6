import Foundation
import Messages
import TestSupport
import Testing

extension EndToEndTests {
    /// Reports about other search services (`research/visual.md`, section 4) that need a process.
    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct VisualReportTests {
        @Test("R20: the first search after a start is complete inside the deadline, and right")
        func firstSearch() async throws {
            try await withTemporaryDirectory { folder in
                try Covers.write(40, to: folder, concertDate: "2026-12-20T19:00:00Z")
                let server = Deployment(folder: folder)
                try await server.serve()
                #expect(try server.run("import", "album", "\(folder)/albums.jsonl").status == 0)
                try server.process("serve").terminate()
                #expect(try server.process("serve").wait() == 0)
                try await server.serve()
                let first = try server.run(
                    "search", "\(folder)/photo-7.jpg", "--json", "--deadline", "2s")
                let reply = try JSONValue(parsing: Array(first.output.utf8))
                #expect(reply["complete"]?.bool == true)
                #expect(reply["results"]?.array?.first?["id"]?.text == "album-7")
                let second = try server.run("search", "\(folder)/photo-7.jpg", "--json")
                let again = try JSONValue(parsing: Array(second.output.utf8))
                #expect(again["results"] == reply["results"])
            }
        }
    }
}
