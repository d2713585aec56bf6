import Messages
import Queue

/// What routers and workers have said to each other about dispatches, to hold what follows
/// against it.
struct DispatchPromises {
    /// A part of a request in all its attempts, as one router names it.
    private struct Part: Hashable {
        let router: Int
        let high: UInt64
        let stable: UInt64
        init(_ router: Int, _ id: RequestID) {
            self.router = router
            high = id.high
            stable = id.low >> 8
        }
    }
    private struct Connection: Hashable {
        let router: Int
        let peer: Peer
    }
    private var notBefore: [Part: UInt64] = [:]
    private struct Refusal: Hashable {
        let router: Int
        let attempt: RequestID
    }
    private var refused: Set<Refusal> = []
    private var draining: Set<Connection> = []
    private var greeted: Set<Connection> = []
    /// When each service was last probed, by router and generation.
    var probedAt: [String: UInt64] = [:]

    /// What is late is about an attempt that the router has given up, and binds nobody.
    mutating func heard(
        _ message: Message, _ router: Int, _ peer: Peer, isLate: Bool, at now: UInt64
    ) {
        if message.command == .draining {
            draining.insert(Connection(router: router, peer: peer))
        }
        if message.command == .hello { greeted.insert(Connection(router: router, peer: peer)) }
        let stated: UInt32? = message.fields.integer(.retryAfter)
        // Before a HELLO the router takes nothing else from a connection.
        guard greeted.contains(Connection(router: router, peer: peer)),
            message.command == .error, message.errorCode == .internalFault, !isLate, let stated
        else { return }
        // A message that the network delivers twice says nothing the second time.
        guard refused.insert(Refusal(router: router, attempt: message.header.requestID)).inserted
        else { return }
        let wait = stated == Message.neverAgain ? UInt64.max / 2 : UInt64(stated) * 1_000_000
        notBefore[Part(router, message.header.requestID)] = now + wait
    }

    func dispatched(
        _ message: Message, _ router: Int, _ peer: Peer, _ checker: inout Checker, at now: UInt64
    ) {
        if message.header.budgetMilliseconds == 0 {
            checker.fail("\(message.header.requestID) is dispatched without time", at: now)
        }
        if draining.contains(Connection(router: router, peer: peer)) {
            checker.fail("\(peer) gets work while it leaves", at: now)
        }
        if let time = notBefore[Part(router, message.header.requestID)], now < time {
            checker.fail("\(message.header.requestID) is tried again too early", at: now)
        }
    }
}

extension Simulation {
    /// Second attempts: which, how many, and what becomes of those that nobody needs.
    func checkAttempts(_ router: Int, _ actions: [RouterAction]) {
        let machine = routers[router].machine
        let name = "\(router) \(routers[router].generation)"
        var hedges = 0
        for case .fact(let fact) in actions {
            switch fact {
            case .hedged(let id, let part):
                hedges += 1
                if part == SimulatedSearch.once {
                    checker.fail("a second attempt of what must not be repeated: \(id)", at: now)
                }
            case .probed(_, let service): promises.probedAt["\(name) \(service)"] = now
            case .refused(_, .deadlineExceeded, let text):
                let service = text.split(separator: " ").dropFirst(3).first ?? ""
                let last = promises.probedAt["\(name) \(service)"]
                if last.map({ now > $0 + 1_000 * Self.millisecond }) ?? true {
                    checker.fail("\(text): refused without a probe", at: now)
                }
            default: break
            }
        }
        for case .send(let message, let peer) in actions
        where peer.side == .worker && message.command == .request && hedges == 0 {
            let attempt = message.header.attempt
            if attempt > 2 { checker.fail("attempt \(attempt)", at: now) }
        }
        let counters = machine.counters
        // Nothing is saved up at the beginning: first attempts come before what they pay for.
        if counters.hedged * 1_000 > (counters.dispatched - counters.hedged) * 20 {
            checker.fail("\(counters.hedged) hedges for \(counters.dispatched)", at: now)
        }
        if machine.unwantedDispatchCount > 0 {
            checker.fail("a dispatch that nobody waits for", at: now)
        }
    }

    /// A worker that stood still does not take that for the router's silence.
    func checkReconnection(_ worker: Int, link: Int) {
        let node = Node.worker(worker)
        guard let start = pausedFrom[node], let end = pausedUntil[node], now >= end,
            now < end + 150 * Self.millisecond, faults.dropped == 0, routers[link].isUp
        else { return }
        let calmSince = max(
            brokenAt[.worker(worker, link: link)] ?? 0,
            pausedUntil[.router(link)] ?? 0)
        guard calmSince + 1_000 * Self.millisecond < start else { return }
        checker.fail("router \(link) is given up though it lives", at: now)
    }
}
