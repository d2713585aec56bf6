internal import Bytes
internal import Messages

/// Choosing workers and sending them parts of requests.
extension Router {
    /// Sends a part to the best worker, or lets it wait. False if the queue is full.
    mutating func place(
        _ exchange: Exchange, part: Int, mayOverfill: Bool, _ now: Now,
        _ actions: inout [RouterAction]
    ) -> Bool {
        let core = exchange.core
        let offer = exchange.parts[part].offer
        let least = core.request.fields.leastPosition
        let last = exchange.parts[part].lastWorker
        if let worker = chooseWorker(offer, avoiding: last, for: least) {
            services[core.metrics].queueDelay.add(0)
            _ = send(exchange, part: part, to: worker, isHedge: false, now, &actions)
            return true
        }
        let waiting = parts[offer]?.waiting.count ?? 0
        guard
            waiting < configuration.waitingPerPartMax || mayOverfill
                || configuration.planted.contains(.queueIsUnbounded)
        else { return false }
        exchange.parts[part].isQueued = true
        let entry = waitingPart(core, part: part, now)
        parts[offer]?.waiting.append(entry)
        return true
    }

    private func waitingPart(_ core: ExchangeCore, part: Int, _ now: Now) -> WaitingPart {
        let planted = configuration.planted
        let turns = turnKey(of: core.request, core.key)
        let isOrdered = !planted.contains(.deadlinesAreIgnored)
        let header = core.request.header
        return WaitingPart(
            key: core.key, serial: core.serial, part: part,
            priority: planted.contains(.prioritiesAreIgnored) ? 0 : header.priority,
            turns: turns, weight: weight(of: turns),
            deadline: isOrdered ? core.replyAt : MonotonicTime(nanoseconds: 0),
            since: now.monotonic)
    }

    /// The worker with free credit that has the least position, then that has least in flight,
    /// then the least recently used; one that just failed the part only if there is no other.
    func chooseWorker(
        _ key: OfferKey, avoiding last: Identity?, for least: Position?
    ) -> WorkerState? {
        guard let part = parts[key] else { return nil }
        let ignoresCredit = configuration.planted.contains(.creditIsIgnored)
        var best: WorkerState?
        var bestRank = WorkerRank.last
        for identity in part.workers {
            guard let worker = workers[identity],
                let rank = worker.rank(
                    isLast: identity == last, least: least, ignoresCredit: ignoresCredit),
                rank < bestRank
            else { continue }
            (best, bestRank) = (worker, rank)
        }
        return best
    }

    /// Sends a part; nil if no time is left.
    mutating func send(
        _ exchange: Exchange, part: Int, to worker: WorkerState, isHedge: Bool, _ now: Now,
        _ actions: inout [RouterAction]
    ) -> RequestID? {
        let core = exchange.core
        let left = core.replyAt.milliseconds(since: now.monotonic)
        // What has no time left is not sent; the reply's own timer is about to end it.
        guard left > 0 || configuration.planted.contains(.expiredIsDispatched) else { return nil }
        let number = makeNumber()
        let id = exchange.parts[part].send(
            to: worker.identity, worker.name, isHedge: isHedge,
            incarnation: configuration.incarnation, number: number, at: now.monotonic)
        dispatches[id] = Dispatch(
            key: core.key, serial: core.serial, part: part, worker: worker.identity,
            isHedge: isHedge, metrics: core.metrics)
        worker.use(id, number: number)
        counters.dispatched += 1
        services[core.metrics].dispatched += 1
        if !isHedge { armHedge(core, exchange.parts[part].offer, part: part, id, now) }
        let request = Self.request(exchange, part, id: id, left: left, isHedge: isHedge)
        actions.append(.send(request, to: worker.peer))
        return id
    }

    /// A part as its worker gets it.
    private static func request(
        _ exchange: Exchange, _ part: Int, id: RequestID, left: UInt64, isHedge: Bool
    ) -> Message {
        var message = exchange.request
        let offer = exchange.parts[part].offer
        message.header.requestID = id
        message.header.budgetMilliseconds = UInt32(clamping: left)
        message.header.attempt = UInt8(
            clamping: exchange.parts[part].failures + (isHedge ? 2 : 1))
        if !offer.part.isEmpty || message.fields.slice(.part) != nil {
            message.fields.set(.part, text: offer.part.isEmpty ? nil : offer.part)
        }
        if offer.service != exchange.service {
            message.fields.set(.service, text: offer.service)
        }
        if let query = exchange.preparation?.results?.attachments.first {
            message.fields.set(.preparedQuery, query.hash.bytes)
            message.fields.attachmentHashes = [query.hash]
            message.sharedAttachments = [query.bytes]
        }
        return message
    }

    /// The dispatch ended without a result: the other attempt goes on, another worker takes the
    /// part, or it is missing.
    mutating func redispatch(
        _ id: RequestID, _ dispatch: Dispatch, reason: ErrorCode, pushBack: PushBack = .none,
        _ now: Now, _ actions: inout [RouterAction]
    ) {
        let (key, part) = (dispatch.key, dispatch.part)
        guard let exchange = exchanges[key], exchange.serial == dispatch.serial,
            !exchange.parts[part].isOver
        else { return }
        let goesOn = exchange.parts[part].drop(id)
        // Giving back what was not begun is no failure.
        if reason != .handedBack { exchange.parts[part].failures += 1 }
        if !goesOn || !configuration.planted.contains(.otherAttemptForgetsPushBack) {
            exchange.parts[part].note(pushBack, reason: reason, at: now.monotonic)
        }
        guard !goesOn else { return }
        let progress = exchange.parts[part]
        let isEndless = configuration.planted.contains(.deadRequestIsTriedAgain)
        guard progress.failures < configuration.attemptsMax || isEndless, progress.refusal == nil
        else {
            exchange.parts[part].stage = .missing(progress.refusal ?? .workerFailed)
            return finishIfAnswered(exchange, now, &actions)
        }
        exchange.parts[part].stage = .waiting
        guard progress.notBefore > now.monotonic else {
            return retry(exchange, part: part, reason: reason, now, &actions)
        }
        timers.insert(
            .retry(key, serial: exchange.serial, part: part), at: progress.notBefore)
    }

    private mutating func retry(
        _ exchange: Exchange, part: Int, reason: ErrorCode, _ now: Now,
        _ actions: inout [RouterAction]
    ) {
        counters.retried += 1
        services[exchange.metrics].retried += 1
        let name = exchange.parts[part].offer.displayName
        actions.append(.fact(.retried(exchange.key.id, part: name, reason: reason)))
        // Already admitted, and bounded by the requests in flight.
        _ = place(exchange, part: part, mayOverfill: true, now, &actions)
    }

    /// The time that a worker asked for is over.
    mutating func retryDue(
        _ key: RequestKey, _ serial: UInt64, part: Int, _ now: Now,
        _ actions: inout [RouterAction]
    ) {
        guard let exchange = exchanges[key], exchange.serial == serial,
            exchange.parts[part].stage == .waiting, !exchange.parts[part].isQueued
        else { return }
        retry(exchange, part: part, reason: .overloaded, now, &actions)
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

/// What a worker says about trying again, beside its ERROR.
enum PushBack: Sendable, Equatable {
    case none
    /// Not before so many milliseconds.
    case after(UInt32)
    case never

    init(_ error: Message) {
        let stated: UInt32? = error.fields.integer(.retryAfter)
        switch stated {
        case nil, 0: self = .none
        case Message.neverAgain: self = .never
        case .some(let milliseconds): self = .after(milliseconds)
        }
    }
}
