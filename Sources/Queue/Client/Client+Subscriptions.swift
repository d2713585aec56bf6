internal import Messages

/// Subscriptions: sent to each router that is greeted, with what is known already.
extension Client {
    /// A list that the caller wants to hear of.
    struct ClientSubscription: Sendable {
        var message: Message
        /// The router that is greeted now has been sent it.
        var isSent = false
        /// It was refused for a while.
        var sendsAgainAt: MonotonicTime?
    }

    mutating func subscribe(
        _ ticket: Int, _ message: Message, _ now: MonotonicTime, _ actions: inout [ClientAction]
    ) {
        precondition(subscriptions[ticket] == nil, "ticket \(ticket) is in use")
        precondition(message.command == .subscribe, "only SUBSCRIBE is subscribed with")
        var message = message
        message.header.requestID = makeID()
        subscriptions[ticket] = ClientSubscription(message: message)
        subscriptionTickets[message.header.requestID] = ticket
        sendSubscription(ticket, now, &actions)
    }

    private mutating func sendSubscription(
        _ ticket: Int, _ now: MonotonicTime, _ actions: inout [ClientAction]
    ) {
        guard let subscription = subscriptions[ticket] else { return }
        subscriptions[ticket]?.isSent = true
        subscriptions[ticket]?.sendsAgainAt = nil
        actions.append(.send(subscription.message))
    }

    mutating func sendUnsentSubscriptions(
        _ now: MonotonicTime, _ actions: inout [ClientAction]
    ) {
        for (ticket, subscription) in subscriptions.sorted(by: { $0.key < $1.key })
        where !subscription.isSent && subscription.sendsAgainAt ?? now <= now {
            sendSubscription(ticket, now, &actions)
        }
    }

    mutating func notified(_ message: Message, _ actions: inout [ClientAction]) {
        guard let ticket = subscriptionTickets[message.header.requestID] else {
            return actions.append(.fact(.late(message.header.requestID)))
        }
        // What the next router does not have to say again.
        subscriptions[ticket]?.message.fields.set(.listHash, message.fields[.listHash])
        actions.append(.notified(ticket: ticket, message))
    }

    /// Takes an ERROR about a subscription; whether it was about one.
    mutating func subscriptionFailed(
        _ message: Message, _ code: ErrorCode, _ now: MonotonicTime,
        _ actions: inout [ClientAction]
    ) -> Bool {
        guard let ticket = subscriptionTickets[message.header.requestID] else { return false }
        switch code {
        case .wrongState, .overloaded, .draining:
            let retryAfter: UInt32? = message.fields.integer(.retryAfter)
            subscriptions[ticket]?.isSent = false
            subscriptions[ticket]?.sendsAgainAt = now.adding(milliseconds: retryAfter ?? 1_000)
        default:
            let text = message.fields.text(.errorText) ?? ""
            endSubscription(ticket, .failed(code, text), &actions)
        }
        return true
    }

    mutating func unsubscribe(_ ticket: Int, _ actions: inout [ClientAction]) -> Bool {
        guard let subscription = subscriptions[ticket] else { return false }
        actions.append(
            .send(Message(Header(.cancel, requestID: subscription.message.header.requestID))))
        endSubscription(ticket, .failed(.cancelled, "the caller gave up"), &actions)
        return true
    }

    mutating func endSubscription(
        _ ticket: Int, _ outcome: Outcome, _ actions: inout [ClientAction]
    ) {
        guard let subscription = subscriptions.removeValue(forKey: ticket) else { return }
        subscriptionTickets[subscription.message.header.requestID] = nil
        actions.append(.finished(ticket: ticket, outcome))
    }
}
