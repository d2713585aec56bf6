public import Messages

/// The journal's side of the protocol: takes changes from routers, serves records to replicas.
///
/// A value without I/O: whoever owns the sockets and the backend hands in events and performs
/// the actions. A change is acknowledged only after `appended` says that it is synced. Changes
/// that arrive while a group is with the backend wait and become the next group.
public struct JournalServer: Sendable {
    let configuration: JournalServerConfiguration
    /// The last position that is known to be synced.
    public internal(set) var head: Position
    /// Why the journal no longer acknowledges; nil while it does.
    public internal(set) var stopReason: String?
    /// By routing id.
    var peers: [[UInt8]: Peer] = [:]
    /// The routing id under which an identity is connected.
    var routes: [Identity: [UInt8]] = [:]
    /// Changes that wait for the next group, in order.
    var waiting: [PendingChange] = []
    /// Bytes of the changes that wait.
    var waitingBytes = 0
    /// The group that is with the backend, by ticket.
    var group: [Int: PendingChange] = [:]
    /// Changes of the last group.
    var lastGroupCount = 0
    /// The routing id that a read is for, by ticket.
    var reads: [Int: [UInt8]] = [:]
    /// What can still be read.
    var holdings: JournalHoldings
    var isDraining = false
    var isDrained = false
    private var lastNumber = 0
    private var lastEvent: MonotonicTime?

    /// A server in front of a backend that stands at a position.
    public init(
        configuration: JournalServerConfiguration, head: Position,
        holdings: JournalHoldings = JournalHoldings()
    ) {
        self.configuration = configuration
        self.head = head
        self.holdings = holdings
    }

    /// Changes that are not answered yet.
    public var pendingCount: Int { waiting.count + group.count }
    /// Peers that said HELLO and are not lost.
    public var peerCount: Int { peers.count }

    /// When a `tick` is wanted at the latest; nil if nobody is connected.
    public var nextWake: MonotonicTime? {
        let judging = peers.values.map { min(lostTime(of: $0), pingTime(of: $0)) }.min()
        return [judging, gatherEnd].compactMap(\.self).min()
    }

    /// Takes one event and adds what is to be done.
    public mutating func handle(
        _ event: JournalEvent, at now: Now, into actions: inout [JournalAction]
    ) {
        forgiveLag(at: now.monotonic)
        switch event {
        case .message(let message, let route):
            receive(message, from: route, at: now, into: &actions)
        case .malformed(let error, let route):
            answerMalformed(error, from: route, at: now, into: &actions)
        case .appended(let outcomes, let head, let bodies):
            finishGroup(outcomes, bodies, head: head, at: now, into: &actions)
        case .appendFailed(let tickets, let reason):
            stop(tickets, reason, at: now, into: &actions)
        case .read(let ticket, let part):
            finishRead(ticket, part, at: now, into: &actions)
        case .readFailed(let ticket, let reason):
            failRead(ticket, reason, at: now, into: &actions)
        case .keys(let keys, let isLast, let question):
            answer(question, keys, isLast: isLast, at: now, into: &actions)
        case .chunk(let chunk, let question):
            answer(question, chunk, at: now, into: &actions)
        case .answerFailed(let reason, let question):
            actions.append(.fact(.readFailed(reason)))
            answer(question, .error(.journalUnavailable, reason), at: now, into: &actions)
        case .holds(let holdings):
            self.holdings = holdings
        case .tick:
            judgePeers(at: now, into: &actions)
            startGroup(at: now, into: &actions)
        case .undeliverable(let route):
            lose(route, into: &actions)
        case .drain:
            isDraining = true
            finishDraining(at: now, into: &actions)
        }
    }

    private mutating func receive(
        _ message: Message, from route: [UInt8], at now: Now, into actions: inout [JournalAction]
    ) {
        if message.command == .hello {
            return welcome(message, from: route, at: now, into: &actions)
        }
        guard peers[route] != nil else {
            return refuseStranger(message, from: route, at: now, into: &actions)
        }
        peers[route]?.lastHeard = now.monotonic
        switch message.command {
        case .record:
            accept(message, from: route, at: now, into: &actions)
        case .subscribe:
            subscribe(message, from: route, at: now, into: &actions)
        case .fetch:
            fetch(message, from: route, at: now, into: &actions)
        case .keys:
            lookUpKeys(message, from: route, at: now, into: &actions)
        case .ping:
            let pong = Message(Header(.pong, requestID: message.header.requestID))
            send(pong, to: route, at: now, into: &actions)
        case .pong:
            break
        case .bye:
            lose(route, into: &actions)
        case .error:
            // An ERROR is never answered: two sides could answer each other for ever.
            actions.append(.fact(.unexpected(.error)))
        case .hello, .welcome, .ready, .request, .partial, .final, .cancel, .draining, .ack, .tail,
            .chunk,
            .keyring, .notify:
            actions.append(.fact(.unexpected(message.command)))
            let error = Message.error(
                .wrongState,
                "a journal takes HELLO, RECORD, SUBSCRIBE, FETCH, KEYS, PING, PONG and BYE",
                requestID: message.header.requestID)
            send(error, to: route, at: now, into: &actions)
        }
    }

    /// Silence while this side was not running is nobody's fault: one more interval is given.
    private mutating func forgiveLag(at now: MonotonicTime) {
        defer { lastEvent = now }
        let interval = UInt64(configuration.pingIntervalMilliseconds)
        guard let lastEvent, now.milliseconds(since: lastEvent) > 2 * interval else { return }
        for (route, peer) in peers {
            let lag = now.milliseconds(since: lastEvent)
            peers[route]?.lastHeard = min(now, peer.lastHeard.adding(milliseconds: lag))
        }
    }

    /// Numbers tickets and peers in the order in which they came.
    mutating func makeNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Sends, and remembers that the peer has heard from the journal.
    mutating func send(
        _ message: Message, to route: [UInt8], at now: Now, into actions: inout [JournalAction]
    ) {
        peers[route]?.lastSent = now.monotonic
        actions.append(.send(message, to: route))
    }

    /// Ends a drain once nothing is left to answer.
    mutating func finishDraining(at now: Now, into actions: inout [JournalAction]) {
        guard isDraining, !isDrained, pendingCount == 0 else { return }
        isDrained = true
        for peer in peersInOrder {
            send(Message(Header(.bye)), to: peer.route, at: now, into: &actions)
        }
        peers = [:]
        routes = [:]
        reads = [:]
        actions.append(.fact(.drained))
    }
}
