internal import Bytes
internal import Messages

/// The parts of a service that is split over several workers: which there have to be, what is
/// prepared for all of them, and how much of it a client demands.
extension Router {
    /// The parts that a request for the service goes to. Those whose workers left a moment ago
    /// count, or a restart would look like a smaller catalog; status asks who is there now. Slots
    /// whose workers left count as long as others do not have them.
    func offers(of service: String) -> [OfferKey] {
        let known = partNames[service] ?? []
        guard service != OwnService.status else {
            return known.filter { parts[$0]?.workers.isEmpty == false }
        }
        guard known.count > 1 else { return known }
        let left = known.filter { parts[$0]?.workers.isEmpty == true && $0.slots != nil }
        guard !left.isEmpty else { return known }
        var covered = known.filter { !left.contains($0) }.compactMap(\.slots)
        // Smaller ranges first: they say more exactly what is missing.
        let needed = left.sorted { ($0.slots?.count ?? 0, $0) < ($1.slots?.count ?? 0, $1) }
            .filter { offer in
                guard let slots = offer.slots,
                    SlotRange.count(of: covered + [slots]) > SlotRange.count(of: covered)
                else { return false }
                covered.append(slots)
                return true
            }
        return known.filter { !left.contains($0) || needed.contains($0) }
    }

    /// How far the parts of a request are at its beginning: slots that nobody offers are missing
    /// from the start.
    func beginnings(of offers: [OfferKey]) -> [PartProgress] {
        let begun = offers.map { PartProgress($0) }
        // One that is the whole service has no gaps.
        if begun.count == 1, offers[0].part.isEmpty { return begun }
        let slots = begun.compactMap(\.slots)
        guard let service = offers.first?.service, slots.count == begun.count,
            !configuration.planted.contains(.gapsAreNotSeen)
        else { return begun }
        return begun
            + SlotRange.gaps(between: slots).map { PartProgress(missing: $0, of: service) }
    }

    /// Puts the parts of a request into its exchange, or first what prepares it for them: a picture
    /// is decoded and printed once, and not by each part.
    func beginning(
        _ request: Message, _ service: String, _ offers: [OfferKey]
    ) -> (parts: [PartProgress], following: [PartProgress]?) {
        let parts = beginnings(of: offers)
        guard let preparer = preparer(of: request, service, offers) else { return (parts, nil) }
        return ([PartProgress(preparer)], parts)
    }

    /// What prepares a request for its parts; nil if there is nothing to prepare.
    private func preparer(
        of request: Message, _ service: String, _ offers: [OfferKey]
    ) -> OfferKey? {
        // A print that the client made is no work.
        guard service == OwnService.search, offers.count > 1, !request.sharedAttachments.isEmpty,
            request.fields[.printVersion] == nil,
            !configuration.planted.contains(.picturesArePassedOn)
        else { return nil }
        let preparer = OfferKey(service: OwnService.prepare, part: "")
        return parts[preparer] == nil ? nil : preparer
    }

    /// The queues that a request may have to wait in.
    func queues(of request: Message, _ service: String, _ offers: [OfferKey]) -> [OfferKey] {
        guard let preparer = preparer(of: request, service, offers) else { return offers }
        return offers + [preparer]
    }

    /// The request is prepared: its parts begin.
    mutating func begin(
        _ following: [PartProgress], behind preparation: PartProgress, of exchange: Exchange,
        _ now: Now, _ actions: inout [RouterAction]
    ) {
        guard preparation.results?.attachments.isEmpty == false else {
            let text = "\(preparation.lastWorkerName) prepared nothing"
            return fail(exchange.key, .error(.internalFault, text), now, &actions)
        }
        actions.append(.fact(.prepared(exchange.key.id)))
        exchange.preparation = preparation
        exchange.following = nil
        exchange.parts = following
        placeAll(exchange, mayOverfill: true, now, &actions)
    }

    /// Looks at the preparation again once half of the time is over.
    mutating func armPreparation(_ core: ExchangeCore, _ now: Now) {
        let left = core.replyAt.milliseconds(since: now.monotonic)
        guard left >= 2 else { return }
        timers.insert(
            .preparation(core.key, serial: core.serial),
            at: now.monotonic.adding(milliseconds: left / 2))
    }

    /// Whoever prepares the request has had half of the time, and may stand still: the parts get
    /// the request as it came. One that still waits for a worker does so because there is much to
    /// do, which this would only add to.
    mutating func preparationDue(
        _ key: RequestKey, _ serial: UInt64, _ now: Now, _ actions: inout [RouterAction]
    ) {
        guard let exchange = exchanges[key], exchange.serial == serial,
            let following = exchange.following, let part = exchange.parts.first
        else { return }
        guard part.stage == .dispatched else { return armPreparation(exchange.core, now) }
        for id in [part.attempt?.id, part.hedge?.id].compactMap(\.self) {
            cancelDispatch(id, now, &actions)
        }
        actions.append(.fact(.unprepared(key.id, client: key.client)))
        exchange.following = nil
        exchange.parts = following
        placeAll(exchange, mayOverfill: true, now, &actions)
    }

    /// Sends the parts of a request to workers, or lets them wait.
    mutating func placeAll(
        _ exchange: Exchange, mayOverfill: Bool = false, _ now: Now,
        _ actions: inout [RouterAction]
    ) {
        for part in exchange.parts.indices where exchange.parts[part].stage == .waiting {
            _ = place(exchange, part: part, mayOverfill: mayOverfill, now, &actions)
        }
        finishIfAnswered(exchange, now, &actions)
    }

    /// What a client is told that demands more of the service than has answered; nil if it does
    /// not.
    func tooLittle(_ exchange: Exchange) -> Message? {
        guard let least: UInt32 = exchange.request.fields.integer(.leastShare),
            exchange.share < Int(least), !configuration.planted.contains(.leastShareIsIgnored)
        else { return nil }
        let missing = exchange.missing.joined(separator: ", ")
        return .error(
            .incomplete,
            "\(exchange.share) % answered in time, of \(least) % demanded; missing: \(missing)")
    }
}
