internal import Messages

/// Routers: greeting, credit, liveness, leaving.
extension Worker {
    /// Sends what the link is due.
    mutating func keepUp(
        _ link: Int, _ now: MonotonicTime, _ actions: inout [WorkerAction]
    ) {
        switch links[link].link.due(at: now) {
        case .nothing: break
        case .ping: actions.append(.send(ping(link), link: link))
        case .hello: actions.append(.send(hello(), link: link))
        case .reconnect: reopen(link, &actions)
        }
    }

    private mutating func ping(_ link: Int) -> Message {
        var ping = Message(Header(.ping))
        ping.fields.position = replica
        // Said again with each ping: a READY may be lost with a connection, and the credit follows
        // how long jobs take.
        if lifecycle == .running, let granted = links[link].granted {
            let credit = isReady ? share(of: link) : 0
            links[link].granted = max(credit, granted)
            ping.fields.set(.credit, integer: credit)
        }
        return ping
    }

    /// Lets routers know of a new position, so that they can choose who has one; not too often.
    private mutating func tellPosition(_ now: MonotonicTime, _ actions: inout [WorkerAction]) {
        guard now.milliseconds(since: positionToldAt) >= Limits.positionMilliseconds else { return }
        positionToldAt = now
        for link in links.indices where links[link].link.state == .open {
            actions.append(.send(ping(link), link: link))
        }
    }

    mutating func reconnect(
        _ link: Int, _ now: MonotonicTime, _ actions: inout [WorkerAction]
    ) {
        guard links.indices.contains(link), links[link].link.state == .open else { return }
        links[link].link.greet(at: now)
        reopen(link, &actions)
    }

    private mutating func reopen(_ link: Int, _ actions: inout [WorkerAction]) {
        actions.append(.fact(.routerLost(link: link)))
        abandonJobs(of: link, &actions)
        links[link].granted = nil
        actions.append(.reconnect(link: link))
        actions.append(.send(hello(), link: link))
    }

    private func hello() -> Message {
        var message = Message.hello(
            identity: configuration.identity, incarnation: configuration.incarnation,
            name: configuration.name,
            intervalMilliseconds: configuration.pingIntervalMilliseconds)
        message.fields.offers = configuration.offers
        return message
    }

    mutating func welcome(_ message: Message, _ link: Int, _ actions: inout [WorkerAction]) {
        let hadServer = links[link].link.server != nil
        guard links[link].link.state != .closed else { return }
        if links[link].link.welcome(message), hadServer { abandonJobs(of: link, &actions) }
        actions.append(.fact(.welcomed(link: link)))
        if lifecycle == .draining {
            actions.append(.send(Message(Header(.draining)), link: link))
        } else {
            grant(link, &actions)
        }
    }

    /// The share of the pool that a link has; the first links take what is left over.
    func share(of link: Int) -> UInt32 {
        let count = UInt32(links.count)
        let share = pool.credit / count
        return max(1, share + (UInt32(link) < pool.credit % count ? 1 : 0))
    }

    private mutating func grant(_ link: Int, _ actions: inout [WorkerAction]) {
        guard links[link].link.state == .open, lifecycle == .running else { return }
        guard isReady || links[link].granted != nil else { return }
        let credit = isReady ? share(of: link) : 0
        // What was granted stays good for requests that are on their way.
        links[link].granted = max(credit, links[link].granted ?? 0)
        var ready = Message(Header(.ready))
        ready.fields.set(.credit, integer: credit)
        ready.fields.position = replica
        actions.append(.send(ready, link: link))
    }

    mutating func replicaMoved(
        to position: Position, isReady ready: Bool, _ now: MonotonicTime,
        _ actions: inout [WorkerAction]
    ) {
        let otherEpoch = replica.map { $0.epoch != position.epoch } ?? false
        replica = position
        if otherEpoch { refuseOtherEpochs(&actions) }
        guard ready != isReady else { return isReady ? tellPosition(now, &actions) : () }
        isReady = ready
        if !ready { handBackQueue("the replica is being built", &actions) }
        for link in links.indices { grant(link, &actions) }
    }

    /// Each router hears of an account in a PING of its own.
    mutating func tellEnded(_ accounts: [String], _ actions: inout [WorkerAction]) {
        for link in links.indices where links[link].link.state == .open {
            for account in accounts {
                var ping = Message(Header(.ping))
                ping.fields.set(.account, text: account)
                actions.append(.send(ping, link: link))
            }
        }
    }

    /// Routers ask again for the lists that may be others now.
    mutating func tellChanged(
        _ change: WorkerChange, _ position: Position, _ actions: inout [WorkerAction]
    ) {
        var notify = Message(Header(.notify))
        notify.fields.position = position
        let told =
            change.accounts.sorted().map { (FieldType.account, $0) }
            + change.catalogs.sorted().map { (FieldType.catalog, $0) }
        for link in links.indices where links[link].link.state == .open {
            for (type, name) in told {
                var message = notify
                message.fields.set(type, text: name)
                actions.append(.send(message, link: link))
            }
        }
    }

    private mutating func refuseOtherEpochs(_ actions: inout [WorkerAction]) {
        for id in queue {
            guard let state = jobs[id], let replica,
                let least = state.job.request.fields.leastPosition,
                least.epoch != replica.epoch
            else { continue }
            answer(
                state, .error(.epochChanged, "the journal is another one now"), &actions)
            forget(id)
        }
        queue.removeAll { jobs[$0] == nil }
    }

    mutating func routerLeft(
        _ message: Message, _ link: Int, _ now: MonotonicTime, _ actions: inout [WorkerAction]
    ) {
        abandonJobs(of: link, &actions)
        links[link].granted = nil
        if message.errorCode == .replaced {
            links[link].link.close()
            actions.append(.fact(.replaced(link: link)))
        } else {
            links[link].link.greet(at: now)
            actions.append(.fact(.routerLeft(link: link)))
        }
    }

    mutating func refused(
        _ message: Message, _ link: Int, _ now: MonotonicTime, _ actions: inout [WorkerAction]
    ) {
        let text = message.fields.text(.errorText) ?? ""
        actions.append(.fact(.refused(link: link, message.errorCode, text)))
        if message.errorCode == .replaced {
            routerLeft(message, link, now, &actions)
        } else if message.errorCode == .wrongState, links[link].link.state == .open {
            // The router does not know this connection, most likely because it restarted.
            links[link].link.greet(at: now)
            actions.append(.send(hello(), link: link))
        }
    }
}
