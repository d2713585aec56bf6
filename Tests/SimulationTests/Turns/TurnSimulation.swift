import Messages
import Queue
import TestSupport

/// A router with one worker and clients that ask for more than it can do, under one seed: who is
/// served when, held against what was waiting.
final class TurnSimulation {
    private let seed: UInt64
    private var random: SeededRandom
    private var router: Router
    private var now: UInt64 = 1_000_000_000
    private var model = WaitingModel()
    private var running: [(id: RequestID, ends: UInt64)] = []
    /// What the worker has yet to answer.
    private var cancelled: [RequestID] = []
    private var nextID: UInt64 = 1
    private let worker = Peer(side: .worker, routingID: [9])
    private let clients: Int
    private let budgets: ClosedRange<UInt32>
    private let weights: [String: UInt32] = ["key-1": 3]
    private static let millisecond: UInt64 = 1_000_000

    init(seed: UInt64, planted: Set<PlantedBug> = []) {
        self.seed = seed
        random = SeededRandom(seed: seed)
        clients = Int.random(in: 2...4, using: &random)
        // With equal budgets the earliest deadline is the first to come, and queues stand.
        budgets = seed % 2 == 0 ? 300...2_000 : 1_000...1_000
        var configuration = RouterConfiguration(
            identity: Identity(high: 1, low: 1), incarnation: 1)
        configuration.settleMilliseconds = 0
        configuration.hasJournal = false
        configuration.waitingPerPartMax = 40
        configuration.fairnessWeights = weights
        configuration.planted = planted
        router = Router(configuration) { _ in SimulatedHash.zero }
    }

    /// Runs for ten seconds; what was violated, or nil.
    func run() -> String? {
        join()
        let end = now + 10_000 * Self.millisecond
        var nextAsk = now
        while now < end, model.violation == nil {
            if now >= nextAsk {
                for _ in 0..<Int.random(in: 1...6, using: &random) { ask() }
                nextAsk = now + UInt64.random(in: 1...20, using: &random) * Self.millisecond
            }
            finishJobs()
            handle(.tick)
            handle(.message(Message(Header(.ping)), from: worker))
            now += Self.millisecond
        }
        return model.violation.map { "turns, seed \(seed): \($0)" }
    }

    private func join() {
        for client in 0..<clients {
            handle(.message(hello(3, client), from: peer(client)))
        }
        var message = hello(2, 0)
        message.fields.offers = [ServiceOffer(service: "work")]
        handle(.message(message, from: worker))
        var ready = Message(Header(.ready))
        ready.fields.set(.credit, integer: UInt32(1))
        handle(.message(ready, from: worker))
    }
    private func hello(_ high: UInt64, _ low: Int) -> Message {
        var message = Message(Header(.hello))
        message.fields.identity = Identity(high: high, low: UInt64(low))
        message.fields.set(.incarnation, integer: UInt64(1))
        message.fields.set(.pingInterval, integer: UInt32(10_000))
        return message
    }
    private func peer(_ client: Int) -> Peer { Peer(side: .client, routingID: [UInt8(client)]) }

    /// The first client floods, the others ask now and then.
    private func ask() {
        let isFlood = Int.random(in: 0..<3, using: &random) > 0
        let client = isFlood ? 0 : Int.random(in: 0..<clients, using: &random)
        let id = RequestID(high: UInt64(client), low: nextID)
        nextID += 1
        let budget = UInt32.random(in: budgets, using: &random)
        let priority: UInt8 = Int.random(in: 0..<20, using: &random) == 0 ? 7 : 4
        var message = Message(
            Header(
                .request, requestID: id, budgetMilliseconds: budget, priority: priority))
        message.fields.set(.service, text: "work")
        message.fields.set(.fairnessKey, text: "key-\(client)")
        message.body = Array("\(id.high) \(id.low)".utf8)
        model.arrived(
            WaitingModel.Request(
                id: id, key: "key-\(client)", weight: weights["key-\(client)"] ?? 1,
                priority: priority, deadline: now / Self.millisecond + UInt64(budget),
                budget: UInt64(budget), since: now / Self.millisecond))
        handle(.message(message, from: peer(client)))
    }

    private func finishJobs() {
        while let id = cancelled.popLast() {
            handle(.message(.error(.cancelled, "", requestID: id), from: worker))
        }
        for job in running where job.ends <= now {
            running.removeAll { $0.id == job.id }
            var final = Message(Header(.final, requestID: job.id))
            final.fields.set(.items, [])
            handle(.message(final, from: worker))
        }
    }

    private func handle(_ event: RouterEvent) {
        var actions: [RouterAction] = []
        let time = Now(
            monotonic: MonotonicTime(nanoseconds: now), wall: Timestamp(milliseconds: 0))
        router.handle(event, at: time, into: &actions)
        for action in actions {
            switch action {
            case .send(let message, let peer): sent(message, to: peer)
            case .fact(.shed(let id, _)): model.shed(id, at: now / Self.millisecond)
            case .exchange, .keepJob, .forgetJob, .accountEnded, .fact, .drained: break
            }
        }
    }

    private func sent(_ message: Message, to peer: Peer) {
        if peer.side == .client {
            if message.command == .final || message.command == .error {
                model.ended(message.header.requestID)
            }
        } else if message.command == .request {
            let numbers = String(decoding: message.body, as: UTF8.self).split(separator: " ")
                .compactMap { UInt64($0) }
            guard numbers.count == 2 else { return }
            model.served(
                RequestID(high: numbers[0], low: numbers[1]), at: now / Self.millisecond)
            let duration = UInt64.random(in: 2...30, using: &random) * Self.millisecond
            running.append((message.header.requestID, now + duration))
        } else if message.command == .cancel {
            running.removeAll { $0.id == message.header.requestID }
            cancelled.append(message.header.requestID)
        }
    }
}
