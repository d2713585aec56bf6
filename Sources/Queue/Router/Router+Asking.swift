internal import Messages

/// The questions of subscriptions, asked again, and what is told of the answers.
extension Router {
    /// What a worker applied concerns an account, or a catalog's names.
    mutating func noteChange(
        _ message: Message, _ now: Now, _ actions: inout [RouterAction]
    ) {
        let position = message.fields.position
        if let account = message.fields.text(.account) {
            for key in (subscribers[account] ?? []).sorted(by: Self.inOrder) {
                ask(key, knowing: position, now, &actions)
            }
        } else if let catalog = message.fields.text(.catalog) {
            askAll(now, &actions, knowing: position) { $0.catalog == catalog }
        }
    }

    /// Asks every subscription again that a condition takes.
    mutating func askAll(
        _ now: Now, _ actions: inout [RouterAction], knowing position: Position? = nil,
        where isMeant: (Subscription) -> Bool = { _ in true }
    ) {
        let keys = subscriptions.filter { isMeant($0.value) }.keys.sorted(by: Self.inOrder)
        for key in keys { ask(key, knowing: position, now, &actions) }
    }

    private static func inOrder(_ left: RequestKey, _ right: RequestKey) -> Bool {
        (left.client.high, left.client.low, left.id.high, left.id.low)
            < (right.client.high, right.client.low, right.id.high, right.id.low)
    }

    /// Asks as soon as it may be asked.
    mutating func ask(
        _ key: RequestKey, knowing position: Position? = nil, _ now: Now,
        _ actions: inout [RouterAction]
    ) {
        guard let subscription = subscriptions[key] else { return }
        subscriptions[key]?.isStale = true
        if let position {
            let least = later(position, subscription.least)
            subscriptions[key]?.least = least
        }
        guard subscription.asking == nil, !subscription.isQueued else { return }
        guard subscription.restsUntil <= now.monotonic else {
            return wake(key, at: subscription.restsUntil)
        }
        subscriptions[key]?.isQueued = true
        askable.append(key)
        askNext(now, &actions)
    }

    /// Of positions of different journals the new one counts.
    private func later(_ position: Position, _ known: Position?) -> Position {
        guard let known, known.epoch == position.epoch else { return position }
        return known.sequence > position.sequence ? known : position
    }

    private mutating func askNext(_ now: Now, _ actions: inout [RouterAction]) {
        while asked.count < Limits.subscriptionsAskedMax, !askable.isEmpty {
            let key = askable.removeFirst()
            guard let subscription = subscriptions[key] else { continue }
            subscriptions[key]?.isQueued = false
            begin(subscription, key, now, &actions)
        }
    }

    private mutating func begin(
        _ subscription: Subscription, _ key: RequestKey, _ now: Now,
        _ actions: inout [RouterAction]
    ) {
        let offers = partNames[subscription.service] ?? []
        let isSettled = isSettled(at: now.monotonic)
        guard !isSettled || !offers.isEmpty else {
            // Nobody is there to be asked; whoever comes will be.
            return rest(key, Limits.subscriptionRetryMilliseconds, now, &actions)
        }
        let own = RequestKey(client: configuration.identity, id: makeID())
        var request = subscription.question
        request.header.requestID = own.id
        request.header.budgetMilliseconds = Limits.subscriptionBudgetMilliseconds
        request.fields.leastPosition = subscription.least
        request.fields.asOf = now.wall
        subscriptions[key]?.asking = own
        subscriptions[key]?.isStale = false
        asked[own] = key
        begin(request, own, subscription.service, isSettled ? offers : nil, now, &actions)
    }

    // MARK: Answers

    /// Takes the reply to a question that the router asked itself; whether it was one.
    mutating func takeAnswer(
        _ reply: Message, to own: RequestKey, _ request: Message, _ now: Now,
        _ actions: inout [RouterAction]
    ) -> Bool {
        guard own.client == configuration.identity, let key = asked.removeValue(forKey: own)
        else { return false }
        if subscriptions[key]?.asking == own {
            subscriptions[key]?.asking = nil
            answered(reply, to: key, request, now, &actions)
        }
        askNext(now, &actions)
        return true
    }

