internal import Bytes
internal import Messages

/// A change on its way to the journal.
struct PendingChange: Sendable {
    let key: RequestKey
    /// The RECORD with the router's id.
    let message: Message
    var isSent = false
}

/// Changes: forwarded to the journal, whose answer goes back to the producer.
extension Router {
    mutating func admitChange(
        _ message: Message, _ client: Identity, _ peer: Peer, _ now: Now,
        _ actions: inout [RouterAction]
    ) {
        let key = RequestKey(client: client, id: message.header.requestID)
        guard changeIDs[key] == nil, exchanges[key] == nil, !finished.contains(key) else {
            counters.duplicates += 1
            actions.append(.fact(.duplicate(key.id)))
            return
        }
        if let refusal = refusalOfChange(message) { return refuse(refusal, key, "", &actions) }
        var budget = message.header.budgetMilliseconds
        if budget == 0 { budget = Limits.changeBudgetMilliseconds }
        let margin = margin.milliseconds(ofBudget: budget)
        let id = makeID()
        var forwarded = message
        forwarded.header.requestID = id
        forwarded.header.budgetMilliseconds = budget - margin
        pendingChanges[id] = PendingChange(key: key, message: forwarded)
        changeIDs[key] = id
        counters.changes += 1
        timers.insert(.change(id), at: now.monotonic.adding(milliseconds: budget - margin))
        if configuration.planted.contains(.acknowledgedTooEarly) {
            var ack = Message(Header(.ack))
            ack.fields.position = Position(epoch: 0, sequence: 0)
            settle(id, ack, &actions)
            if journal.state == .open { actions.append(.send(forwarded, to: .journal)) }
            return
        }
        if journal.state == .open { forward(id, &actions) }
    }

    private func refusalOfChange(_ message: Message) -> Message? {
        if lifecycle != .running { return .error(.draining, "the router stops") }
        if message.header.requestID == .zero {
            return .error(.badRequest, "a change has an id other than zero")
        }
        if message.header.budgetMilliseconds > Limits.budgetMillisecondsMax {
            let most = Limits.budgetMillisecondsMax
            return .error(.badRequest, "a budget has at most \(most) ms")
        }
        if message.sharedBody.count > Limits.bodyBytesMax {
            return .error(.tooLarge, "a body has at most \(Limits.bodyBytesMax) bytes")
        }
        if !configuration.hasJournal || isJournalDown {
            return .error(.journalUnavailable, "the journal does not answer")
        }
        if pendingChanges.count >= configuration.pendingChangesMax {
            return overloaded("\(configuration.pendingChangesMax) changes wait")
        }
        return nil
    }

    private mutating func forward(_ id: RequestID, _ actions: inout [RouterAction]) {
        guard let change = pendingChanges[id] else { return }
        pendingChanges[id]?.isSent = true
        actions.append(.send(change.message, to: .journal))
    }

    /// Gives the producer its answer.
    private mutating func settle(
        _ id: RequestID, _ answer: Message, _ actions: inout [RouterAction]
    ) {
        guard let change = pendingChanges.removeValue(forKey: id) else { return }
        changeIDs[change.key] = nil
        finished.insert(change.key)
        if answer.command == .ack {
            counters.acknowledged += 1
        } else {
            counters.failed += 1
        }
        reply(answer, to: change.key, &actions)
    }

    mutating func changeDue(_ id: RequestID, _ actions: inout [RouterAction]) {
        let text = "no acknowledgement inside the budget"
        settle(id, .error(.journalUnavailable, text), &actions)
    }

    mutating func receiveFromJournal(
        _ message: Message, _ now: Now, _ actions: inout [RouterAction]
    ) {
        guard configuration.hasJournal else { return }
        journal.heard(at: now.monotonic)
        let id = message.header.requestID
        switch message.command {
        case .welcome: journalWelcomed(message, &actions)
        case .ack:
            guard let position = message.fields.position else { return }
            var ack = Message(Header(.ack), body: message.body)
            ack.fields.position = position
            journalFault = nil
            settle(id, ack, &actions)
        case .error: journalRefused(message, now, &actions)
        case .ping: actions.append(.send(Message(Header(.pong)), to: .journal))
        case .bye: regreet(now)
        case .pong, .draining: break
        case .hello, .ready, .request, .partial, .final, .cancel, .record, .subscribe, .tail,
            .fetch, .chunk, .keys, .keyring, .notify:
            counters.wrongState += 1
        }
    }

    private mutating func journalWelcomed(
        _ message: Message, _ actions: inout [RouterAction]
    ) {
        // Sending a change again is harmless: the journal knows its source and id.
        if journal.welcome(message) {
            markChangesUnsent()
            journalFault = nil
        }
        isJournalDown = false
        actions.append(.fact(.journalUp))
        let ids = pendingChanges.keys.sorted { ($0.high, $0.low) < ($1.high, $1.low) }
        for id in ids where pendingChanges[id]?.isSent == false { forward(id, &actions) }
    }

    private mutating func markChangesUnsent() {
        for id in pendingChanges.keys { pendingChanges[id]?.isSent = false }
    }

    private mutating func regreet(_ now: Now) {
        journal.greet(at: now.monotonic)
        markChangesUnsent()
    }

    private mutating func journalRefused(
        _ message: Message, _ now: Now, _ actions: inout [RouterAction]
    ) {
        let code = message.errorCode ?? .internalFault
        let text = message.fields.text(.errorText) ?? ""
        let id = message.header.requestID
        if code == .wrongState {
            guard journal.state == .open else {
                pendingChanges[id]?.isSent = false
                return
            }
            regreet(now)
            actions.append(.send(helloToJournal(), to: .journal))
        } else if pendingChanges[id] != nil {
            var error = Message.error(code, text)
            error.body = message.body
            error.fields.set(.retryAfter, message.fields[.retryAfter])
            if code == .journalUnavailable { journalFault = text }
            settle(id, error, &actions)
        } else {
            actions.append(.fact(.refused(.journal, code, text)))
        }
    }

    private func helloToJournal() -> Message {
        .hello(
            identity: configuration.identity, incarnation: configuration.incarnation,
            name: configuration.name,
            intervalMilliseconds: configuration.pingIntervalMilliseconds)
    }

    mutating func keepUpJournal(_ now: Now, _ actions: inout [RouterAction]) {
        switch journal.due(at: now.monotonic) {
        case .nothing: break
        case .hello: actions.append(.send(helloToJournal(), to: .journal))
        case .ping: actions.append(.send(Message(Header(.ping)), to: .journal))
        case .reconnect:
            // The dealer socket finds a restarted journal by itself; the greeting begins again.
            loseJournal(&actions)
            actions.append(.send(helloToJournal(), to: .journal))
        }
    }

    private mutating func loseJournal(_ actions: inout [RouterAction]) {
        if !isJournalDown { actions.append(.fact(.journalDown)) }
        isJournalDown = true
        let ids = pendingChanges.keys.sorted { ($0.high, $0.low) < ($1.high, $1.low) }
        for id in ids {
            settle(id, .error(.journalUnavailable, "the journal fell silent"), &actions)
        }
    }
}
