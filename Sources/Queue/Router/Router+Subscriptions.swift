internal import Bytes
internal import Messages

/// Subscriptions: the router asks the question again when a worker says that something changed, or
/// when time alone may have changed the answer, and tells the client if the answer is another.
extension Router {
    mutating func subscribe(
        _ message: Message, _ client: Identity, _ now: Now, _ actions: inout [RouterAction]
    ) {
        let key = RequestKey(client: client, id: message.header.requestID)
        let known = message.fields[.listHash].flatMap { ContentHash(bytes: $0) }
        if subscriptions[key] != nil {
            // Sent again, since the client may have missed something.
            subscriptions[key]?.known = known
            subscriptions[key]?.told = .nothing
            return ask(key, now, &actions)
        }
        guard !finished.contains(key) else {
            counters.duplicates += 1
            return actions.append(.fact(.duplicate(key.id)))
        }
        if let refusal = refusalOfSubscription(message, key) {
            return refuse(refusal, key, message.fields.text(.service) ?? "", &actions)
        }
        var question = Message(Header(.request, priority: 2), body: message.body)
        for type in [FieldType.service, .catalog, .limit, .account] {
            question.fields.set(type, message.fields[type])
        }
        let account = message.fields.text(.account) ?? ""
        subscriptions[key] = Subscription(
            serial: makeNumber(), question: question,
            service: message.fields.text(.service) ?? "", account: account,
            catalog: message.fields.text(.catalog) ?? "main", known: known)
        subscribers[account, default: []].insert(key)
        clients[client]?.subscriptions += 1
        ask(key, now, &actions)
    }

    private func refusalOfSubscription(_ message: Message, _ key: RequestKey) -> Message? {
        let limit: UInt32 = message.fields.integer(.limit) ?? 1
        if lifecycle != .running { return .error(.draining, "the router stops") }
        if key.id == .zero || exchanges[key] != nil {
            return .error(.badRequest, "a subscription has an id of its own")
        }
        guard ServiceName.lists.contains(message.fields.text(.service) ?? "") else {
            let lists = ServiceName.lists.joined(separator: ", ")
            return .error(.badRequest, "\(lists) can be subscribed to")
        }
        if message.fields.text(.account)?.isEmpty ?? true {
            return .error(.badRequest, "a subscription names an account")
        }
        if limit < 1 || limit > Limits.resultsMax {
            return .error(.badRequest, "limit \(limit); 1 to \(Limits.resultsMax) are allowed")
        }
        if message.sharedBody.count > Limits.bodyBytesMax {
            return .error(.tooLarge, "a body has at most \(Limits.bodyBytesMax) bytes")
        }
        if (clients[key.client]?.subscriptions ?? 0) >= Limits.subscriptionsPerClientMax {
            return overloaded("the client has \(Limits.subscriptionsPerClientMax) subscriptions")
        }
        if subscriptions.count >= Limits.subscriptionsMax {
            return overloaded("there are \(Limits.subscriptionsMax) subscriptions")
        }
        return nil
    }

    // MARK: Ends

    /// Forgets a subscription, and a question that is under way for it.
    mutating func removeSubscription(_ key: RequestKey) {
        guard let subscription = subscriptions.removeValue(forKey: key) else { return }
        subscribers[subscription.account]?.remove(key)
        if subscribers[subscription.account]?.isEmpty == true {
            subscribers[subscription.account] = nil
        }
        clients[key.client]?.subscriptions -= 1
        askable.removeAll { $0 == key }
    }

    /// Nobody is left who could be told.
    mutating func removeSubscriptions(of client: Identity) {
        guard clients[client]?.subscriptions ?? 1 > 0 else { return }
        for key in subscriptions.keys where key.client == client { removeSubscription(key) }
    }

    /// A NOTIFY could not be sent: it is made again.
    mutating func notifyUnsent(
        _ notify: Message, _ client: Identity, _ now: Now, _ actions: inout [RouterAction]
    ) {
        let key = RequestKey(client: client, id: notify.header.requestID)
        guard subscriptions[key] != nil else { return }
        subscriptions[key]?.told = .nothing
        subscriptions[key]?.isStale = true
        rest(key, Limits.subscriptionRetryMilliseconds, now, &actions)
    }
}
