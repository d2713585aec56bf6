internal import Messages

/// Requests that workers die under: not tried a third time, and put aside.
extension Router {
    /// A worker died that held the dispatch.
    mutating func noteDeath(
        of worker: WorkerState, under dispatch: Dispatch, _ now: Now,
        _ actions: inout [RouterAction]
    ) {
        guard let exchange = exchanges[dispatch.key], exchange.serial == dispatch.serial,
            !exchange.parts[dispatch.part].isOver
        else { return }
        exchange.parts[dispatch.part].deaths.append(worker.name)
        let deaths = exchange.parts[dispatch.part].deaths
        guard deaths.count >= configuration.attemptsMax,
            !configuration.planted.contains(.deadRequestIsTriedAgain)
        else { return }
        let part = exchange.parts[dispatch.part].offer.part
        let clientName = clients[exchange.key.client]?.name ?? ""
        let number = dead.insert { number in
            DeadRequest(
                number: number, request: exchange.request, service: exchange.service, part: part,
                client: exchange.key.client, clientName: clientName, workers: deaths,
                putAsideAt: now.wall)
        }
        counters.putAside += 1
        actions.append(.fact(.putAside(exchange.key.id, number: number)))
        let names = deaths.joined(separator: ", ")
        exchange.parts[dispatch.part].lastError =
            "\(deaths.count) workers died under it (\(names)); it is put aside as \(number)"
    }

    /// `dead.list`, `dead.show` and `dead.drop`: the router is the server here. Which one is
    /// meant says the field `name`; without it `dead.drop` drops all.
    mutating func answerDead(
        _ message: Message, _ service: String, _ key: RequestKey,
        _ actions: inout [RouterAction]
    ) {
        let name = message.fields.text(.name)
        let number = name.flatMap(UInt64.init)
        if name != nil, number == nil || number.flatMap(dead.find) == nil {
            let text = "there is no request '\(name ?? "")' put aside"
            return refuse(.error(.notFound, text), key, service, &actions)
        }
        let items: [MergeItem]
        switch (service, number.flatMap(dead.find)) {
        case ("dead.list", nil): items = dead.all.map { $0.item(whole: false) }
        case ("dead.show", let request?): items = [request.item(whole: true)]
        case ("dead.drop", let request?):
            _ = dead.remove(request.number)
            items = [request.item(whole: false)]
        case ("dead.drop", nil):
            items = dead.all.map { $0.item(whole: false) }
            dead.removeAll()
        default:
            let text = "there are dead.list, dead.show with a name, and dead.drop"
            return refuse(.error(.badRequest, text), key, service, &actions)
        }
        finished.insert(key)
        counters.complete += 1
        var final = Self.final(
            items, limit: Limits.resultsMax, fields: Fields(), attachments: [:], isComplete: true)
        final.header.requestID = key.id
        reply(final, to: key, &actions)
        actions.append(.fact(.finished(key.id, service: service, .complete)))
    }
}

extension DeadRequest {
    /// As it stands in a list; the whole with its body, as far as that is text.
    func item(whole: Bool) -> MergeItem {
        var members: [String: JSONValue] = [
            "number": .integer(number), "service": .string(service), "part": .string(part),
            "client": .string(client.description), "clientName": .string(clientName),
            "workers": .array(workers.map(JSONValue.string)),
            "putAsideAt": .integer(putAsideAt.milliseconds),
            "bytes": .integer(request.byteCount),
            "requestID": .string(request.header.requestID.description),
        ]
        if whole {
            members["budgetMilliseconds"] = .integer(request.header.budgetMilliseconds)
            members["priority"] = .integer(request.header.priority)
            // Whoever reaches the router may look: what an account asked for is not shown.
            if request.fields.text(.account) == nil {
                members["body"] = String(validating: request.body, as: UTF8.self).map {
                    .string($0)
                }
            }
            members["attachments"] = .array(
                request.fields.attachmentHashes.map { .string($0.description) })
            for (name, type) in [("account", FieldType.account), ("traceparent", .traceparent)] {
                members[name] = request.fields.text(type).map(JSONValue.string)
            }
        }
        let order = bigEndianBytes(number)
        return MergeItem(
            sortKey: order, unionKey: order, json: JSONValue.object(members).canonical())
    }
}
