internal import Bytes
internal import Messages

/// The one reply of each request.
extension Router {
    /// The deadline is near: the reply leaves with what has arrived.
    ///
    /// It is a FINAL even if nothing has: the parts that are missing are what there is to say.
    mutating func replyDue(
        _ key: RequestKey, _ serial: UInt64, _ now: Now, _ actions: inout [RouterAction]
    ) {
        guard let exchange = exchanges[key], exchange.serial == serial,
            !configuration.planted.contains(.deadlineIsForgotten)
        else { return }
        margin.note(lateness: now.monotonic.nanoseconds &- exchange.replyAt.nanoseconds)
        noteGivenUp(exchange, now)
        finish(exchange, now, &actions)
    }

    /// What the deadline ends has needed at least the time that it had.
    private mutating func noteGivenUp(_ exchange: Exchange, _ now: Now) {
        for part in exchange.parts {
            guard let attempt = part.attempt else { continue }
            let offer = part.offer
            let waited = now.monotonic.nanoseconds &- attempt.since.nanoseconds
            parts[offer]?.times.needed.noteGivenUp(after: waited, at: now.monotonic)
        }
    }

    mutating func finishIfAnswered(
        _ exchange: Exchange, _ now: Now, _ actions: inout [RouterAction]
    ) {
        guard exchange.isAnswered else { return }
        if let following = exchange.following, exchange.parts[0].isAnswered {
            return begin(following, behind: exchange.parts[0], of: exchange, now, &actions)
        }
        if let failure = exchange.failure { return fail(exchange.key, failure, now, &actions) }
        finish(exchange, now, &actions)
    }

    private mutating func finish(
        _ exchange: Exchange, _ now: Now, _ actions: inout [RouterAction]
    ) {
        if let refusal = tooLittle(exchange) {
            return fail(exchange.key, refusal, now, &actions)
        }
        _ = close(exchange.key, now, &actions)
        let shown = exchange.parts.compactMap(\.shown)
        var lists = shown.map { $0.items }
        if exchange.service == OwnService.status { lists.append([statusItem(now)]) }
        let all =
            configuration.planted.contains(.unionIsNotMade)
            ? Array(lists.joined()) : Merge.merge(lists, limit: Limits.resultsMax)
        let isComplete = exchange.isComplete
        var fields = resultFields(of: exchange, shown)
        var found: [ContentHash: SharedBytes] = [:]
        for part in shown {
            for (hash, bytes) in part.attachments { found[hash] = bytes }
        }
        // What the router asked itself for somebody else it cannot continue for them.
        if exchange.service == OwnService.search, exchange.key.client != configuration.identity {
            keep(all, found, isComplete: isComplete, exchange, &fields, now)
        }
        var final = Self.final(
            all, from: lists.count == 1 ? shown.first?.body ?? [] : [],
            limit: exchange.core.limit, fields: fields, attachments: found,
            isComplete: isComplete)
        final.diagnostics = Diagnostics.json(of: exchange, now)
        if isComplete { counters.complete += 1 } else { counters.incomplete += 1 }
        if isComplete {
            services[exchange.metrics].complete += 1
        } else {
            services[exchange.metrics].incomplete += 1
        }
        tell(exchange, final, isComplete ? .complete : .incomplete, now, &actions)
    }

    /// Bytes of the fields that most replies have.
    private static let resultFieldsBytes = 128

    private func resultFields(of exchange: Exchange, _ shown: [PartResults]) -> Fields {
        var fields = Fields()
        fields.reserve(Self.resultFieldsBytes)
        let own: UInt32 = exchange.service == OwnService.status ? 1 : 0
        let total = exchange.isHeld ? 1 : UInt32(exchange.ownParts.count)
        fields.set(.partsTotal, integer: total + own)
        let answered = exchange.ownParts.count { $0.isAnswered }
        fields.set(.partsAnswered, integer: UInt32(answered) + own)
        if !exchange.isComplete { fields.missing = exchange.missing }
        fields.checked = shown.compactMap(\.checked).reduce(nil) { sum, next in
            sum?.adding(next) ?? next
        }
        fields.asOf = exchange.request.fields.asOf
        fields.position = position(of: shown.compactMap { $0.position })
        let versions = shown.compactMap { $0.printVersion }
        if let version = versions.first, versions.allSatisfy({ $0 == version }) {
            fields.set(.printVersion, text: version)
        }
        if shown.count == 1, let only = shown.first {
            fields.set(.nextPage, only.nextPage)
            fields.set(.holdsUntil, only.holdsUntil)
            fields.set(.listHash, only.listHash)
        }
        return fields
    }

