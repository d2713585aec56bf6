internal import Messages

/// What a request must bring to be let in: enough time, and room in the queues.
extension Router {
    /// Whether a request has as much time as its service has recently needed. Parts that may
    /// answer in time are worth a request; one that none can answer is not.
    mutating func judge(
        _ message: Message, _ service: String, _ offers: [OfferKey], _ now: Now
    ) -> NeededTime.Verdict {
        guard service != OwnService.status else { return .enough }
        let budget = message.header.budgetMilliseconds
        let left = UInt64(budget - margin.milliseconds(ofBudget: budget)) * 1_000_000
        var least = UInt64.max
        var isProbe = false
        for offer in offers {
            switch parts[offer]?.times.needed.judge(left, at: now.monotonic) {
            case .enough, nil: return .enough
            case .probe: isProbe = true
            case .tooLittle(let needed): least = min(least, needed)
            }
        }
        if configuration.planted.contains(.probesAreRefused) {
            return .tooLittle(needed: isProbe ? left : least)
        }
        return isProbe || offers.isEmpty ? .probe : .tooLittle(needed: least)
    }

    mutating func refuseTooLate(
        _ message: Message, _ needed: UInt64, _ key: RequestKey, _ service: String,
        _ actions: inout [RouterAction]
    ) {
        counters.tooLate += 1
        services[metricsPlace(of: service)].tooLate += 1
        let text =
            "budget \(message.header.budgetMilliseconds) ms; \(service) has lately needed "
            + "\((needed + 999_999) / 1_000_000) ms"
        let error = Message.error(
            .deadlineExceeded, text, retryAfterMilliseconds: Limits.retryAfterMilliseconds)
        refuse(error, key, service, &actions)
    }

    /// Whoever shares its turns with most makes room for a request of one that has fewer waiting;
    /// false if nobody does.
    mutating func giveWay(
        _ offer: OfferKey, to message: Message, _ key: RequestKey, _ now: Now,
        _ actions: inout [RouterAction]
    ) -> Bool {
        guard let victim = victim(of: offer), let waiting = parts[offer]?.waiting else {
            return false
        }
        let priority = message.header.priority
        if victim.priority == priority {
            let own = waiting.stored(of: turnKey(of: message, key), priority: priority)
            let others = waiting.stored(of: victim.turns, priority: priority)
            guard own + 1 < others else { return false }
        } else if victim.priority > priority {
            return false
        }
        shed(victim, now, &actions)
        return true
    }

    /// Ends a request that waits, because others have to get their turn.
    mutating func shed(
        _ victim: WaitingPart, _ now: Now, _ actions: inout [RouterAction]
    ) {
        guard let exchange = exchanges[victim.key] else { return }
        counters.shed += 1
        counters.overloaded += 1
        services[exchange.metrics].shed += 1
        actions.append(.fact(.shed(victim.key.id, service: exchange.service)))
        let offer = exchange.parts[victim.part].offer
        let waits = (parts[offer]?.recentDelay ?? 0) / 1_000_000
        let retryAfter = max(Limits.retryAfterMilliseconds, UInt32(clamping: waits))
        let text = "requests for \(exchange.service) wait for \(waits) ms"
        fail(
            victim.key, .error(.overloaded, text, retryAfterMilliseconds: retryAfter), now,
            &actions)
    }

    func victim(of offer: OfferKey) -> WaitingPart? {
        let exchanges = exchanges
        return parts[offer]?.waiting.victim(
            ofFattest: !configuration.planted.contains(.thinnestGivesWay)
        ) { Self.isWaiting($0, in: exchanges) }
    }

    /// Who a request shares its turns with.
    func turnKey(of message: Message, _ key: RequestKey) -> TurnKey {
        if configuration.planted.contains(.turnsAreByArrival) { return .named("all") }
        return message.fields.text(.fairnessKey).map(TurnKey.named) ?? .client(key.client)
    }

    func weight(of turns: TurnKey) -> UInt32 {
        guard case .named(let name) = turns, let weight = configuration.fairnessWeights[name]
        else { return 1 }
        return min(max(weight, 1), Limits.fairnessWeightMax)
    }
}
