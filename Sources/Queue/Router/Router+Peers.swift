internal import Messages

/// Who is there: HELLO, replacement, silence, leaving.
extension Router {
    mutating func hello(
        _ message: Message, _ peer: Peer, _ now: Now, _ actions: inout [RouterAction]
    ) {
        guard let identity = message.fields.identity,
            let incarnation: UInt64 = message.fields.integer(.incarnation)
        else {
            let text = "HELLO needs identity and incarnation"
            actions.append(.fact(.refused(peer, .badRequest, text)))
            actions.append(.send(.error(.badRequest, text), to: peer))
            return
        }
        guard lifecycle == .running else {
            actions.append(.send(.error(.draining, "the router stops"), to: peer))
            return
        }
        let known =
            peer.side == .client
            ? clients[identity]?.incarnation : workers[identity]?.incarnation
        if let known, known > incarnation {
            let text = "a newer incarnation is here"
            actions.append(.fact(.refused(peer, .replaced, text)))
            actions.append(.send(.error(.replaced, text), to: peer))
            return
        }
        if let other = routes[peer], other != identity { peerGone(peer, nil, now, &actions) }
        let isAdmitted =
            peer.side == .client
            ? helloFromClient(message, identity, incarnation, peer, now, &actions)
            : helloFromWorker(message, identity, incarnation, peer, now, &actions)
        guard isAdmitted else { return }
        var welcome = Message.hello(
            identity: configuration.identity, incarnation: configuration.incarnation,
            name: configuration.name,
            intervalMilliseconds: configuration.pingIntervalMilliseconds)
        welcome.header.command = .welcome
        actions.append(.send(welcome, to: peer))
    }

    private func interval(of message: Message) -> UInt32 {
        let stated: UInt32? = message.fields.integer(.pingInterval)
        return Link.clamped(stated ?? configuration.pingIntervalMilliseconds)
    }

    private mutating func helloFromClient(
        _ message: Message, _ identity: Identity, _ incarnation: UInt64, _ peer: Peer,
        _ now: Now, _ actions: inout [RouterAction]
    ) -> Bool {
        let name = message.fields.text(.name) ?? ""
        let interval = interval(of: message)
        if let old = clients[identity] {
            if incarnation > old.incarnation {
                if old.peer != peer { tellReplaced(old.peer, identity, &actions) }
                // Nobody is left who knows these requests.
                for key in old.inFlight { abandon(key, now, &actions) }
                removeSubscriptions(of: identity)
            }
            if let oldPeer = old.peer, oldPeer != peer { routes[oldPeer] = nil }
            if old.peer != peer { actions.append(.fact(.joined(peer, identity, name: name))) }
        } else {
            guard makeRoomForClient(peer, &actions) else { return false }
            let serial = makeNumber()
            clients[identity] = ClientState(
                identity: identity, serial: serial, incarnation: incarnation, name: name,
                peer: peer, intervalMilliseconds: interval, at: now.monotonic)
            timers.insert(
                .client(identity, serial: serial),
                at: now.monotonic.adding(milliseconds: configuration.pingIntervalMilliseconds))
            actions.append(.fact(.joined(peer, identity, name: name)))
        }
        clients[identity]?.incarnation = incarnation
        clients[identity]?.name = name
        clients[identity]?.peer = peer
        clients[identity]?.lastHeard = now.monotonic
        clients[identity]?.intervalMilliseconds = interval
        routes[peer] = identity
        return true
    }

    /// The tenth of the clients that are idle and silent for longest make room together, so that
    /// a flood of new ones costs a sort once in many.
    private mutating func makeRoomForClient(
        _ peer: Peer, _ actions: inout [RouterAction]
    ) -> Bool {
        guard clients.count >= configuration.clientsMax else { return true }
        let idle = clients.values.filter { $0.inFlight.isEmpty }
            .sorted { ($0.lastHeard, $0.serial) < ($1.lastHeard, $1.serial) }
        for client in idle.prefix(max(1, configuration.clientsMax / 10)) {
            if let gone = client.peer {
                routes[gone] = nil
                actions.append(.fact(.evicted(gone, client.identity)))
            }
            removeSubscriptions(of: client.identity)
            clients[client.identity] = nil
        }
        guard idle.isEmpty else { return true }
        return refuseFull(peer, "\(configuration.clientsMax) clients are busy", &actions)
    }

