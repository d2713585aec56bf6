internal import Messages

/// Second attempts beside the first, for requests that take longer than most.
extension Router {
    /// Lets a second attempt begin once the first has taken longer than 95 % of the others, if
    /// the service allows one and somebody else offers it.
    mutating func armHedge(
        _ core: ExchangeCore, _ offer: OfferKey, part: Int, _ attempt: RequestID, _ now: Now
    ) {
        guard let wait = parts[offer]?.hedgeWait() else { return }
        rearm(core, part: part, attempt, after: wait, now)
    }

    private mutating func rearm(
        _ core: ExchangeCore, part: Int, _ attempt: RequestID, after wait: UInt64, _ now: Now
    ) {
        let time = MonotonicTime(nanoseconds: now.monotonic.nanoseconds &+ wait)
        guard time < core.replyAt else { return }
        timers.insert(
            .hedge(core.key, serial: core.serial, part: part, attempt: attempt), at: time)
    }

    /// An attempt has taken longer than most.
    mutating func hedgeDue(
        _ key: RequestKey, _ serial: UInt64, part: Int, _ attempt: RequestID, _ now: Now,
        _ actions: inout [RouterAction]
    ) {
        guard let exchange = exchanges[key], exchange.serial == serial,
            exchange.parts[part].attempt?.id == attempt, exchange.parts[part].hedge == nil,
            exchange.parts[part].refusal == nil,
            exchange.parts[part].notBefore <= now.monotonic
        else { return }
        let offer = exchange.parts[part].offer
        guard let state = parts[offer], let wait = state.times.hedgeAfter, state.mayRepeat
        else { return }
        let first = exchange.parts[part].attempt?.worker
        let least = exchange.request.fields.leastPosition
        // Who waits has none yet; a second attempt is for when there is room.
        guard state.waiting.isEmpty,
            let worker = chooseWorker(offer, avoiding: first, for: least), worker.identity != first,
            state.hedges.pay()
                || configuration.planted.contains(.hedgesAreUnbounded)
        else { return rearm(exchange.core, part: part, attempt, after: wait, now) }
        guard send(exchange, part: part, to: worker, isHedge: true, now, &actions) != nil else {
            return
        }
        counters.hedged += 1
        services[exchange.metrics].hedged += 1
        actions.append(.fact(.hedged(key.id, part: offer.displayName)))
    }
}
