import Foundation
public import Journal
import Messages
import Queue

/// Answers recorded requests again, each at its recorded position and as-of, and compares.
///
/// An embedded server reads the journal, read-only and beside a running one, through a gate: its
/// replicas see the records up to the position that the next replies were computed at.
public struct ReplayRunner: Sendable {
    /// Who answers.
    public enum Against: Sendable {
        /// An embedded server with some workers on the journal of a data folder.
        case journal(data: String, workers: Int)
        /// A running server.
        case server(Endpoint)
    }

    private let reader: MessageLogReader
    private let plan: ReplayPlan
    private let due: [UInt64]?
    private let options: ReplayOptions
    /// Nil if nothing is to be sent.
    private let one: OneReplay?
    /// Why the recording cannot be read to its end; nil if it can.
    public let unreadableEnd: UnreadableEnd?

    /// Opens a message log and reaches those who answer.
    ///
    /// - Parameters:
    ///   - folder: The message log.
    ///   - keys: What exchanges of accounts are read with.
    ///   - against: Who answers.
    ///   - baseline: The old version, for finding noise; nil for who answers itself.
    /// - Throws: `ConfigurationError` if there is no log, it was recorded beside another journal
    ///   or at positions that are not there, `NoServer`, or what the folders refuse.
    public init(
        log folder: String, keys: Keyring, against: Against, baseline: Endpoint? = nil,
        options: ReplayOptions, _ log: Log
    ) async throws {
        reader = try MessageLogReader(folder: folder, keys: keys)
        var plan = try ReplayPlan(reader, options.selection)
        unreadableEnd = try reader.unreadableEnd()
        due = options.pace?.schedule(plan.offsets)
        self.options = options
        let target: ReplayTarget?
        switch against {
        case .server(let endpoint):
            target = try await ReplayTarget(endpoint, keys: options.connectionKeys, log: log)
        case .journal(let data, let workers):
            let journal = try ReplayJournal(data: data, keys: keys)
            guard plan.epochs.isSubset(of: [journal.backend.epoch]) else {
                throw ConfigurationError(
                    "'\(folder)' was recorded beside another journal than the one in '\(data)'")
            }
            try plan.leaveOut(unreachableIn: journal)
            target = try await Self.target(journal, workers, plan.firstSequence, log)
        }
        self.plan = plan
        one = try await Self.replay(on: target, baseline, options, log)
    }

    /// Nil if nothing is to be sent.
    private static func target(
        _ journal: ReplayJournal, _ workers: Int, _ sequence: UInt64?, _ log: Log
    ) async throws -> ReplayTarget? {
        guard let sequence else { return nil }
        return try await ReplayTarget(journal, workers: workers, at: sequence, log: log)
    }

    private static func replay(
        on target: ReplayTarget?, _ baseline: Endpoint?, _ options: ReplayOptions, _ log: Log
    ) async throws -> OneReplay? {
        guard let target else { return nil }
        guard let baseline else {
            return OneReplay(target: target, baseline: nil, options: options)
        }
        do {
            let old = try await ReplayTarget(baseline, keys: options.connectionKeys, log: log)
            return OneReplay(target: target, baseline: old, options: options)
        } catch {
            target.stop()
            throw error
        }
    }

    /// Exchanges that are replayed or listed.
    public var count: Int { plan.items.count }

    /// Replays everything.
    ///
    /// - Parameters:
    ///   - goesOn: Asked before each request is sent; false ends the replay.
    ///   - each: Hears how every exchange went, by position and number.
    /// - Throws: What `each` throws.
    public func run(
        goesOn: (UInt64, String) -> Bool = { _, _ in true },
        _ each: (ReplayedExchange) throws -> Void
    ) async throws -> ReplaySummary {
        let begin = ContinuousClock().now
        var order = InOrder()
        var summary = ReplaySummary(leftOut: plan.leftOut, unlisted: plan.unlisted)
        func tell(_ exchange: ReplayedExchange, _ index: Int) throws {
            for exchange in order.add(exchange, at: index) {
                summary.add(exchange)
                try each(exchange)
            }
        }
        try await withThrowingTaskGroup(of: (Int, ReplayedExchange).self) { group in
            var inFlight = 0
            var sequence: UInt64?
            for (index, item) in plan.items.enumerated() {
                let isNext = item.sequence != sequence
                // All of one position are answered before the next record is applied.
                while inFlight > 0, isNext || inFlight >= options.window,
                    let (done, exchange) = try await group.next()
                {
                    inFlight -= 1
                    try tell(exchange, done)
                }
                if isNext { one?.target.move(to: item.sequence) }
                sequence = item.sequence
                if let due { try await Self.sleep(until: due[index], since: begin) }
                if let skipped = ReplayedExchange(skipping: item) {
                    try tell(skipped, index)
                    continue
                }
                guard let one, goesOn(item.number, item.service) else { break }
                let entry = Result { try reader.entry(item.number) }
                group.addTask { (index, await one.run(item, entry)) }
                inFlight += 1
            }
            while let (done, exchange) = try await group.next() { try tell(exchange, done) }
        }
        summary.seconds = (ContinuousClock().now - begin) / .seconds(1)
        return summary
    }

    /// Stops the embedded server and removes its folder.
    public func stop() {
        one?.target.stop()
        one?.baseline?.stop()
    }

    private static func sleep(
        until due: UInt64, since begin: ContinuousClock.Instant
    ) async throws {
        let instant = begin + .nanoseconds(Int64(clamping: due))
        guard ContinuousClock().now < instant else { return }
        try await ContinuousClock().sleep(until: instant, tolerance: .milliseconds(1))
    }
}

/// Results in the order of the plan, whatever the order in which they come.
private struct InOrder {
    private var waiting: [Int: ReplayedExchange] = [:]
    private var next = 0

    /// Takes a result; returns those whose turn it is now.
    mutating func add(_ exchange: ReplayedExchange, at index: Int) -> [ReplayedExchange] {
        waiting[index] = exchange
        var ready: [ReplayedExchange] = []
        while let exchange = waiting.removeValue(forKey: next) {
            next += 1
            ready.append(exchange)
        }
        return ready
    }
}
