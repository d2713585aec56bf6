import Foundation
import Journal
import Messages
import Service
import TestSupport
import Testing

extension EndToEndTests {
    /// The real command, watched below the process: what its disk may hold when the power fails.
    @Suite(.serialized, .timeLimit(.minutes(10)))
    struct PowerLossShimTests {
        /// What a watched deployment did.
        private struct Run {
            let events: [TraceEvent]
            let sent: [String: Message]
            let positions: [String: Position]
            let root: String
            var epoch: UInt64 { positions.values.first?.epoch ?? 0 }
        }

        /// Serves, is killed, and is started again, some times: once all changes are
        /// acknowledged, with records that are written and not synced, at any moment.
        private func run(
            _ path: String, kills: Int, changes: Int, environment: [String: String] = [:]
        ) async throws -> Run {
            let root = "\(path)/data/journal"
            let shim = Shim(folder: root, trace: "\(path)/trace")
            let changes = (made: AcknowledgedChanges(seed: 1), count: changes)
            for round in 0..<kills {
                let deployment = Deployment(folder: path)
                let process = try ServerProcess(
                    ["serve", "--listen", ":\(deployment.port)", "--data", "\(path)/data"],
                    environment: try shim.environment(
                        environment.merging(
                            round % 3 == 1 ? ["POWERLOSS_KILL_SYNC": "\(6 + round)"] : [:]
                        ) { $1 }))
                try await deployment.untilAnswering(workers: 1)
                let connection = try RouterConnection.open(deployment.client, name: "producer")
                await changes.made.resend(over: connection)
                let victim = process.identifier
                let killer = Task.detached {
                    guard round % 3 == 2 else { return }
                    try await Task.sleep(for: .milliseconds(20 + 15 * round))
                    kill(victim, SIGKILL)
                }
                await changes.made.send(changes.count, over: connection)
                try await killer.value
                process.killNow()
                try shim.resolve()
                connection.close()
            }
            return Run(
                events: try shim.events(), sent: await changes.made.sent,
                positions: await changes.made.positions, root: root)
        }

        /// Faults of disks that the power may have left, at moments drawn from seeds.
        private func faults(of run: Run, seeds: Range<UInt64>) throws -> [String] {
            let order = TraceOrder(run.events, epoch: run.epoch)
            var faults: [String] = []
            try withMemoryDirectory { path in
                for seed in seeds {
                    var random = SeededRandom(seed: seed)
                    let moment = Int.random(in: 0...run.events.count, using: &random)
                    let target = "\(path)/disk"
                    try TracedDisk(run.events.prefix(moment), root: run.root)
                        .write(to: target, using: &random)
                    let required = run.positions.filter {
                        order.told[$0.value.sequence] ?? .max < moment
                    }
                    let check = SurvivalCheck(sent: run.sent, required: required)
                    faults += check.faults(in: target).map {
                        "seed \(seed), event \(moment): \($0)"
                    }
                    try FileManager.default.removeItem(atPath: target)
                }
            }
            return faults
        }

        @Test("Power loss below the process: nothing acknowledged is lost, nothing is corrupt")
        func powerLossLosesNothingAcknowledged() async throws {
            try await withTemporaryDirectory { path in
                let run = try await run(path, kills: 4, changes: 90)
                #expect(run.positions.count > 150)
                #expect(run.events.count > 1_000)
                let seeds: UInt64 = Soak.isOn ? 3_000 : 200
                let faults = try faults(of: run, seeds: 0..<seeds)
                #expect(faults.isEmpty, "\(faults.count), first: \(faults.first ?? "")")
            }
        }

        @Test("Report 29 (nats-server#7564): no position is told before its sync has returned")
        func positionIsToldOnlyAfterItsSync() async throws {
            try await withTemporaryDirectory { path in
                // What was written and not synced at a kill is a duplicate after it.
                let run = try await run(path, kills: 6, changes: 60)
                let order = TraceOrder(run.events, epoch: run.epoch)
                #expect(run.positions.count > 50)
                for position in run.positions.values {
                    #expect(order.told[position.sequence] != nil)
                    #expect(order.synced[position.sequence] != nil)
                }
                #expect(order.toldTooEarly == [])
            }
        }

        @Test func journalWhoseSyncsDoNothingIsFoundOut() async throws {
            try await withTemporaryDirectory { path in
                let run = try await run(
                    path, kills: 2, changes: 60, environment: ["POWERLOSS_SWALLOW": "1"])
                #expect(run.positions.count > 50)
                #expect(TraceOrder(run.events, epoch: run.epoch).toldTooEarly.count > 50)
                let faults = try faults(of: run, seeds: 0..<10)
                #expect(faults.count >= 5, "\(faults)")
            }
        }

        @Test func failedSyncStopsTheJournalWhichSaysWhyAndGoesOnAfterARestart() async throws {
            try await withTemporaryDirectory { path in
                let shim = Shim(folder: "\(path)/data/journal", trace: "\(path)/trace")
                let changes = AcknowledgedChanges(seed: 2)
                for fails in [true, false] {
                    let deployment = Deployment(folder: path)
                    let process = try ServerProcess(
                        ["serve", "--listen", ":\(deployment.port)", "--data", "\(path)/data"],
                        environment: try shim.environment(
                            fails ? ["POWERLOSS_FAIL_SYNC": "30"] : [:]))
                    try await deployment.untilAnswering(workers: 1)
                    let connection = try RouterConnection.open(deployment.client, name: "producer")
                    await changes.resend(over: connection)
                    await changes.send(60, over: connection)
                    let refusals = await changes.refusals
                    if fails {
                        #expect(refusals.contains { $0.contains("Input/output error") })
                        #expect(await changes.positions.count < 60)
                    }
                    process.killNow()
                    connection.close()
                }
                #expect(await changes.positions.count == changes.sent.count)
                let check = SurvivalCheck(
                    sent: await changes.sent, required: await changes.positions)
                #expect(check.faults(in: "\(path)/data/journal") == [])
            }
        }
    }
}
