import Bytes
import Journal
import Messages
import Queue
import ZeroMQ

/// The router machine with its three sockets.
final class RouterRole: Role {
    /// What other threads ask of the role.
    enum Letter: Sendable {
        /// The recorder lacks the key of an account.
        case needsKey(String)
        /// The list of allowed keys was read again; these are the user ids in it.
        case allowed(Set<String>)
        /// A detached request is kept, or cannot be.
        case jobKept(RequestID, write: UInt64, failure: String?)
        case drain
    }

    private var machine: Router
    private let clients: Socket
    private let workers: Socket
    private let journal: Dealer
    private let mailbox: Mailbox<Letter>
    private let recorder: ExchangeRecorder?
    private let keeper: JobKeeper?
    private let log: Log
    private var actions: [RouterAction] = []
    /// What is to be sent since the last flush. A burst of messages is answered at once, so that
    /// libzmq's thread is woken once for all of them and writes them together.
    private var outbox: [(message: Message, peer: Peer)] = []
    private var sending: [(message: Message, peer: Peer)] = []
    /// With fewer, libzmq's thread is woken too often; with more, workers and clients wait for the
    /// router instead of working beside it.
    private static let outboxMax = 16
    /// Bytes of bodies after which that is so too: writing them takes longer than waking.
    private static let outboxBytesMax = 32 << 10
    private var outboxBytes = 0
    private var received: [SharedBytes] = []
    private var buffer = SendBuffer()
    private var revoked = RevokedPeers()
    /// Accounts whose key the journal was asked for.
    private var keyQuestions: [RequestID: String] = [:]
    private var lastKeyQuestion: UInt64 = 0
    private(set) var isFinished = false

    /// Binds the client and worker endpoints and connects to the journal.
    init(
        _ settings: RouterSettings, context: Context, mailbox: Mailbox<Letter>,
        recorder: ExchangeRecorder?, log: Log
    ) throws {
        machine = Router(settings.machine, keyedHash: settings.keyedHash)
        clients = try .bound(settings.clientURLs, context, settings.serverKeys, .clients)
        workers = try .bound(settings.workerURLs, context, settings.serverKeys, .workers)
        journal = try Dealer(settings.journalURL, keys: settings.journalKeys, context: context)
        self.mailbox = mailbox
        self.recorder = recorder
        keeper = settings.keeper
        self.log = log
    }

    var sockets: [Socket] { [clients, workers] + journal.sockets }
    var nextWake: MonotonicTime? { machine.nextWake }

    func receive(from socket: Socket, at now: Now) {
        do {
            if socket === journal.socket {
                try socket.takeMessages { takeFromJournal($0, now) }
            } else if journal.isMonitor(socket) {
                if let refusal = try journal.takeRefusal() {
                    log.error("router is not let in", ["reason": "\(refusal)"])
                }
            } else {
                let side: Peer.Side = socket === clients ? .client : .worker
                try socket.takeRouted(through: &received) { routingID, arrival in
                    let peer = Peer(side: side, routingID: routingID)
                    if let arrival { step(arrival, from: peer, now) } else { cutOff(peer, now) }
                    if outbox.count >= Self.outboxMax || outboxBytes >= Self.outboxBytesMax {
                        flush(now)
                    }
                }
            }
        } catch {
            log.error("router cannot receive", ["error": "\(error)"])
        }
        flush(now)
    }

    func turn(at now: Now) {
        for letter in mailbox.takeAll() {
            switch letter {
            case .needsKey(let account): askForKey(of: account)
            case .allowed(let ids):
                clients.allowedUserIDs = ids
                workers.allowedUserIDs = ids
                revoked = RevokedPeers()
            case .jobKept(let id, let write, let failure):
                step(.jobKept(id, write: write, failure: failure), now)
            case .drain: step(.drain, now)
            }
        }
        if let wake = machine.nextWake, wake <= now.monotonic { step(.tick, now) }
        flush(now)
    }

    func close() {
        clients.close()
        workers.close()
        journal.close()
        recorder?.stop()
        keeper?.stop()
    }

    /// A peer whose key was revoked has left, whatever it sends.
    private func cutOff(_ peer: Peer, _ now: Now) {
        guard revoked.isNew(peer.routingID) else { return }
        step(.message(Message(Header(.bye)), from: peer), now)
        flush(now)
        _ = send(RevokedPeers.word, to: peer)
    }

