import Foundation
import Messages
import Queue
import Service
import TestSupport
import Testing

extension EndToEndTests {
    /// Workers and routers that die, stand still, leave and come back.
    @Suite(.serialized, .timeLimit(.minutes(Soak.isOn ? 60 : 5)))
    struct QueueLivenessTests {
        @Test("T3: a worker is killed in the middle of its jobs")
        func aKilledWorkerLosesNothing() async throws {
            try await withSleepers(4) { sleeping, connection in
                let count = Soak.isOn ? 1_000.0 : 400.0
                let killing = Task {
                    try await Task.sleep(for: .milliseconds(900))
                    sleeping.workers[1].killNow()
                }
                let outcomes = await sleepAtRate(200, seconds: count / 200) { _ in
                    await connection.sleep(20, budget: 3_000)
                }
                try await killing.value
                let bad = outcomes.filter { !$0.isComplete }
                #expect(bad.isEmpty, "\(bad.count) of \(outcomes.count)")
                #expect(outcomes.allSatisfy { $0.lateness <= 0 })
                // Three intervals of 200 ms, and some for the job and the second attempt.
                let slowest = outcomes.map(\.milliseconds).max() ?? 0
                #expect(slowest < 1_500)
            }
        }

        @Test("T4: a worker stands still for 5 s and comes back by itself")
        func aStoppedWorkerComesBack() async throws {
            try await withSleepers(2) { sleeping, connection in
                let pausing = Task {
                    try await Task.sleep(for: .milliseconds(500))
                    kill(sleeping.workers[0].identifier, SIGSTOP)
                    try await Task.sleep(for: .seconds(5))
                    kill(sleeping.workers[0].identifier, SIGCONT)
                }
                let outcomes = await sleepAtRate(50, seconds: 7) { _ in
                    await connection.sleep(10, budget: 1_500)
                }
                try await pausing.value
                let late = outcomes.map(\.lateness).max() ?? 0
                print("T4: latest reply \(late) ms behind its deadline")
                #expect(outcomes.areComplete)
                #expect(late <= 100)
                if Soak.isOn { #expect(late <= 20) }
                try await sleeping.deployment.untilWorkers(are: 2)
                #expect(sleeping.workers[0].isRunning)
            }
        }

        @Test("T5: the router stands still for 5 s and takes nobody for dead")
        func aStoppedRouterJudgesNobody() async throws {
            try await withSleepers(3) { sleeping, connection in
                let router = try sleeping.deployment.process("router")
                kill(router.identifier, SIGSTOP)
                try await Task.sleep(for: .seconds(5))
                kill(router.identifier, SIGCONT)
                try await sleeping.deployment.untilAnswering(workers: 3)
                let workersLost = try await sleeping.counter("workersLost", connection)
                #expect(workersLost == 0)
                for _ in 0..<20 {
                    let outcome = await connection.sleep(5, budget: 2_000)
                    #expect(outcome.isComplete)
                }
            }
        }

        @Test("Report 10: both cores are busy for 10 s and nobody is taken for dead")
        func busyCoresKillNobody() async throws {
            try await withSleepers(3) { sleeping, connection in
                let seconds = Soak.isOn ? 10 : 3
                let spinners = try (0..<4).map { _ in
                    try ServerProcess(
                        ["-c", "timeout \(seconds) sh -c 'while :; do :; done'"],
                        program: "/bin/sh")
                }
                let outcomes = await sleepAtRate(20, seconds: Double(seconds)) { _ in
                    await connection.sleep(5, budget: 3_000)
                }
                for spinner in spinners { _ = spinner.wait() }
                #expect(outcomes.areComplete)
                let workersLost = try await sleeping.counter("workersLost", connection)
                #expect(workersLost == 0)
            }
        }

        @Test("Report 11: a job of many intervals runs once and its worker stays")
        func aLongJobKeepsItsWorker() async throws {
            try await withSleepers(2) { sleeping, connection in
                let outcome = await connection.sleep(2_500, budget: 5_000)
                #expect(outcome.isComplete)
                let workersLost = try await sleeping.counter("workersLost", connection)
                #expect(workersLost == 0)
                let retried = try await sleeping.counter("retried", connection)
                #expect(retried == 0)
            }
        }

        @Test("Report 2: a worker is replaced while the router stands still")
        func aReplacedWorkerGetsTheNextJob() async throws {
            try await withSleepers(1) { sleeping, connection in
                let router = try sleeping.deployment.process("router")
                kill(router.identifier, SIGSTOP)
                sleeping.workers[0].killNow()
                try sleeping.restart(0)
                try await Task.sleep(for: .seconds(2))
                kill(router.identifier, SIGCONT)
                let outcome = await connection.sleep(5, budget: 5_000)
                #expect(outcome.isComplete)
            }
        }

        @Test("Reports 1 and 3: workers of one name, killed and started again with work waiting")
        func workersOfOneNameBothWork() async throws {
            try await withSleepers(1) { sleeping, connection in
                let router = try sleeping.deployment.process("router")
                async let waiting = sleepMany(200, atATime: 200) { _ in
                    await connection.sleep(20, budget: 20_000)
                }
                try await Task.sleep(for: .milliseconds(200))
                sleeping.workers[0].killNow()
                let before = router.residentKilobytes
                try sleeping.restart(0, ["--credit", "8", "--concurrency", "4"])
                let outcomes = await waiting
                #expect(outcomes.areComplete)
                #expect(router.residentKilobytes < before + 16_384)
            }
        }

        @Test("Report 21: a worker stops by itself when the time of its job is over")
        func aJobEndsWithItsTime() async throws {
            try await withSleepers(1, ["--credit", "1", "--concurrency", "1"]) { _, connection in
                let first = await connection.sleep(60_000, budget: 300)
                #expect(!first.isComplete)
                // The worker has one place, which must be free again.
                let second = await connection.sleep(1, budget: 1_000)
                #expect(second.isComplete)
                #expect(second.milliseconds < 300)
            }
        }

        @Test("T14: signals that interrupt system calls end nothing and lose nothing")
        func interruptionsAreSurvived() async throws {
            let library = try InterruptShim.build()
            try await withSleepers(2, environment: ["LD_PRELOAD": library]) {
                sleeping, connection in
                let router = try sleeping.deployment.process("router")
                let identifiers = ([router] + sleeping.workers).map { $0.identifier }
                let storm = Task.detached {
                    while !Task.isCancelled {
                        for identifier in identifiers { kill(identifier, SIGUSR1) }
                        usleep(1_000)
                    }
                }
                let outcomes = await sleepAtRate(100, seconds: Soak.isOn ? 10 : 3) { _ in
                    await connection.sleep(5, budget: 2_000)
                }
                storm.cancel()
                await storm.value
                #expect(outcomes.areComplete)
                #expect(router.isRunning)
                #expect(sleeping.workers.allSatisfy { $0.isRunning })
            }
        }

        @Test("T11: clients that come, ask once and go leave nothing behind")
        func churnLeavesNothing() async throws {
            try await withSleepers(1, ["--credit", "64"]) { sleeping, connection in
                let router = try sleeping.deployment.process("router")
                let turns = Soak.isOn ? 50_000 : 400
                var (memory, files) = (0, 0)
                for turn in 0..<turns {
                    let client = try sleeping.connect()
                    let outcome = await client.sleep(0, budget: 2_000)
                    #expect(outcome.isComplete)
                    client.close()
                    if turn == turns / 10 {
                        (memory, files) = (router.residentKilobytes, router.openFiles)
                    }
                }
                try await Task.sleep(for: .milliseconds(300))
                let resident = router.residentKilobytes
                print("T11: \(memory) → \(resident) KB, files \(files) → \(router.openFiles)")
                // Flat from the first tenth on; a short run has hardly warmed up by then.
                #expect(resident < memory + (Soak.isOn ? memory / 20 : 16_384))
                #expect(router.openFiles <= files + 4)
                _ = connection
            }
        }

        @Test("Report 20: ten thousand requests that nobody can take are refused, not kept")
        func whatNobodyTakesIsRefused() async throws {
            try await withSleepers(1, ["--credit", "1"]) { sleeping, connection in
                let router = try sleeping.deployment.process("router")
                kill(sleeping.workers[0].identifier, SIGSTOP)
                let before = router.residentKilobytes
                let count = Soak.isOn ? 10_000 : 2_000
                let outcomes = await sleepMany(count, atATime: 250) { _ in
                    await connection.sleep(0, budget: 400)
                }
                kill(sleeping.workers[0].identifier, SIGCONT)
                #expect(outcomes.allSatisfy { !$0.isComplete || $0.milliseconds < 500 })
                #expect(router.residentKilobytes < before + 32_768)
            }
        }

        @Test func aTraceIsCarriedThrough() async throws {
            try await withSleepers(1) { _, connection in
                let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
                var message = Message.request(
                    "sleep", .object(["trace": .bool(true)]), budgetMilliseconds: 2_000)
                message.fields.set(.traceparent, text: trace)
                let reply = try await connection.request(message)
                #expect(reply.items.first?["traceparent"]?.text == trace)
            }
        }

        @Test func topShowsWhatHappens() async throws {
            try await withSleepers(2) { sleeping, connection in
                _ = await sleepMany(50, atATime: 4) { _ in await connection.sleep(2, budget: 2_000)
                }
                let top = try sleeping.deployment.run("top", "--once", "--every", "200ms")
                #expect(top.status == 0, "\(top.errors)")
                #expect(top.output.contains("scaling: oldest waits 0 ms"))
                #expect(top.output.contains("sleeper-2"))
                print(top.output)
            }
        }
    }
}
