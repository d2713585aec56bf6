import Foundation
import Locking
import Messages
import Queue
import Service
import TestSupport
import Testing

extension EndToEndTests {
    /// Workers that are restarted, and requests that kill them.
    @Suite(.serialized, .timeLimit(.minutes(Soak.isOn ? 60 : 5)))
    struct QueueLeavingTests {
        @Test("Report 5: many restarts under load lose no request")
        func restartsLoseNothing() async throws {
            try await withSleepers(3) { sleeping, connection in
                let turns = Soak.isOn ? 100 : 8
                let restarting = Task {
                    for turn in 0..<turns {
                        try await Task.sleep(for: .milliseconds(400))
                        sleeping.workers[turn % 3].killNow()
                        try sleeping.restart(turn % 3, ["--credit", "8", "--concurrency", "4"])
                    }
                }
                let outcomes = await sleepAtRate(40, seconds: Double(turns) * 0.45) { _ in
                    await connection.sleep(5, budget: 5_000)
                }
                try await restarting.value
                // Two deaths under one request are possible, and said; nothing is lost.
                for outcome in outcomes where !outcome.isComplete {
                    #expect(outcome.code == .workerFailed, "\(outcome.outcome)")
                }
                #expect(outcomes.count { !$0.isComplete } * 50 <= outcomes.count)
            }
        }

        @Test("T8: four workers are restarted one after another under load")
        func aRollingRestartIsNotNoticed() async throws {
            try await withSleepers(4) { sleeping, connection in
                let restarting = Task {
                    for index in 0..<4 {
                        try await Task.sleep(for: .milliseconds(500))
                        sleeping.workers[index].terminate()
                        let status = sleeping.workers[index].wait()
                        #expect(status == 0)
                        try sleeping.restart(index, ["--credit", "8", "--concurrency", "4"])
                        try await sleeping.deployment.untilAnswering(workers: 4)
                    }
                }
                let begin = ContinuousClock.now
                let answered = Locked([Int](repeating: 0, count: 10))
                let outcomes = await sleepAtRate(100, seconds: 5) { _ in
                    let outcome = await connection.sleep(10, budget: 2_000)
                    let second = Int((ContinuousClock.now - begin).components.seconds)
                    answered.withLock { $0[min(second, 9)] += 1 }
                    return outcome
                }
                try await restarting.value
                #expect(outcomes.areComplete)
                // A hundred a second are asked for: never below 60 % of that.
                let perSecond = answered.withLock { $0 }
                #expect(perSecond.prefix(5).allSatisfy { $0 >= 60 }, "\(perSecond)")
                let duplicates = try await sleeping.counter("duplicates", connection)
                #expect(duplicates == 0)
                let workersLost = try await sleeping.counter("workersLost", connection)
                #expect(workersLost == 0)
                let slowest = outcomes.map(\.milliseconds).max() ?? 0
                print("T8: slowest \(slowest) ms")
                #expect(slowest < 1_000)
            }
        }

        @Test("Report 22: a request that kills its workers is tried twice, and put aside")
        func poisonIsPutAside() async throws {
            try await withSleepers(4) { sleeping, connection in
                let outcome = await connection.sleep(
                    0, budget: 8_000, more: ["crash": .bool(true)])
                #expect(outcome.code == .workerFailed)
                #expect(sleeping.workers.count { $0.isRunning } == 2)
                let listed = try sleeping.deployment.run("dead", "list")
                #expect(listed.output.contains("sleeper-"), "\(listed.output)\(listed.errors)")
                let shown = try sleeping.deployment.run("dead", "show", "1")
                #expect(shown.output.contains("crash"))
                #expect(try sleeping.deployment.run("dead", "drop", "1").output == "dropped 1\n")
                #expect(try sleeping.deployment.run("dead", "show", "1").status == 4)
                let ok = await connection.sleep(1, budget: 2_000)
                #expect(ok.isComplete)
            }
        }

        @Test("Report 23: after a kill the job is with another worker within a lease and a second")
        func aKilledWorkersJobIsDoneElsewhere() async throws {
            try await withSleepers(2) { sleeping, connection in
                async let outcome = connection.sleep(1_000, budget: 9_000)
                try await Task.sleep(for: .milliseconds(300))
                let status = try await sleeping.status(connection)
                let busy = (status["workers"]?.array ?? []).first { $0["inFlight"]?.integer == 1 }
                let index = busy?["name"]?.text == "sleeper-1" ? 0 : 1
                sleeping.workers[index].killNow()
                let result = await outcome
                #expect(result.isComplete)
                #expect(result.milliseconds < 1_000 + 300 + 600 + 1_000)
            }
        }

        @Test("Report 13: with the router gone, workers end at once and say how")
        func workersEndWithoutARouter() async throws {
            try await withSleepers(2) { sleeping, _ in
                try sleeping.deployment.process("router").killNow()
                let clock = ContinuousClock()
                let start = clock.now
                for worker in sleeping.workers {
                    worker.terminate()
                    #expect(worker.wait() == 0)
                }
                #expect(clock.now - start < .seconds(2))
            }
        }
    }
}