    private mutating func refuseFull(
        _ peer: Peer, _ text: String, _ actions: inout [RouterAction]
    ) -> Bool {
        counters.overloaded += 1
        actions.append(.fact(.refused(peer, .overloaded, text)))
        actions.append(
            .send(
                .error(
                    .overloaded, text, retryAfterMilliseconds: Limits.retryAfterMilliseconds),
                to: peer))
        return false
    }

    private mutating func helloFromWorker(
        _ message: Message, _ identity: Identity, _ incarnation: UInt64, _ peer: Peer,
        _ now: Now, _ actions: inout [RouterAction]
    ) -> Bool {
        if let old = workers[identity] {
            // HELLO again on the same connection changes nothing.
            guard old.incarnation != incarnation || old.peer != peer else { return true }
            if incarnation > old.incarnation {
                if old.peer != peer { tellReplaced(old.peer, identity, &actions) }
                removeWorker(identity, reason: .workerFailed, now, &actions)
            } else {
                // The same process on a new connection: it has given up its jobs, not died.
                removeWorker(identity, reason: .handedBack, now, &actions)
            }
        } else if workers.count >= configuration.workersMax {
            return refuseFull(peer, "\(configuration.workersMax) workers are here", &actions)
        }
        let serial = makeNumber()
        let name = message.fields.text(.name) ?? ""
        var offers: [OfferKey] = []
        var unrepeatable: Set<OfferKey> = []
        for offer in message.fields.offers {
            let key = OfferKey(service: offer.service, part: offer.part)
            if !offers.contains(key) { offers.append(key) }
            if !offer.isIdempotent { unrepeatable.insert(key) }
        }
        let worker = WorkerState(
            identity: identity, serial: serial, incarnation: incarnation, name: name, peer: peer,
            offers: offers, unrepeatable: unrepeatable,
            intervalMilliseconds: interval(of: message), at: now.monotonic)
        workers[identity] = worker
        routes[peer] = identity
        for key in offers { offer(key, by: worker) }
        timers.insert(
            .worker(identity, serial: serial),
            at: now.monotonic.adding(milliseconds: configuration.pingIntervalMilliseconds))
        actions.append(.fact(.joined(peer, identity, name: name)))
        return true
    }

    private func tellReplaced(
        _ peer: Peer?, _ identity: Identity, _ actions: inout [RouterAction]
    ) {
        guard let peer else { return }
        var bye = Message(Header(.bye))
        bye.fields.set(.errorCode, text: ErrorCode.replaced.rawValue)
        actions.append(.send(bye, to: peer))
        actions.append(.fact(.replaced(peer, identity)))
    }

    /// A send found nobody there.
    mutating func peerGone(
        _ peer: Peer, _ unsent: Message?, _ now: Now, _ actions: inout [RouterAction]
    ) {
        guard let identity = routes[peer] else { return }
        if peer.side == .worker, let unsent, unsent.command == .request {
            workers[identity]?.isStalled = true
            giveBack(unsent.header.requestID, identity, now, &actions)
        }
        if peer.side == .worker, now.monotonic < judgedFrom {
            // While this loop stood still the worker may have come back on another connection; if
            // it has not, its silence will be noticed.
            workers[identity]?.isStalled = true
            return
        }
        actions.append(.fact(.lost(peer, identity)))
        switch peer.side {
        case .client:
            // Its requests go on for some intervals: it may come back on another connection.
            routes[peer] = nil
            clients[identity]?.peer = nil
            clients[identity]?.lastHeard = now.monotonic
        case .worker:
            counters.workersLost += 1
            removeWorker(identity, reason: .workerFailed, now, &actions)
        case .journal: break
        }
    }

