import Messages
import Queue
import TestSupport

/// A router with three workers, one request at a time that most workers take long for, under one
/// seed: what workers say about trying again, however the two attempts of a request end.
final class AttemptSimulation {
    private let seed: UInt64
    private var random: SeededRandom
    private var router: Router
    private var now: UInt64 = 1_000_000_000
    private var running: [(id: RequestID, worker: Peer, ends: UInt64)] = []
    /// Before then no worker may get the part again, by its ids but for their last byte.
    private var notBefore: [UInt64: UInt64] = [:]
    private var violation: String?
    private var nextID: UInt64 = 1
    private let client = Peer(side: .client, routingID: [1])
    private let workers = (0..<3).map { Peer(side: .worker, routingID: [9, UInt8($0)]) }
    private static let millisecond: UInt64 = 1_000_000

    init(seed: UInt64, planted: Set<PlantedBug> = []) {
        self.seed = seed
        random = SeededRandom(seed: seed)
        var configuration = RouterConfiguration(
            identity: Identity(high: 1, low: 1), incarnation: 1)
        configuration.settleMilliseconds = 0
        configuration.hasJournal = false
        configuration.hedgesPerThousand = 1_000
        configuration.hedgeSamplesMin = 20
        configuration.planted = planted
        router = Router(configuration) { _ in SimulatedHash.zero }
    }

    /// What was violated, or nil.
    func run() -> String? {
        join()
        // First what a request takes as a rule, then requests of which both attempts go wrong.
        for _ in 0..<40 { ask(for: 2) { _ in 2 } }
        for _ in 0..<30 where violation == nil {
            ask(for: 300) { random in UInt64.random(in: 10...60, using: &random) }
        }
        return violation.map { "attempts, seed \(seed): \($0)" }
    }

    private func ask(for length: UInt64, lasting: (inout SeededRandom) -> UInt64) {
        var message = Message(
            Header(
                .request, requestID: RequestID(high: 1, low: nextID),
                budgetMilliseconds: UInt32(length + 100)))
        nextID += 1
        message.fields.set(.service, text: "work")
        handle(.message(message, from: client))
        let end = now + (length + 120) * Self.millisecond
        while now < end, violation == nil {
            for index in running.indices where running[index].ends == 0 {
                running[index].ends = now + lasting(&random) * Self.millisecond
            }
            endJobs(goWrong: length > 2)
            handle(.tick)
            for peer in workers + [client] { handle(.message(Message(Header(.ping)), from: peer)) }
            now += Self.millisecond
            if length <= 2, running.isEmpty { return }
        }
    }

    private func endJobs(goWrong: Bool) {
        let ended = running.filter { $0.ends != 0 && $0.ends <= now }
        for job in ended {
            running.removeAll { $0.id == job.id }
            var answer = Message(Header(.final, requestID: job.id))
            answer.fields.set(.items, [])
            if goWrong { answer = trouble(job.id) }
            if answer.errorCode == .internalFault { note(answer) }
            handle(.message(answer, from: job.worker))
        }
    }

    private func trouble(_ id: RequestID) -> Message {
        let pauses: [UInt32?] = [nil, 40, 120, Message.neverAgain]
        guard Bool.random(using: &random) else { return .error(.handedBack, "", requestID: id) }
        return .error(
            .internalFault, "a simulated fault", requestID: id,
            retryAfterMilliseconds: pauses.randomElement(using: &random) ?? nil)
    }

    private func note(_ error: Message) {
        guard let pause: UInt32 = error.fields.integer(.retryAfter) else { return }
        let part = error.header.requestID.low >> 8
        let wait =
            pause == Message.neverAgain ? UInt64.max / 2 : UInt64(pause) * Self.millisecond
        notBefore[part] = max(notBefore[part] ?? 0, now + wait)
    }

    private func join() {
        for (number, peer) in ([client] + workers).enumerated() {
            var hello = Message(Header(.hello))
            hello.fields.identity = Identity(high: 4, low: UInt64(number))
            hello.fields.set(.incarnation, integer: UInt64(1))
            hello.fields.set(.pingInterval, integer: UInt32(10_000))
            if peer.side == .worker { hello.fields.offers = [ServiceOffer(service: "work")] }
            handle(.message(hello, from: peer))
            guard peer.side == .worker else { continue }
            var ready = Message(Header(.ready))
            ready.fields.set(.credit, integer: UInt32(2))
            handle(.message(ready, from: peer))
        }
    }

    private func handle(_ event: RouterEvent) {
        var actions: [RouterAction] = []
        let time = Now(
            monotonic: MonotonicTime(nanoseconds: now), wall: Timestamp(milliseconds: 0))
        router.handle(event, at: time, into: &actions)
        for case .send(let message, let peer) in actions where peer.side == .worker {
            let id = message.header.requestID
            if message.command == .cancel {
                guard running.contains(where: { $0.id == id }) else { continue }
                running.removeAll { $0.id == id }
                handle(.message(.error(.cancelled, "", requestID: id), from: peer))
            } else if message.command == .request {
                if let time = notBefore[id.low >> 8], now < time {
                    violation = violation ?? "\(id) is tried again too early"
                }
                running.append((id, peer, 0))
            }
        }
    }
}
