internal import Bytes
internal import Messages

/// Requests at the door.
extension Router {
    /// The services that the router knows by name; it treats all others alike.
    enum OwnService {
        static let status = "status"
        static let continuation = "search.continue"
        static let search = "image.search"
        /// What is done once for all parts of `search`.
        static let prepare = "search.prepare"
        /// `dead.list`, `dead.show`, `dead.drop`.
        static let deadPrefix = "dead."
        /// `job.result`, `job.drop`.
        static let jobPrefix = "job."
        static let jobResult = "job.result"
        static let jobDrop = "job.drop"

        /// No worker is asked.
        static func isAnsweredHere(_ service: String) -> Bool {
            service == continuation || service.hasPrefix(deadPrefix)
                || service.hasPrefix(jobPrefix)
        }
    }

    mutating func admit(
        _ message: Message, _ client: Identity, _ peer: Peer, _ now: Now,
        _ actions: inout [RouterAction]
    ) {
        counters.requests += 1
        let key = RequestKey(client: client, id: message.header.requestID)
        guard !isRepeated(key, &actions) else { return }
        let service = message.fields.text(.service) ?? ""
        if let refusal = refusal(of: message, from: client) {
            return refuse(refusal, key, service, &actions)
        }
        if message.header.flags.contains(.detached) {
            return submitJob(message, service, key, now, &actions)
        }
        if OwnService.isAnsweredHere(service) {
            return answerHere(message, service, key, now, &actions)
        }
        let offers = offers(of: service)
        guard service == OwnService.status || isSettled(at: now.monotonic) else {
            begin(message, key, service, nil, now, &actions)
            return
        }
        guard !offers.isEmpty || service == OwnService.status else {
            counters.unroutable += 1
            let text = "no worker offers \(service)"
            return refuse(.error(.unknownService, text), key, service, &actions)
        }
        let verdict = judge(message, service, offers, now)
        if case .tooLittle(let needed) = verdict {
            return refuseTooLate(message, needed, key, service, &actions)
        }
        if verdict == .probe { actions.append(.fact(.probed(key.id, service: service))) }
        let queues = queues(of: message, service, offers)
        guard makeRoom(for: message, key, queues, now, &actions) else {
            let text = "\(configuration.waitingPerPartMax) requests wait for \(service)"
            return refuse(overloaded(text), key, service, &actions)
        }
        begin(message, key, service, offers, isProbe: verdict == .probe, now, &actions)
    }

    private mutating func answerHere(
        _ message: Message, _ service: String, _ key: RequestKey, _ now: Now,
        _ actions: inout [RouterAction]
    ) {
        if service == OwnService.continuation {
            answerContinuation(message, key, now, &actions)
        } else if service.hasPrefix(OwnService.deadPrefix) {
            answerDead(message, service, key, &actions)
        } else {
            answerJob(message, service, key, now, &actions)
        }
    }

    /// A request that came again joins the one in flight, or was answered already.
    private mutating func isRepeated(
        _ key: RequestKey, _ actions: inout [RouterAction]
    ) -> Bool {
        guard !configuration.planted.contains(.duplicateBeginsAgain) else { return false }
        if exchanges.has(key) || changeIDs.has(key) || subscriptions.has(key) || jobWaits.has(key) {
            // The reply goes to the connection that the client has then.
            counters.duplicates += 1
            actions.append(.fact(.joinedInFlight(key.id)))
            return true
        }
        guard finished.contains(key) else { return false }
        counters.duplicates += 1
        actions.append(.fact(.duplicate(key.id)))
        return true
    }

    /// Why a request is not taken at all; nil if it is.
    private func refusal(of message: Message, from client: Identity) -> Message? {
        let budget = message.header.budgetMilliseconds
        let range = Limits.budgetMillisecondsMin...Limits.budgetMillisecondsMax
        let limit: UInt32 = message.fields.integer(.limit) ?? 1
        if lifecycle != .running { return .error(.draining, "the router stops") }
        if message.header.requestID == .zero {
            return .error(.badRequest, "a request has an id other than zero")
        }
        if !range.contains(budget) {
            let allowed = "\(range.lowerBound) to \(range.upperBound)"
            return .error(.badRequest, "budget \(budget) ms; \(allowed) are allowed")
        }
        if message.fields.slice(.service) == nil {
            return .error(.badRequest, "a request names a service")
        }
        if let share: UInt32 = message.fields.integer(.leastShare), !(1...100).contains(share) {
            return .error(.badRequest, "least share \(share); 1 to 100 are allowed")
        }
        if limit < 1 || limit > Limits.resultsMax {
            return .error(.badRequest, "limit \(limit); 1 to \(Limits.resultsMax) are allowed")
        }
        if message.sharedBody.count > Limits.bodyBytesMax {
            return .error(.tooLarge, "a body has at most \(Limits.bodyBytesMax) bytes")
        }
        return overload(message, client)
    }

    private func overload(_ message: Message, _ client: Identity) -> Message? {
        if exchanges.count + jobWaits.count >= configuration.inFlightMax {
            return overloaded("\(configuration.inFlightMax) requests are in flight")
        }
        if (clients[client]?.inFlight.count ?? 0) >= configuration.inFlightPerClientMax {
            let most = configuration.inFlightPerClientMax
            return overloaded("the client has \(most) requests in flight")
        }
        if exchangeBytes + message.byteCount > configuration.inFlightBytesMax {
            return overloaded("\(configuration.inFlightBytesMax) bytes are in flight")
        }
        return nil
    }

