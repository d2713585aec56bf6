import Foundation
import Messages
import TestSupport
import Testing

extension EndToEndTests {
    /// A router that runs for long, and one that has nothing to do.
    @Suite(.serialized, .timeLimit(.minutes(Soak.isOn ? 60 : 5)))
    struct QueueSteadyTests {
        private static let program = URL(fileURLWithPath: Command.path).deletingLastPathComponent()
            .appending(path: "sightline-bench").path

        @Test func memoryIsFlatAndAnIdleRouterRests() throws {
            let (requests, seconds) = Soak.isOn ? ("1000000", "10") : ("50000", "2")
            let result = try Command.run(
                ["steady", "--requests", requests, "--idle-seconds", seconds, "--json"],
                executable: Self.program)
            #expect(result.status == 0, "\(result)")
            print("steady: \(result.output)")
            let document = try JSONValue(parsing: Array(result.output.utf8))
            let growth = try #require(document["growth"]?.double)
            let idle = try #require(document["idleShareOfACore"]?.double)
            // A short run has hardly warmed up after its first tenth.
            #expect(growth <= (Soak.isOn ? 1.05 : 1.25))
            #expect(idle < (Soak.isOn ? 0.01 : 0.1))
        }
    }
}
