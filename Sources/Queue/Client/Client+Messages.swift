internal import Messages

/// What comes from the router, and the connection to it.
extension Client {
    mutating func keepUp(_ now: MonotonicTime, _ actions: inout [ClientAction]) {
        let due = link.due(at: now)
        guard due == .ping || !isBlind else { return }
        switch due {
        case .nothing: break
        case .ping:
            actions.append(.send(Message(Header(.ping))))
            sendUnsent(now, &actions)
        case .hello: actions.append(.send(hello()))
        case .reconnect:
            actions.append(.fact(.routerLost))
            markUnsent()
            actions.append(.reconnect)
            actions.append(.send(hello()))
        }
    }

    /// A planted fault.
    private var isBlind: Bool {
        link.server != nil && configuration.planted.contains(.helloIsSaidOnce)
    }

    private func hello() -> Message {
        .hello(
            identity: configuration.identity, incarnation: configuration.incarnation,
            name: configuration.name,
            intervalMilliseconds: configuration.pingIntervalMilliseconds)
    }

    private mutating func markUnsent() {
        for ticket in submissions.keys { submissions[ticket]?.isSent = false }
        for ticket in subscriptions.keys { subscriptions[ticket]?.isSent = false }
    }

    mutating func receive(
        _ message: Message, _ now: MonotonicTime, _ actions: inout [ClientAction]
    ) {
        link.heard(at: now)
        switch message.command {
        case .welcome: welcome(message, now, &actions)
        case .final: answered(message, .final(message), &actions)
        case .ack:
            guard let position = message.fields.position else { return }
            answered(message, .ack(position, body: message.body), &actions)
        case .error: failed(message, now, &actions)
        case .notify: notified(message, &actions)
        case .ping: actions.append(.send(Message(Header(.pong))))
        case .pong, .draining: break
        case .bye:
            guard message.errorCode != .replaced else { return replaced(&actions) }
            actions.append(.fact(.routerLeft))
            link.greet(at: now)
            markUnsent()
        case .hello, .ready, .request, .partial, .cancel, .record, .subscribe, .tail,
            .fetch, .chunk, .keys, .keyring:
            actions.append(.fact(.refused(.wrongState, "\(message.command) from a router")))
        }
    }

    private mutating func welcome(
        _ message: Message, _ now: MonotonicTime, _ actions: inout [ClientAction]
    ) {
        let hadServer = link.server != nil
        if link.welcome(message), hadServer { markUnsent() }
        actions.append(.fact(.welcomed))
        sendUnsent(now, &actions)
    }

    private mutating func sendUnsent(_ now: MonotonicTime, _ actions: inout [ClientAction]) {
        for ticket in submissions.keys.sorted() where submissions[ticket]?.isSent == false {
            send(ticket, now, &actions)
        }
        sendUnsentSubscriptions(now, &actions)
    }

    private mutating func answered(
        _ message: Message, _ outcome: Outcome, _ actions: inout [ClientAction]
    ) {
        guard let ticket = tickets[message.header.requestID] else {
            actions.append(.fact(.late(message.header.requestID)))
            return
        }
        end(ticket, outcome, &actions)
    }

    private mutating func failed(
        _ message: Message, _ now: MonotonicTime, _ actions: inout [ClientAction]
    ) {
        let code = message.errorCode ?? .internalFault
        let text = message.fields.text(.errorText) ?? ""
        guard code != .replaced else { return replaced(&actions) }
        guard code != .keyRefused else { return close(code, text, &actions) }
        guard code == .wrongState || !subscriptionFailed(message, code, now, &actions) else {
            return
        }
        let ticket = tickets[message.header.requestID]
        if code == .wrongState {
            if let ticket { submissions[ticket]?.isSent = false }
            if let ticket = subscriptionTickets[message.header.requestID] {
                subscriptions[ticket]?.isSent = false
            }
            guard link.state == .open, !isBlind else { return }
            // The router does not know this connection, most likely because it restarted.
            link.greet(at: now)
            markUnsent()
            actions.append(.send(hello()))
        } else if let ticket {
            let retryAfter: UInt32? = message.fields.integer(.retryAfter)
            end(
                ticket,
                .error(
                    code, text: text, retryAfterMilliseconds: retryAfter, body: message.body),
                &actions)
        } else if message.header.requestID == .zero {
            actions.append(.fact(.refused(message.errorCode, text)))
        } else {
            actions.append(.fact(.late(message.header.requestID)))
        }
    }

    private mutating func replaced(_ actions: inout [ClientAction]) {
        actions.append(.fact(.replaced))
        close(.replaced, "a newer incarnation took over", &actions)
    }
}