    func overloaded(_ text: String) -> Message {
        .error(.overloaded, text, retryAfterMilliseconds: Limits.retryAfterMilliseconds)
    }

    mutating func refuse(
        _ error: Message, _ key: RequestKey, _ service: String,
        _ actions: inout [RouterAction]
    ) {
        counters.failed += 1
        let code = error.errorCode ?? .internalFault
        if code == .overloaded { counters.overloaded += 1 }
        let place = metricsPlace(of: service)
        services[place].requests += 1
        services[place].count(code)
        if key.id != .zero { finished.insert(key) }
        if let peer = clients[key.client]?.peer {
            let text = error.fields.text(.errorText) ?? ""
            actions.append(.fact(.refused(peer, code, text)))
        }
        reply(error, to: key, &actions)
    }

    /// Where a service is counted; names that no worker offers are counted together.
    mutating func metricsPlace(of service: String) -> Int {
        partNames[service] == nil ? 0 : services.place(of: service)
    }

    func hasRoom(_ offer: OfferKey) -> Bool {
        guard let part = parts[offer] else { return false }
        return part.waiting.count < configuration.waitingPerPartMax
            || part.workers.contains { workers[$0]?.canTake == true }
            || configuration.planted.contains(.queueIsUnbounded)
    }

    /// There is room for a request in each queue that it may have to wait in, or whoever fills
    /// one gives way.
    private mutating func makeRoom(
        for message: Message, _ key: RequestKey, _ offers: [OfferKey], _ now: Now,
        _ actions: inout [RouterAction]
    ) -> Bool {
        for offer in offers where !hasRoom(offer) {
            guard giveWay(offer, to: message, key, now, &actions) else { return false }
        }
        return true
    }

    /// Puts a request in flight; without offers it is held until the router is settled.
    mutating func begin(
        _ message: Message, _ key: RequestKey, _ service: String, _ offers: [OfferKey]?,
        isProbe: Bool = false, _ now: Now, _ actions: inout [RouterAction]
    ) {
        var request = message
        // What the router asks itself has its instant already.
        let obeysAsOf =
            configuration.allowsClientAsOf || key.client == configuration.identity
        if !obeysAsOf || request.fields.asOf == nil { request.fields.asOf = now.wall }
        let budget = message.header.budgetMilliseconds
        let limit: UInt32? = message.fields.integer(.limit)
        let core = ExchangeCore(
            key: key, serial: makeNumber(), request: request, service: service,
            metrics: metricsPlace(of: service),
            limit: limit.map(Int.init) ?? Limits.resultsDefault, arrival: now.monotonic,
            replyAt: now.monotonic.adding(
                milliseconds: budget - margin.milliseconds(ofBudget: budget)),
            byteCount: message.byteCount, isProbe: isProbe)
        services[core.metrics].requests += 1
        if offers == nil { held.append(key) }
        exchangeBytes += core.byteCount
        timers.insert(.reply(key, serial: core.serial), at: core.replyAt)
        let beginning = beginning(request, service, offers ?? [])
        let exchange = Exchange(
            core: core, parts: beginning.parts, isHeld: offers == nil,
            following: beginning.following)
        exchanges[key] = exchange
        clients[key.client]?.inFlight.append(key)
        if beginning.following != nil { armPreparation(core, now) }
        placeAll(exchange, now, &actions)
    }

    /// The router is settled: what came before goes where it belongs.
    mutating func beginHeld(_ now: Now, _ actions: inout [RouterAction]) {
        let keys = held
        held = []
        for key in keys {
            guard let exchange = exchanges[key], exchange.isHeld else { continue }
            let offers = offers(of: exchange.service)
            if offers.isEmpty {
                counters.unroutable += 1
                let text = "no worker offers \(exchange.service)"
                fail(key, .error(.unknownService, text), now, &actions)
            } else if queues(of: exchange.request, exchange.service, offers)
                .allSatisfy(hasRoom)
            {
                let beginning = beginning(exchange.request, exchange.service, offers)
                exchange.isHeld = false
                exchange.parts = beginning.parts
                exchange.following = beginning.following
                if beginning.following != nil { armPreparation(exchange.core, now) }
                placeAll(exchange, now, &actions)
            } else {
                counters.overloaded += 1
                let text = "too many requests wait for \(exchange.service)"
                fail(key, overloaded(text), now, &actions)
            }
        }
    }

    mutating func cancelRequest(
        _ id: RequestID, _ client: Identity, _ now: Now, _ actions: inout [RouterAction]
    ) {
        let key = RequestKey(client: client, id: id)
        if let subscription = subscriptions[key] {
            removeSubscription(key)
            return refuse(
                .error(.cancelled, "the client cancelled"), key, subscription.service, &actions)
        }
        if jobWaits[key] != nil { return cancelWait(key, now, &actions) }
        guard exchanges[key] != nil else { return }
        fail(key, .error(.cancelled, "the client cancelled"), now, &actions)
    }
}

extension Message {
    /// Bytes of body and attachments.
    var byteCount: Int { sharedAttachments.reduce(sharedBody.count) { $0 + $1.count } }
}
