internal import Messages

extension JournalServer {
    /// A router or replica that said HELLO.
    struct Peer: Sendable {
        let route: [UInt8]
        let identity: Identity
        let incarnation: UInt64
        /// Peers are visited in the order in which they came.
        let number: Int
        /// Milliseconds of silence after which the peer is lost.
        let silenceMilliseconds: UInt64
        var lastHeard: MonotonicTime
        var lastSent: MonotonicTime
        /// The SUBSCRIBE that is not answered yet.
        var subscription: Subscription?
        /// FETCH and KEYS that are not answered yet.
        var questions = 0
    }

    /// Ping intervals outside this range are taken as its ends.
    private static var pingIntervals: ClosedRange<UInt32> {
        Limits.pingIntervalMillisecondsMin...Limits.pingIntervalMillisecondsMax
    }

    var peersInOrder: [Peer] { peers.values.sorted { $0.number < $1.number } }

    func lostTime(of peer: Peer) -> MonotonicTime {
        peer.lastHeard.adding(milliseconds: peer.silenceMilliseconds)
    }
    func pingTime(of peer: Peer) -> MonotonicTime {
        peer.lastSent.adding(milliseconds: configuration.pingIntervalMilliseconds)
    }

    /// Answers HELLO, and lets a newer incarnation or connection replace an older one.
    mutating func welcome(
        _ hello: Message, from route: [UInt8], at now: Now, into actions: inout [JournalAction]
    ) {
        let requestID = hello.header.requestID
        guard let identity = hello.fields.identity,
            let incarnation: UInt64 = hello.fields.integer(.incarnation)
        else {
            let text = "HELLO has an identity and an incarnation"
            let error = Message.error(.badRequest, text, requestID: requestID)
            return send(error, to: route, at: now, into: &actions)
        }
        if let refusal = refusal(of: identity, incarnation, from: route) {
            var error = refusal
            error.header.requestID = requestID
            return send(error, to: route, at: now, into: &actions)
        }
        makeRoom(for: identity, at: route, at: now, into: &actions)
        let interval: UInt32 =
            hello.fields.integer(.pingInterval) ?? Limits.pingIntervalMilliseconds
        let bounds = Self.pingIntervals
        let bounded = min(max(interval, bounds.lowerBound), bounds.upperBound)
        peers[route] = Peer(
            route: route, identity: identity, incarnation: incarnation, number: makeNumber(),
            silenceMilliseconds: UInt64(bounded) * configuration.missedPingsMax,
            lastHeard: now.monotonic, lastSent: now.monotonic)
        routes[identity] = route
        send(makeWelcome(requestID), to: route, at: now, into: &actions)
        actions.append(.fact(.peerJoined(identity)))
    }

    private func makeWelcome(_ requestID: RequestID) -> Message {
        var welcome = Message(Header(.welcome, requestID: requestID))
        welcome.fields.identity = configuration.identity
        welcome.fields.set(.incarnation, integer: configuration.incarnation)
        welcome.fields.set(.pingInterval, integer: configuration.pingIntervalMilliseconds)
        welcome.fields.position = head
        return welcome
    }

    private func refusal(
        of identity: Identity, _ incarnation: UInt64, from route: [UInt8]
    ) -> Message? {
        if isDraining { return .error(.draining, "the journal is stopping") }
        if let old = routes[identity].flatMap({ peers[$0] }) {
            guard old.incarnation <= incarnation else {
                return .error(.replaced, "a newer incarnation of this identity is connected")
            }
            return nil
        }
        guard peers.count < configuration.peersMax || peers[route] != nil else {
            return .error(
                .overloaded, "at most \(configuration.peersMax) peers",
                retryAfterMilliseconds: configuration.retryAfterMilliseconds)
        }
        return nil
    }

    /// Takes away what stands where the new peer will: its own past, or another one's.
    private mutating func makeRoom(
        for identity: Identity, at route: [UInt8], at now: Now, into actions: inout [JournalAction]
    ) {
        if let oldRoute = routes[identity] {
            actions.append(.fact(.peerReplaced(identity)))
            if oldRoute != route {
                var bye = Message(Header(.bye))
                bye.fields.set(.errorCode, text: ErrorCode.replaced.rawValue)
                send(bye, to: oldRoute, at: now, into: &actions)
            }
            forget(oldRoute)
        }
        if let other = peers[route] {
            actions.append(.fact(.peerLost(other.identity)))
            forget(route)
        }
    }

    mutating func refuseStranger(
        _ message: Message, from route: [UInt8], at now: Now, into actions: inout [JournalAction]
    ) {
        actions.append(.fact(.unexpected(message.command)))
        switch message.command {
        case .error, .bye: return
        default:
            let error = Message.error(
                .wrongState, "HELLO comes first", requestID: message.header.requestID)
            send(error, to: route, at: now, into: &actions)
        }
    }

    mutating func answerMalformed(
        _ error: WireError, from route: [UInt8], at now: Now, into actions: inout [JournalAction]
    ) {
        actions.append(.fact(.malformed(error.code)))
        let code: ErrorCode = error.code == .unsupportedVersion ? .unsupportedVersion : .malformed
        send(.error(code, error.context), to: route, at: now, into: &actions)
    }

    /// Pings who has heard nothing for an interval and drops who was silent for too long.
    mutating func judgePeers(at now: Now, into actions: inout [JournalAction]) {
        for peer in peersInOrder {
            if lostTime(of: peer) <= now.monotonic {
                lose(peer.route, into: &actions)
            } else if pingTime(of: peer) <= now.monotonic {
                send(Message(Header(.ping)), to: peer.route, at: now, into: &actions)
            }
        }
    }

    mutating func lose(_ route: [UInt8], into actions: inout [JournalAction]) {
        guard let peer = peers[route] else { return }
        forget(route)
        actions.append(.fact(.peerLost(peer.identity)))
    }

    private mutating func forget(_ route: [UInt8]) {
        guard let peer = peers.removeValue(forKey: route) else { return }
        routes[peer.identity] = nil
        if let ticket = peer.subscription?.readTicket { reads[ticket] = nil }
    }
}