    /// Keys are the recorder's; everything else is the machine's.
    private func takeFromJournal(_ arrival: MessageArrival, _ now: Now) {
        if case .success(let message) = arrival, message.command == .keyring {
            guard let account = keyQuestions.removeValue(forKey: message.header.requestID) else {
                return
            }
            for store in StoreKind.allCases {
                if let key = message.fields.accountKeys.first(where: { $0.store == store }) {
                    recorder?.offer(key)
                } else {
                    recorder?.offer(.random(for: account, store), isKept: false)
                }
            }
        } else {
            step(arrival, from: .journal, now)
        }
    }

    /// The recorder says again what it lacks, so an answer that is lost is asked for again.
    private func askForKey(of account: String) {
        // Answers that never came are of no use: what is still lacking is said again.
        if keyQuestions.count >= Limits.keyringKeysMax { keyQuestions = [:] }
        lastKeyQuestion += 1
        let id = RequestID(high: .max, low: lastKeyQuestion)
        keyQuestions[id] = account
        var message = Message(Header(.keys, requestID: id))
        message.fields.set(.account, text: account)
        _ = send(message, to: .journal)
    }

    private func step(_ arrival: MessageArrival, from peer: Peer, _ now: Now) {
        switch arrival {
        case .success(let message): step(.message(message, from: peer), now)
        case .failure(let error): step(.malformed(error, from: peer), now)
        }
    }

    /// Hands an event to the machine and does what it says; messages wait for the next flush.
    private func step(_ event: RouterEvent, _ now: Now) {
        machine.handle(event, at: now, into: &actions)
        for action in actions { perform(action) }
        actions.removeAll(keepingCapacity: true)
    }

    /// Sends what is to be sent; what cannot be is an event of its own.
    private func flush(_ now: Now) {
        while !outbox.isEmpty {
            swap(&outbox, &sending)
            outboxBytes = 0
            defer { sending.removeAll(keepingCapacity: true) }
            for (message, peer) in sending {
                switch send(message, to: peer) {
                case .sent: break
                case .full: step(.stalled(peer, unsent: message), now)
                case .unreachable: step(.undeliverable(peer, unsent: message), now)
                }
            }
        }
    }

    private func perform(_ action: RouterAction) {
        switch action {
        case .send(let message, let peer):
            outbox.append((message, peer))
            outboxBytes += message.sharedBody.count
        case .exchange(let request, let reply, let client, let arrival):
            recorder?.record(request: request, reply: reply, client: client, arrival: arrival)
        case .keepJob(let job, let write):
            keeper?.keep(job) { [mailbox] failure in
                mailbox.post(.jobKept(job.id, write: write, failure: failure))
            }
        case .forgetJob(let id): keeper?.forget(id)
        case .accountEnded(let account): recorder?.forget(account: account)
        case .fact(let fact):
            if log.writes(fact.level) { log.write(fact.level, "router", ["fact": "\(fact)"]) }
        case .drained: isFinished = true
        }
    }

    private func send(_ message: Message, to peer: Peer) -> SendResult {
        do {
            switch peer.side {
            case .client:
                return try clients.send(message, to: peer.routingID, through: &buffer)
            case .worker:
                return try workers.send(message, to: peer.routingID, through: &buffer)
            case .journal: return try journal.socket.send(message, to: nil, through: &buffer)
            }
        } catch {
            log.error("router cannot send", ["error": "\(error)"])
            return .unreachable
        }
    }
}

extension RouterFact {
    /// What happens with each request is counted and not told.
    fileprivate var level: Log.Level {
        switch self {
        case .finished, .prepared, .unprepared, .late, .joinedInFlight, .duplicate, .retried,
            .hedged, .probed, .shed, .unsent, .jobAccepted, .jobOver:
            .debug
        case .refused(_, .overloaded, _), .refused(_, .deadlineExceeded, _): .debug
        case .putAside, .jobNotKept: .warning
        case .joined, .lost, .left, .replaced, .evicted, .refused, .malformed, .lagged,
            .journalUp, .journalDown:
            .info
        }
    }
}
