internal import Messages

/// Workers: what they offer, their credit, and what becomes of their requests when they go.
extension Router {
    mutating func addPart(_ key: OfferKey) {
        guard parts[key] == nil else { return }
        parts[key] = PartState(configuration)
        partNames[key.service, default: []].append(key)
        partNames[key.service]?.sort()
    }

    mutating func offer(_ key: OfferKey, by worker: WorkerState) {
        addPart(key)
        parts[key]?.workers.append(worker.identity)
        if worker.unrepeatable.contains(key) { parts[key]?.unrepeatable.insert(worker.identity) }
    }

    mutating func ready(
        _ message: Message, _ identity: Identity, _ now: Now, _ actions: inout [RouterAction]
    ) {
        if let position = message.fields.position { workers[identity]?.position = position }
        guard let credit: UInt32 = message.fields.integer(.credit) else { return }
        let isNew = workers[identity]?.credit == 0 && credit > 0
        workers[identity]?.credit = Int(min(credit, Limits.creditMax))
        serveWaiting(identity, now, &actions)
        // What it applied before it was here it told nobody.
        if isNew { askAll(now, &actions) }
    }

    /// Forgets a worker; its requests go to others.
    mutating func removeWorker(
        _ identity: Identity, reason: ErrorCode, _ now: Now, _ actions: inout [RouterAction]
    ) {
        guard let worker = workers.removeValue(forKey: identity) else { return }
        routes[worker.peer] = nil
        for key in worker.offers {
            parts[key]?.workers.removeAll { $0 == identity }
            parts[key]?.unrepeatable.remove(identity)
            guard parts[key]?.workers.isEmpty == true else { continue }
            parts[key]?.leftAt = now.monotonic
            timers.insert(
                .part(key),
                at: now.monotonic.adding(milliseconds: configuration.partMemoryMilliseconds))
        }
        guard !configuration.planted.contains(.lostWorkerKeepsRequests) else { return }
        for id in worker.inFlight {
            guard let dispatch = dispatches.removeValue(forKey: id), !dispatch.isCancelled
            else { continue }
            if reason == .workerFailed { noteDeath(of: worker, under: dispatch, now, &actions) }
            redispatch(id, dispatch, reason: reason, now, &actions)
        }
    }

    /// A part without workers is remembered for a while, so that a restart is no outage.
    mutating func partDue(_ key: OfferKey, _ now: Now) {
        guard let part = parts[key], part.workers.isEmpty, !part.isExpected else { return }
        let memory = configuration.partMemoryMilliseconds
        guard now.monotonic >= part.leftAt.adding(milliseconds: memory) else { return }
        guard part.waiting.isEmpty else {
            timers.insert(.part(key), at: now.monotonic.adding(milliseconds: memory))
            return
        }
        parts[key] = nil
        partNames[key.service]?.removeAll { $0 == key }
        if partNames[key.service]?.isEmpty == true { partNames[key.service] = nil }
    }

    /// Pings a worker, or gives up one that is silent.
    mutating func workerDue(
        _ identity: Identity, _ serial: UInt64, _ now: Now, _ actions: inout [RouterAction]
    ) {
        guard let worker = workers[identity], worker.serial == serial else { return }
        let time = now.monotonic
        let patience = UInt64(worker.intervalMilliseconds) * Limits.missedPingsMax
        let lostAt = max(worker.lastHeard.adding(milliseconds: patience), judgedFrom)
        guard time < lostAt else {
            counters.workersLost += 1
            actions.append(.fact(.lost(worker.peer, identity)))
            removeWorker(identity, reason: .workerFailed, now, &actions)
            return
        }
        let interval = pingSilence(toward: worker.intervalMilliseconds)
        if time >= worker.lastPinged.adding(milliseconds: interval) {
            actions.append(.send(Message(Header(.ping)), to: worker.peer))
            workers[identity]?.lastPinged = time
        }
        let pingAt = (workers[identity]?.lastPinged ?? time).adding(milliseconds: interval)
        timers.insert(.worker(identity, serial: serial), at: min(pingAt, lostAt))
    }

    /// Gives a worker's free credit to what waits for it, the most urgent first.
    mutating func serveWaiting(
        _ identity: Identity, _ now: Now, _ actions: inout [RouterAction]
    ) {
        guard let worker = workers[identity] else { return }
        while worker.canTake, let (part, next) = nextWaiting(worker.offers, now) {
            part.lastServed = makeNumber()
            part.waiting.removeFirst()
            let waited = now.monotonic.nanoseconds &- next.since.nanoseconds
            if let exchange = exchanges[next.key] {
                exchange.parts[next.part].isQueued = false
                services[exchange.metrics].queueDelay.add(waited)
                _ = send(exchange, part: next.part, to: worker, isHedge: false, now, &actions)
            }
            shedIfStanding(part, next, waited, now, &actions)
        }
    }

    /// Of the parts that a worker offers the first one waiting of the highest priority; of equal
    /// ones, that whose part had its turn the longest ago.
    private func nextWaiting(
        _ offers: [OfferKey], _ now: Now
    ) -> (PartState, WaitingPart)? {
        var best: (part: PartState, first: WaitingPart)?
        for offer in offers {
            guard let part = parts[offer], !part.waiting.isEmpty,
                let first = firstWaiting(part, now)
            else { continue }
            if let best,
                (best.first.priority, part.lastServed) >= (first.priority, best.part.lastServed)
            {
                continue
            }
            best = (part, first)
        }
        return best
    }

    /// What has no time left is about to end by itself, and costs its key no turn.
    private func firstWaiting(_ part: PartState, _ now: Now) -> WaitingPart? {
        let needsTime = !configuration.planted.contains(.expiredIsDispatched)
        return part.waiting.first { waiting in
            guard let exchange = Self.waitingExchange(waiting, in: exchanges) else { return false }
            return !needsTime || exchange.replyAt.milliseconds(since: now.monotonic) > 0
        }
    }

    /// Whoever was served had waited for so long: others have to go while the queue stands.
    private mutating func shedIfStanding(
        _ part: PartState, _ served: WaitingPart, _ waited: UInt64, _ now: Now,
        _ actions: inout [RouterAction]
    ) {
        guard !configuration.planted.contains(.queueMayStand) else { return }
        let budget = UInt64(
            exchanges[served.key]?.request.header.budgetMilliseconds ?? 0)
        let least = UInt64(configuration.queueDelayTargetMilliseconds)
        let target = max(least, budget / 4) * 1_000_000
        part.recentDelay = part.recentDelay - part.recentDelay / 8 + waited / 8
        let alive = exchanges
        let victim = part.waiting.standing(
            after: served, delay: waited, target: target, at: now.monotonic
        ) { Self.isWaiting($0, in: alive) }
        if let victim { shed(victim, now, &actions) }
    }

    static func isWaiting(
        _ waiting: WaitingPart, in exchanges: [RequestKey: Exchange]
    ) -> Bool {
        waitingExchange(waiting, in: exchanges) != nil
    }

    /// The request of a part that still waits.
    private static func waitingExchange(
        _ waiting: WaitingPart, in exchanges: [RequestKey: Exchange]
    ) -> Exchange? {
        guard let exchange = exchanges[waiting.key], exchange.serial == waiting.serial,
            exchange.parts[waiting.part].stage == .waiting
        else { return nil }
        return exchange
    }

    /// The worker no longer holds the dispatch.
    mutating func releaseCredit(_ id: RequestID, _ worker: Identity) {
        dispatches[id] = nil
        workers[worker]?.release(id)
    }
}
