import Messages
import Queue

/// Routers, and what must hold for them after each event.
extension Simulation {
    func makeRouter(
        _ router: Int, generation: Int, _ disk: [RequestID: DetachedRequest] = [:]
    ) -> Router {
        var configuration = RouterConfiguration(
            identity: Identity(high: 1, low: UInt64(router)),
            incarnation: UInt64(generation) + 1)
        configuration.waitingPerPartMax = 6
        configuration.inFlightMax = 40
        configuration.keepsJobs = true
        configuration.jobs = Array(disk.values)
        // Wall clocks jump by hours here, and nothing else says how long a router was away.
        configuration.jobKeptMilliseconds = 86_400_000
        configuration.jobsMax = Self.jobsMax
        configuration.jobsPerClientMax = Self.jobsPerClientMax
        configuration.jobResultBytesMax = 8 << 10
        configuration.jobResultsBytesMax = Self.jobResultsBytesMax
        configuration.hedgesPerThousand = 20
        configuration.hedgesSavedMax = 1
        configuration.hedgeSamplesMin = 20
        if faults.expectsParts {
            configuration.expectedParts =
                SimulatedSearch.parts.map {
                    ServiceOffer(service: SimulatedSearch.service, part: $0)
                } + [ServiceOffer(service: SimulatedSearch.prepare)]
        }
        configuration.planted = planted
        return Router(configuration) { SimulatedSearch.hash(of: $0) }
    }

    /// Remembers until when a router has time for a request.
    func noteRequest(_ message: Message, _ client: Int) {
        guard message.command == .request || message.command == .record else { return }
        let router = clients[client].router
        let name = RequestKeyOfClient(
            client: clients[client].identity, id: message.header.requestID)
        checker.pictures[name] = message.attachments.first
        let key = ReplyKey(
            router: router, generation: routers[router].generation,
            client: clients[client].identity, id: message.header.requestID)
        guard checker.deadlines[key] == nil else { return }
        let budget = UInt64(message.header.budgetMilliseconds) * Self.millisecond
        checker.deadlines[key] = now + budget
    }

    func step(router: Int, _ event: RouterEvent) {
        guard routers[router].isUp else { return }
        let longest = routers[router].machine.longestQueue
        var actions: [RouterAction] = []
        routers[router].machine.handle(event, at: clock(router), into: &actions)
        if case .message(let message, let peer) = event, peer.side == .worker {
            let isLate = actions.contains {
                guard case .fact(.late) = $0 else { return false }
                return true
            }
            promises.heard(message, router, peer, isLate: isLate, at: now)
        }
        for action in actions { perform(action, router: router) }
        checkRouter(router, actions, longestBefore: longest)
        if routers[router].isUp {
            schedule(.router(router), routers[router].machine.nextWake)
        }
    }

    private func perform(_ action: RouterAction, router: Int) {
        switch action {
        case .send(let message, let peer):
            if peer.side == .journal {
                send(message, from: .routerToJournal(router))
                return
            }
            if peer.side == .client { noteReply(message, router, peer) }
            if peer.side == .worker, message.command == .request {
                promises.dispatched(message, router, peer, &checker, at: now)
                jobs.dispatched(
                    message, router, generation: routers[router].generation, &checker, at: now)
            }
            guard !send(message, toRoutingID: peer.routingID) else { return }
            events.insert(
                .undeliverable(
                    router, generation: routers[router].generation, peer,
                    unsent: happens(1, in: 2) ? message : nil), at: now)
        case .drained:
            takeDown(.router(router))
            events.insert(.restart(.router(router)), at: now + below(300) * Self.millisecond)
        case .keepJob(let job, let write):
            changeJobFolder(.keep(job, write: write), router: router)
        case .forgetJob(let id): changeJobFolder(.forget(id), router: router)
        case .exchange, .fact, .accountEnded: break
        }
    }

    /// A reply that says "HELLO comes first" is none: the request was never taken.
    private func noteReply(_ message: Message, _ router: Int, _ peer: Peer) {
        let isReply: Bool
        switch message.command {
        case .final, .ack: isReply = true
        case .error: isReply = message.header.requestID != .zero
        default: isReply = false
        }
        let number: UInt64 = bigEndianInteger(peer.routingID)
        guard isReply, case .client(let client)? = openers[number] else { return }
        let key = ReplyKey(
            router: router, generation: routers[router].generation,
            client: clients[client].identity, id: message.header.requestID)
        guard message.errorCode != .wrongState else {
            checker.deadlines[key] = nil
            return
        }
        checker.replied(key, excusedUntil: pausedUntil[.router(router)] ?? 0, at: now)
    }

    private func checkRouter(_ router: Int, _ actions: [RouterAction], longestBefore: Int) {
        let machine = routers[router].machine
        var mayOverfill = false
        var hasDispatched = false
        for action in actions {
            // What is admitted already may overfill a queue.
            if case .fact(.retried) = action { mayOverfill = true }
            if case .fact(.prepared) = action { mayOverfill = true }
            if case .fact(.unprepared(let id, let client)) = action {
                mayOverfill = true
                let name = RequestKeyOfClient(client: client, id: id)
                if let picture = checker.pictures[name] { checker.unprepared.insert(picture) }
            }
            if case .send(let message, _) = action, message.command == .request {
                hasDispatched = true
            }
        }
        for load in machine.workerLoads
        where hasDispatched && load.inFlight > max(load.credit, 4) {
            checker.fail("\(load.inFlight) in flight, credit \(load.credit)", at: now)
        }
        let longest = machine.longestQueue
        if longest > longestBefore, longest > 6, !mayOverfill {
            checker.fail("\(longest) wait for a part", at: now)
        }
        if machine.inFlightCount > 40 { checker.fail("too many in flight", at: now) }
        checkAttempts(router, actions)
        checkJobs(router, actions)
    }
}

enum SimulatedHash {
    static let zero: ContentHash = {
        guard let hash = ContentHash(bytes: [UInt8](repeating: 0, count: 32)) else {
            preconditionFailure("32 bytes are a hash")
        }
        return hash
    }()
}