    /// The lowest; none if the parts follow different journals, which have no order.
    private func position(of positions: [Position]) -> Position? {
        guard let first = positions.first, positions.allSatisfy({ $0.epoch == first.epoch })
        else { return nil }
        if configuration.planted.contains(.positionIsHighest) {
            return positions.max { $0.sequence < $1.sequence }
        }
        return positions.min { $0.sequence < $1.sequence }
    }

    /// A FINAL of the first `limit` items with the attachments that they name, as far as they fit
    /// into one message.
    static func final(
        _ all: [MergeItem], from whole: SharedBytes = [], limit: Int, fields: Fields,
        attachments found: [ContentHash: SharedBytes],
        isComplete: Bool
    ) -> Message {
        var message = Message(Header(.final, flags: isComplete ? .complete : []), fields: fields)
        var bodyRoom = Limits.frameBytesMax - 2
        let items = all.prefix(limit).prefix { item in
            bodyRoom -= item.jsonRange.count + 1
            return bodyRoom >= 0
        }
        message.fields.set(.layout, [items.count == 1 ? 1 : 0])
        message.sharedBody = Merge.body(of: Array(items), from: whole)
        guard !found.isEmpty else { return message }
        var room = Limits.messageBytesMax - message.sharedBody.count - Limits.bodyBytesMax
        var hashes: [ContentHash] = []
        var named: Set<ContentHash> = []
        for hash in items.flatMap(\.attachments) where !named.contains(hash) {
            guard let bytes = found[hash], bytes.count <= room,
                hashes.count < Limits.framesMax - 3
            else { continue }
            named.insert(hash)
            hashes.append(hash)
            message.sharedAttachments.append(bytes)
            room -= bytes.count
        }
        message.fields.attachmentHashes = hashes
        return message
    }

    /// Ends a request with an ERROR.
    mutating func fail(
        _ key: RequestKey, _ error: Message, _ now: Now, _ actions: inout [RouterAction]
    ) {
        guard let exchange = close(key, now, &actions) else { return }
        let code = error.errorCode ?? .internalFault
        services[exchange.metrics].count(code)
        var reply = Message.error(code, error.fields.text(.errorText) ?? "")
        reply.sharedBody = error.sharedBody
        reply.fields.set(.retryAfter, error.fields[.retryAfter])
        reply.fields.position = error.fields.position
        counters.failed += 1
        tell(exchange, reply, .failed(code), now, &actions)
    }

    /// The client is gone: nobody is told.
    mutating func abandon(
        _ key: RequestKey, _ now: Now, _ actions: inout [RouterAction]
    ) {
        if jobWaits[key] != nil { return endWait(key) }
        guard let exchange = close(key, now, &actions) else { return }
        counters.failed += 1
        services[exchange.metrics].count(.cancelled)
        actions.append(
            .fact(.finished(key.id, service: exchange.service, .failed(.cancelled))))
    }

    /// Sends the reply of a request that is closed to whoever asked.
    private mutating func tell(
        _ exchange: Exchange, _ reply: Message, _ outcome: RouterFact.Outcome, _ now: Now,
        _ actions: inout [RouterAction]
    ) {
        let key = exchange.key
        services[exchange.metrics].duration.add(
            now.monotonic.nanoseconds &- exchange.arrival.nanoseconds)
        if takeAnswer(reply, to: key, exchange.request, now, &actions) { return }
        if takeJobAnswer(reply, to: key, now, &actions) { return }
        self.reply(reply, to: key, &actions)
        actions.append(.fact(.finished(key.id, service: exchange.service, outcome)))
        guard configuration.records else { return }
        var reply = reply
        reply.header.requestID = key.id
        actions.append(
            .exchange(
                request: exchange.request, reply: reply, client: key.client,
                arrival: exchange.arrival))
    }

    /// Takes a request out of everything that refers to it.
    private mutating func close(
        _ key: RequestKey, _ now: Now, _ actions: inout [RouterAction]
    ) -> Exchange? {
        guard let exchange = exchanges.removeValue(forKey: key) else { return nil }
        exchangeBytes -= exchange.core.byteCount
        clients[key.client]?.ended(key)
        finished.insert(key)
        for part in exchange.parts {
            if let id = part.attempt?.id { cancelDispatch(id, now, &actions) }
            if let id = part.hedge?.id { cancelDispatch(id, now, &actions) }
            guard part.isQueued else { continue }
            let alive = exchanges
            parts[part.offer]?.waiting
                .ended { Self.isWaiting($0, in: alive) }
        }
        return exchange
    }

    mutating func reply(
        _ message: Message, to key: RequestKey, _ actions: inout [RouterAction]
    ) {
        guard let peer = clients[key.client]?.peer else {
            counters.unsent += 1
            actions.append(.fact(.unsent(key.id)))
            return
        }
        var message = message
        message.header.requestID = key.id
        actions.append(.send(message, to: peer))
    }
}
