import Foundation
import Messages
import Service
import Sightline
import TestSupport
import Testing

extension EndToEndTests {
    /// Detached requests by processes: routers that are killed, and commands that come and go.
    @Suite(.serialized, .timeLimit(.minutes(Soak.isOn ? 60 : 5)))
    struct DetachedTests {
        private static let credit = ["--credit", "8", "--concurrency", "4"]

        /// Runs a body with two sleeping workers, and a router with or without a folder.
        private func withRouter(
            keeping: Bool, _ body: (SleepingDeployment, [String]) async throws -> Void
        ) async throws {
            try await withTemporaryDirectory { folder in
                let options = keeping ? ["--data", "\(folder)/router"] : []
                let sleeping = try await SleepingDeployment(
                    folder: folder, workers: 2, Self.credit, router: options)
                try await body(sleeping, options)
            }
        }

        private func submit(_ sleeping: SleepingDeployment, _ more: String...) throws -> String {
            let result = try Command.run(["submit"] + more + sleeping.deployment.connect)
            #expect(result.status == 0, "\(result)")
            return String(result.output.prefix { $0 != "\n" })
        }

        @Test func aRouterThatIsKilledHasWhatItAccepted() async throws {
            try await withRouter(keeping: true) { sleeping, options in
                let deployment = sleeping.deployment
                let quick = try submit(sleeping, "sleep", "{\"sleep\":1}")
                let done = try deployment.run("result", quick, "--wait")
                #expect(done.status == 0, "\(done)")
                let long = try submit(sleeping, "sleep", "{\"sleep\":1500}", "--job-key", "nightly")
                let early = try deployment.run("result", long)
                #expect(early.status == 1, "\(early)")
                #expect(early.errors.contains("JOB_UNFINISHED"), "\(early)")

                try deployment.process("router").killNow()
                try deployment.startRouter(options)
                try await deployment.untilAnswering(workers: 2)
                // What was over is still there, what ran is computed anew, and the key names it.
                #expect(try deployment.run("result", quick).output == done.output)
                #expect(
                    try submit(sleeping, "sleep", "{\"sleep\":1500}", "--job-key", "nightly")
                        == long)
                let late = try deployment.run("result", long, "--wait")
                #expect(late.status == 0, "\(late)")
                #expect(try deployment.run("result", long, "--drop").status == 0)
                let gone = try deployment.run("result", long)
                #expect(gone.status == 4, "\(gone)")
                #expect(gone.errors.contains("NOT_FOUND"), "\(gone)")
            }
        }

        @Test func aRouterThatKeepsNothingSaysThatItIsGone() async throws {
            try await withRouter(keeping: false) { sleeping, options in
                let deployment = sleeping.deployment
                let id = try submit(sleeping, "sleep", "{\"sleep\":60000}")
                #expect(try deployment.run("result", id).status == 1)
                try deployment.process("router").killNow()
                try deployment.startRouter(options)
                try await deployment.untilAnswering(workers: 2)
                let gone = try deployment.run("result", id, "--wait", "--deadline", "1s")
                #expect(gone.status == 4, "\(gone)")
                #expect(gone.errors.contains("submit it again"), "\(gone)")
            }
        }

        @Test func aRouterThatIsStoppedKeepsWhatWaits() async throws {
            try await withRouter(keeping: true) { sleeping, options in
                let deployment = sleeping.deployment
                let ids = try (0..<6).map { number in
                    try submit(sleeping, "sleep", "{\"sleep\":700,\"number\":\(number)}")
                }
                let router = try deployment.process("router")
                router.terminate()
                #expect(router.wait() == 0)
                try deployment.startRouter(options)
                try await deployment.untilAnswering(workers: 2)
                for id in ids {
                    let result = try deployment.run("result", id, "--wait", "--deadline", "30s")
                    #expect(result.status == 0, "\(result)")
                }
            }
        }

        @Test func twoRoutersDoNotShareAFolder() async throws {
            try await withRouter(keeping: true) { sleeping, options in
                let second = try Command.run(
                    ["router", "--listen", ":\(sleeping.deployment.port + 7)"] + options)
                #expect(second.status == 5, "\(second)")
                #expect(second.errors.contains("another router"), "\(second)")
            }
        }

        @Test func whoSearchesWaitsForNoneOfThem() async throws {
            try await withRouter(keeping: true) { sleeping, _ in
                let client = try sleeping.connect()
                defer { client.close() }
                let library = SightlineClient(client)
                for number in 0..<40 {
                    let request = ServiceRequest<AnyProperties>(
                        "sleep",
                        json: .object(["sleep": .integer(300), "number": .integer(number)]),
                        attachments: [])
                    _ = try await library.submit(request)
                }
                let outcomes = await sleepAtRate(20, seconds: 2) { _ in
                    await client.sleep(5, budget: 2_000)
                }
                #expect(outcomes.areComplete)
                let slowest = outcomes.map(\.milliseconds).max() ?? 0
                #expect(slowest < 1_000)
            }
        }
    }
}
