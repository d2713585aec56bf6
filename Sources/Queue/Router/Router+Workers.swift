internal import Messages

/// Workers: what they offer, their credit, and what becomes of their requests when they go.
extension Router {
    mutating func addPart(_ key: OfferKey) {
        guard parts[key] == nil else { return }
        parts[key] = PartState()
        partNames[key.service, default: []].append(key)
        partNames[key.service]?.sort()
    }

    mutating func offer(_ key: OfferKey, by worker: Identity) {
        addPart(key)
        parts[key]?.workers.append(worker)
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
            redispatch(dispatch, reason: reason, now, &actions)
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
        let interval = configuration.pingIntervalMilliseconds
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
        while let worker = workers[identity], worker.canTake {
            var best: (key: OfferKey, part: WaitingPart)?
            for key in worker.offers {
                guard let first = firstWaiting(key) else { continue }
                guard let other = best?.part else {
                    best = (key, first)
                    continue
                }
                if first.priority > other.priority
                    || (first.priority == other.priority && first.serial < other.serial)
                {
                    best = (key, first)
                }
            }
            guard let best else { return }
            parts[best.key]?.waiting.removeFirst()
            exchanges[best.part.key]?.parts[best.part.part].isQueued = false
            send(best.part.key, part: best.part.part, to: identity, now, &actions)
        }
    }

    private mutating func firstWaiting(_ key: OfferKey) -> WaitingPart? {
        let alive = exchanges
        return parts[key]?.waiting.first { Self.isWaiting($0, in: alive) }
    }

    static func isWaiting(
        _ waiting: WaitingPart, in exchanges: [RequestKey: Exchange]
    ) -> Bool {
        guard let exchange = exchanges[waiting.key], exchange.serial == waiting.serial
        else { return false }
        return exchange.parts[waiting.part].stage == .waiting
    }

    /// The worker no longer holds the dispatch.
    mutating func releaseCredit(_ id: RequestID, _ worker: Identity) {
        dispatches[id] = nil
        workers[worker]?.inFlight.removeAll { $0 == id }
    }
}
