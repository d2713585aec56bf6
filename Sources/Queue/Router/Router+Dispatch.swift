internal import Messages

/// Choosing workers and sending them parts of requests.
extension Router {
    /// Sends a part to the best worker, or lets it wait. False if the queue is full.
    mutating func place(
        _ key: RequestKey, part: Int, mayOverfill: Bool, _ now: Now,
        _ actions: inout [RouterAction]
    ) -> Bool {
        guard let exchange = exchanges[key] else { return true }
        let progress = exchange.parts[part]
        let offer = OfferKey(service: exchange.service, part: progress.name)
        let least = exchange.request.fields.leastPosition
        if let worker = chooseWorker(offer, avoiding: progress.lastWorker, for: least) {
            send(key, part: part, to: worker, now, &actions)
            return true
        }
        let waiting = parts[offer]?.waiting.count ?? 0
        guard
            waiting < configuration.waitingPerPartMax || mayOverfill
                || configuration.planted.contains(.queueIsUnbounded)
        else { return false }
        exchanges[key]?.parts[part].isQueued = true
        parts[offer]?.waiting.append(
            WaitingPart(
                key: key, serial: exchange.serial, part: part,
                priority: exchange.request.header.priority))
        return true
    }

    /// The worker with free credit that has the least position, then that has least in flight,
    /// then the least recently used; one that just failed the part only if there is no other.
    private func chooseWorker(
        _ key: OfferKey, avoiding last: Identity?, for least: Position?
    ) -> Identity? {
        let ignoresCredit = configuration.planted.contains(.creditIsIgnored)
        let able = (parts[key]?.workers ?? []).compactMap { workers[$0] }
            .filter { $0.canTake || (ignoresCredit && $0.credit > 0) }
        let others = able.filter { $0.identity != last }
        let best = (others.isEmpty ? able : others).min {
            ($0.isBehind(least), $0.inFlight.count, $0.lastUsed, $0.serial)
                < ($1.isBehind(least), $1.inFlight.count, $1.lastUsed, $1.serial)
        }
        return best?.identity
    }

    mutating func send(
        _ key: RequestKey, part: Int, to worker: Identity, _ now: Now,
        _ actions: inout [RouterAction]
    ) {
        guard let exchange = exchanges[key], let peer = workers[worker]?.peer else { return }
        let left = exchange.replyAt.milliseconds(since: now.monotonic)
        // What has no time left is not sent; the reply's own timer is about to end it.
        guard left > 0 else { return }
        let id = makeID()
        let progress = exchange.parts[part]
        var message = exchange.request
        message.header.requestID = id
        message.header.budgetMilliseconds = UInt32(clamping: left)
        message.header.attempt = progress.attempt
        message.fields.set(.part, text: progress.name.isEmpty ? nil : progress.name)
        dispatches[id] = Dispatch(key: key, serial: exchange.serial, part: part, worker: worker)
        workers[worker]?.inFlight.append(id)
        let use = makeNumber()
        workers[worker]?.lastUsed = use
        exchanges[key]?.parts[part].stage = .dispatched(id)
        exchanges[key]?.parts[part].dispatchedAt = now.monotonic
        exchanges[key]?.parts[part].lastWorker = worker
        exchanges[key]?.parts[part].lastWorkerName = workers[worker]?.name ?? ""
        counters.dispatched += 1
        actions.append(.send(message, to: peer))
    }

    /// The dispatch ended without a result: another worker takes the part, or it is missing.
    mutating func redispatch(
        _ dispatch: Dispatch, reason: ErrorCode, _ now: Now, _ actions: inout [RouterAction]
    ) {
        let (key, part) = (dispatch.key, dispatch.part)
        guard let exchange = exchanges[key], exchange.serial == dispatch.serial,
            !exchange.parts[part].isOver
        else { return }
        // Giving back what was not begun is no failure.
        if reason != .handedBack { exchanges[key]?.parts[part].failures += 1 }
        let failures = exchange.parts[part].failures + (reason == .handedBack ? 0 : 1)
        exchanges[key]?.parts[part].forgetResults()
        guard failures < configuration.attemptsMax else {
            exchanges[key]?.parts[part].stage = .missing(.workerFailed)
            return finishIfAnswered(key, now, &actions)
        }
        exchanges[key]?.parts[part].stage = .waiting
        counters.retried += 1
        let offer = OfferKey(service: exchange.service, part: exchange.parts[part].name)
        actions.append(
            .fact(.retried(key.id, part: offer.displayName, reason: reason)))
        // Already admitted, and bounded by the requests in flight.
        _ = place(key, part: part, mayOverfill: true, now, &actions)
    }

    /// Nobody waits for the dispatch any more. It keeps its credit until the worker answers.
    mutating func cancelDispatch(
        _ id: RequestID, _ now: Now, _ actions: inout [RouterAction]
    ) {
        guard let dispatch = dispatches[id], let peer = workers[dispatch.worker]?.peer else {
            dispatches[id] = nil
            return
        }
        dispatches[id]?.isCancelled = true
        actions.append(.send(Message(Header(.cancel, requestID: id)), to: peer))
        scheduleCancelAgain(id, now)
    }

    /// A CANCEL or its answer may have been lost with a connection.
    mutating func cancelAgain(
        _ id: RequestID, _ now: Now, _ actions: inout [RouterAction]
    ) {
        guard let dispatch = dispatches[id], dispatch.isCancelled,
            let peer = workers[dispatch.worker]?.peer
        else { return }
        actions.append(.send(Message(Header(.cancel, requestID: id)), to: peer))
        scheduleCancelAgain(id, now)
    }

    private mutating func scheduleCancelAgain(_ id: RequestID, _ now: Now) {
        let wait = UInt64(configuration.pingIntervalMilliseconds) * Limits.missedPingsMax
        timers.insert(.cancelAgain(id), at: now.monotonic.adding(milliseconds: wait))
    }
}