    private mutating func answered(
        _ reply: Message, to key: RequestKey, _ request: Message, _ now: Now,
        _ actions: inout [RouterAction]
    ) {
        switch reply.errorCode {
        case nil where reply.header.flags.contains(.complete):
            let hash = reply.fields[.listHash].flatMap { ContentHash(bytes: $0) }
            subscriptions[key]?.holdsUntil = reply.fields.timestamp(.holdsUntil)
            tell(key, .list(hash), reply, request, &actions)
            rest(key, Limits.subscriptionRestMilliseconds, now, &actions)
        case .accessRequired?:
            subscriptions[key]?.holdsUntil = nil
            tell(key, .refused(.accessRequired, body: reply.body), reply, request, &actions)
            rest(key, Limits.subscriptionRestMilliseconds, now, &actions)
        case .badRequest?, .tooLarge?:
            let service = subscriptions[key]?.service ?? ""
            removeSubscription(key)
            refuse(reply, key, service, &actions)
        case .epochChanged?:
            subscriptions[key]?.least = nil
            fallthrough
        default:
            // Nobody could answer; that is no change.
            subscriptions[key]?.isStale = true
            rest(key, Limits.subscriptionRetryMilliseconds, now, &actions)
        }
    }

    /// Sends a NOTIFY if the client has not heard this before.
    private mutating func tell(
        _ key: RequestKey, _ told: Subscription.Told, _ reply: Message, _ request: Message,
        _ actions: inout [RouterAction]
    ) {
        guard let subscription = subscriptions[key], subscription.told != told else { return }
        guard let peer = clients[key.client]?.peer else { return }
        subscriptions[key]?.told = told
        var notify = Message(Header(.notify, requestID: key.id))
        notify.fields.position = reply.fields.position
        notify.fields.asOf = request.fields.asOf
        for type in [FieldType.listHash, .holdsUntil, .nextPage, .errorCode, .errorText] {
            notify.fields.set(type, reply.fields[type])
        }
        let isKnown = subscription.known != nil && told == .list(subscription.known)
        if !isKnown { notify.body = reply.body }
        subscriptions[key]?.known = nil
        counters.notified += 1
        actions.append(.send(notify, to: peer))
    }

    /// Lets a subscription rest, then asks again if something changed meanwhile, or when time
    /// alone may have changed the answer.
    mutating func rest(
        _ key: RequestKey, _ milliseconds: UInt64, _ now: Now, _ actions: inout [RouterAction]
    ) {
        guard let subscription = subscriptions[key] else { return }
        let end = now.monotonic.adding(milliseconds: milliseconds)
        subscriptions[key]?.restsUntil = end
        if subscription.isStale { return wake(key, at: end) }
        guard let holdsUntil = subscription.holdsUntil else { return }
        // Looked at from time to time: the clock on the wall may be set.
        let left = max(0, holdsUntil.milliseconds - now.wall.milliseconds)
        let look = min(UInt64(left), Limits.subscriptionLookMilliseconds)
        wake(key, at: max(end, now.monotonic.adding(milliseconds: look)))
    }

    private mutating func wake(_ key: RequestKey, at instant: MonotonicTime) {
        let alarm = makeNumber()
        subscriptions[key]?.alarm = alarm
        timers.insert(.subscription(key, alarm: alarm), at: instant)
    }

    mutating func subscriptionDue(
        _ key: RequestKey, _ alarm: UInt64, _ now: Now, _ actions: inout [RouterAction]
    ) {
        guard let subscription = subscriptions[key], subscription.alarm == alarm,
            subscription.asking == nil, !subscription.isQueued
        else { return }
        let isOver = subscription.holdsUntil.map { $0 <= now.wall } ?? false
        if subscription.isStale || isOver { return ask(key, now, &actions) }
        rest(key, 0, now, &actions)
    }
}
