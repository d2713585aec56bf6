import Foundation
import Messages
import Queue
import Service
import TestSupport
import Testing

/// A router and workers whose jobs sleep for as long as their requests say, as processes.
///
/// `@unchecked Sendable` because of `workers`: a test changes it from one task at a time.
final class SleepingDeployment: @unchecked Sendable {
    let deployment: Deployment
    private(set) var workers: [ServerProcess] = []
    private var names: [String] = []

    /// Beside the command.
    private static let program = URL(fileURLWithPath: Command.path).deletingLastPathComponent()
        .appending(path: "sightline-bench").path

    /// Starts a router without a journal, and so many workers, and some more with options of
    /// their own.
    init(
        folder: String, workers count: Int, _ options: [String] = [],
        environment: [String: String] = [:], router: [String] = [], more: [[String]] = []
    ) async throws {
        deployment = Deployment(folder: folder)
        try deployment.startRouter(router, environment: environment)
        for number in 1...count + more.count {
            let own = number > count ? more[number - count - 1] : []
            names.append("sleeper-\(number)")
            workers.append(try start("sleeper-\(number)", options + own, environment))
        }
        try await deployment.untilAnswering(workers: count + more.count)
        // Requests are held until workers have had time to greet a new router.
        try await Task.sleep(for: .milliseconds(700))
    }

    private func start(
        _ name: String, _ options: [String], _ environment: [String: String] = [:]
    ) throws -> ServerProcess {
        try ServerProcess(
            ["sleep-worker", "--port", "\(deployment.port + 1)", "--name", name] + options,
            environment: environment, program: Self.program)
    }

    /// A new process in the place of a worker.
    func restart(_ index: Int, _ options: [String] = []) throws {
        workers[index] = try start(names[index], options)
    }

    func connect() throws -> RouterConnection {
        try RouterConnection.open(deployment.client, name: "test")
    }

    /// The router's own item of a status.
    func status(_ connection: RouterConnection) async throws -> JSONValue {
        let reply = try await connection.request(
            .request(ServiceName.status, .object([:]), budgetMilliseconds: 2_000))
        return try #require(reply.items.first { $0["role"]?.text == "router" })
    }
    func counter(_ name: String, _ connection: RouterConnection) async throws -> Int {
        try await status(connection)["counters"]?[name]?.integer ?? 0
    }
}

/// A request for a job, and what became of it.
struct SleepOutcome: Sendable {
    let budget: UInt32
    let outcome: Outcome
    let milliseconds: Double
    /// Milliseconds behind the deadline; negative before it.
    var lateness: Double { milliseconds - Double(budget) }
    var isComplete: Bool {
        guard case .final(let message) = outcome else { return false }
        return message.header.flags.contains(.complete)
    }
    var code: ErrorCode? {
        guard case .error(let code, _, _, _) = outcome else { return nil }
        return code
    }
}

extension [SleepOutcome] {
    /// Every one is whole.
    var areComplete: Bool { allSatisfy { $0.isComplete } }
}

extension RouterConnection {
    /// Asks for a job that sleeps.
    func sleep(
        _ milliseconds: Int, budget: UInt32, more: [String: JSONValue] = [:],
        key: String? = nil
    ) async -> SleepOutcome {
        let body = JSONValue.object(
            ["sleep": .integer(milliseconds)].merging(more) { first, _ in first })
        var message = Message.request("sleep", body, budgetMilliseconds: budget)
        message.fields.set(.fairnessKey, text: key)
        let clock = ContinuousClock()
        let start = clock.now
        let outcome = await send(message)
        let passed = clock.now - start
        return SleepOutcome(
            budget: budget, outcome: outcome,
            milliseconds: Double(passed.components.seconds) * 1_000
                + Double(passed.components.attoseconds) / 1e15)
    }
}

/// Asks for many jobs, so many at a time.
func sleepMany(
    _ count: Int, atATime window: Int,
    _ ask: @escaping @Sendable (Int) async -> SleepOutcome
) async -> [SleepOutcome] {
    await withTaskGroup(of: SleepOutcome.self) { group in
        var next = 0
        var outcomes: [SleepOutcome] = []
        while next < min(window, count) {
            let number = next
            group.addTask { await ask(number) }
            next += 1
        }
        while let outcome = await group.next() {
            outcomes.append(outcome)
            guard next < count else { continue }
            let number = next
            group.addTask { await ask(number) }
            next += 1
        }
        return outcomes
    }
}

/// Asks for jobs at fixed instants, whether or not the ones before have ended.
func sleepAtRate(
    _ perSecond: Double, seconds: Double,
    _ ask: @escaping @Sendable (Int) async -> SleepOutcome
) async -> [SleepOutcome] {
    await withTaskGroup(of: SleepOutcome.self) { group in
        let clock = ContinuousClock()
        let start = clock.now
        for number in 0..<Int(perSecond * seconds) {
            try? await clock.sleep(
                until: start + .nanoseconds(Int(Double(number) / perSecond * 1e9)))
            group.addTask { await ask(number) }
        }
        return await group.reduce(into: []) { $0.append($1) }
    }
}

/// The value below which a share (0 to 1) of the values lie.
func percentile(_ share: Double, _ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    return sorted[Int(share * Double(sorted.count - 1))]
}

/// Runs a body with sleeping workers and a connection to their router.
func withSleepers(
    _ count: Int, _ options: [String] = ["--credit", "8", "--concurrency", "4"],
    environment: [String: String] = [:],
    _ body: (SleepingDeployment, RouterConnection) async throws -> Void
) async throws {
    try await withTemporaryDirectory { folder in
        let sleeping = try await SleepingDeployment(
            folder: folder, workers: count, options, environment: environment)
        let connection = try sleeping.connect()
        defer { connection.close() }
        try await body(sleeping, connection)
    }
}
