internal import Messages

/// What comes in: by side, state and command.
extension Router {
    mutating func receive(
        _ message: Message, _ peer: Peer, _ now: Now, _ actions: inout [RouterAction]
    ) {
        if peer.side == .journal {
            return receiveFromJournal(message, now, &actions)
        }
        if message.command == .hello { return hello(message, peer, now, &actions) }
        guard let identity = routes[peer] else {
            return refuseStranger(message, peer, now, &actions)
        }
        switch peer.side {
        case .client: receive(message, fromClient: identity, peer, now, &actions)
        case .worker: receive(message, fromWorker: identity, peer, now, &actions)
        case .journal: break
        }
    }

    private mutating func receive(
        _ message: Message, fromClient identity: Identity, _ peer: Peer, _ now: Now,
        _ actions: inout [RouterAction]
    ) {
        clients[identity]?.lastHeard = now.monotonic
        switch message.command {
        case .request: admit(message, identity, peer, now, &actions)
        case .record: admitChange(message, identity, peer, now, &actions)
        case .subscribe: subscribe(message, identity, now, &actions)
        case .cancel: cancelRequest(message.header.requestID, identity, now, &actions)
        case .ping:
            actions.append(.send(Message(Header(.pong)), to: peer))
            clients[identity]?.lastPinged = now.monotonic
            putOffPeerTimers()
        case .pong, .error: break
        case .bye: clientLeft(identity, peer, now, &actions)
        case .hello, .welcome, .ready, .partial, .final, .draining, .ack, .tail, .fetch, .chunk,
            .keys, .keyring, .notify:
            refuseCommand(message, peer, &actions)
        }
    }

    private mutating func receive(
        _ message: Message, fromWorker identity: Identity, _ peer: Peer, _ now: Now,
        _ actions: inout [RouterAction]
    ) {
        if workers[identity]?.heard(at: now.monotonic) == true {
            serveWaiting(identity, now, &actions)
        }
        switch message.command {
        case .ready: ready(message, identity, now, &actions)
        case .partial, .final: takeResult(message, identity, now, &actions)
        case .error: takeError(message, identity, now, &actions)
        case .ping:
            // Worth as much as a READY: position, and credit if there is any.
            if let account = message.fields.text(.account) {
                kept.remove(account: account)
                dead.remove(account: account)
                removeJobs(of: account, now, &actions)
                actions.append(.accountEnded(account))
            } else {
                ready(message, identity, now, &actions)
            }
            actions.append(.send(Message(Header(.pong)), to: peer))
            workers[identity]?.lastPinged = now.monotonic
            putOffPeerTimers()
        case .notify: noteChange(message, now, &actions)
        case .pong: break
        case .draining:
            guard !configuration.planted.contains(.drainingWorkerGetsWork) else { return }
            workers[identity]?.isDraining = true
        case .bye:
            actions.append(.fact(.left(peer, identity)))
            removeWorker(identity, reason: .handedBack, now, &actions)
        case .hello, .welcome, .request, .cancel, .record, .ack, .subscribe, .tail,
            .fetch, .chunk, .keys, .keyring:
            refuseCommand(message, peer, &actions)
        }
    }

    private mutating func refuseCommand(
        _ message: Message, _ peer: Peer, _ actions: inout [RouterAction]
    ) {
        counters.wrongState += 1
        let text = "\(message.command) is not for a router's \(peer.side) side"
        actions.append(.fact(.refused(peer, .wrongState, text)))
        actions.append(
            .send(.error(.wrongState, text, requestID: message.header.requestID), to: peer))
    }

    /// A peer that has not said HELLO learns so with each message, as far as the rate allows: it
    /// may be one that this router knew before it restarted.
    private mutating func refuseStranger(
        _ message: Message, _ peer: Peer, _ now: Now, _ actions: inout [RouterAction]
    ) {
        counters.wrongState += 1
        guard message.command != .error, message.command != .bye,
            rejections.allows(at: now.monotonic)
        else { return }
        let text = "HELLO comes first"
        actions.append(.fact(.refused(peer, .wrongState, text)))
        actions.append(
            .send(.error(.wrongState, text, requestID: message.header.requestID), to: peer))
    }

    /// Told once to each peer; the rest is counted only.
    mutating func refuseMalformed(
        _ error: WireError, _ peer: Peer, _ now: Now, _ actions: inout [RouterAction]
    ) {
        counters.malformed += 1
        guard peer.side != .journal else {
            actions.append(.fact(.malformed(peer, error)))
            return
        }
        guard !strangersTold.contains(peer), rejections.allows(at: now.monotonic) else { return }
        strangersTold.insert(peer)
        actions.append(.fact(.malformed(peer, error)))
        let code: ErrorCode = error.code == .unsupportedVersion ? .unsupportedVersion : .malformed
        actions.append(.send(.error(code, error.description), to: peer))
    }
}