    mutating func peerStalled(
        _ peer: Peer, _ unsent: Message?, _ now: Now, _ actions: inout [RouterAction]
    ) {
        guard let identity = routes[peer] else { return }
        if peer.side == .client {
            if let unsent, unsent.command == .notify {
                return notifyUnsent(unsent, identity, now, &actions)
            }
            guard let unsent, unsent.command == .final || unsent.command == .error
            else { return }
            counters.unsent += 1
            actions.append(.fact(.unsent(unsent.header.requestID)))
            return
        }
        workers[identity]?.isStalled = true
        guard let unsent, unsent.command == .request else { return }
        giveBack(unsent.header.requestID, identity, now, &actions)
    }

    /// A dispatch that never left goes to another worker.
    private mutating func giveBack(
        _ id: RequestID, _ worker: Identity, _ now: Now, _ actions: inout [RouterAction]
    ) {
        guard let dispatch = dispatches[id], !dispatch.isCancelled else { return }
        releaseCredit(id, worker)
        redispatch(id, dispatch, reason: .handedBack, now, &actions)
    }

    mutating func clientLeft(
        _ identity: Identity, _ peer: Peer, _ now: Now, _ actions: inout [RouterAction]
    ) {
        actions.append(.fact(.left(peer, identity)))
        for key in clients[identity]?.inFlight ?? [] { abandon(key, now, &actions) }
        removeSubscriptions(of: identity)
        routes[peer] = nil
        clients[identity] = nil
    }

    /// Pings a client; forgets one whose connection is gone or that is silent and idle.
    mutating func clientDue(
        _ identity: Identity, _ serial: UInt64, _ now: Now, _ actions: inout [RouterAction]
    ) {
        guard let client = clients[identity], client.serial == serial else { return }
        let patience = UInt64(client.intervalMilliseconds) * Limits.missedPingsMax
        let isSilent = now.monotonic > client.lastHeard.adding(milliseconds: patience)
        if isSilent, now.monotonic >= judgedFrom,
            client.peer == nil || client.inFlight.isEmpty
        {
            for key in client.inFlight { abandon(key, now, &actions) }
            removeSubscriptions(of: identity)
            if let peer = client.peer {
                routes[peer] = nil
                actions.append(.fact(.lost(peer, identity)))
            }
            clients[identity] = nil
            return
        }
        let silence = pingSilence(toward: client.intervalMilliseconds)
        if let peer = client.peer,
            now.monotonic >= client.lastPinged.adding(milliseconds: silence)
        {
            actions.append(.send(Message(Header(.ping)), to: peer))
            client.lastPinged = now.monotonic
        }
        let next = client.peer == nil ? now.monotonic : client.lastPinged
        timers.insert(
            .client(identity, serial: serial), at: next.adding(milliseconds: silence))
    }

    /// Puts off the timers that would only find that their peers were heard meanwhile, as most of
    /// an idle router's would: so it wakes for messages alone.
    mutating func putOffPeerTimers() {
        while let time = timers.first, let timer = timers.firstValue,
            let later = nextLook(timer), later > time
        {
            timers.putOffFirst(to: later)
        }
    }

    /// When a peer's timer has something to do, as far as is known now; nil for other timers.
    private func nextLook(_ timer: RouterTimer) -> MonotonicTime? {
        switch timer {
        case .client(let identity, let serial):
            guard let client = clients[identity], client.serial == serial else { return nil }
            return nextLook(client.lastPinged, client.lastHeard, client.intervalMilliseconds)
        case .worker(let identity, let serial):
            guard let worker = workers[identity], worker.serial == serial else { return nil }
            return nextLook(worker.lastPinged, worker.lastHeard, worker.intervalMilliseconds)
        default: return nil
        }
    }

    private func nextLook(
        _ lastPinged: MonotonicTime, _ lastHeard: MonotonicTime, _ interval: UInt32
    ) -> MonotonicTime {
        min(
            lastPinged.adding(milliseconds: pingSilence(toward: interval)),
            lastHeard.adding(milliseconds: UInt64(interval) * Limits.missedPingsMax))
    }

    /// Milliseconds behind a PING or PONG to a peer after which it is pinged again. One that pings
    /// as often itself hears PONG just before: so half of all messages of an idle router are saved.
    func pingSilence(toward stated: UInt32) -> UInt32 {
        let interval = configuration.pingIntervalMilliseconds
        return stated <= interval ? interval + interval / 4 : interval
    }
}
