import Messages
import Queue
import ZeroMQ

/// The client machine with its socket.
final class ClientRole: Role {
    /// What other threads ask of the role.
    enum Letter: Sendable {
        case submit(id: Int, Message, @Sendable (Outcome) -> Void)
        case cancel(id: Int)
        case subscribe(id: Int, Message, AsyncStream<Subscribed>.Continuation)
        case unsubscribe(id: Int)
        case close
    }

    /// Who waits for an outcome.
    private struct Waiting {
        let id: Int
        let reply: @Sendable (Outcome) -> Void
    }

    private var machine: Client
    private let mailbox: Mailbox<Letter>
    private let log: Log
    private let whenJudged: @Sendable (ConnectionRefused?) -> Void
    private let dealer: Dealer
    private var waiting: [Int: Waiting] = [:]
    private var submissionTickets: [Int: Int] = [:]
    private var subscribed: [Int: AsyncStream<Subscribed>.Continuation] = [:]
    private var subscriptionTickets: [Int: Int] = [:]
    private var lastTicket = 0
    private var unsent: [Message] = []
    /// The machine sends nothing any more; the socket goes at the next turn.
    private var hasEnded = false
    private(set) var isFinished = false

    /// Connects to a router's client endpoint.
    ///
    /// - Parameter whenJudged: Called with nil whenever the router says WELCOME, and with the
    ///   reason if it does not let this side in, which is the end of the connection.
    init(
        _ configuration: ClientConfiguration, url: String, keys: ConnectionKeys?,
        context: Context, mailbox: Mailbox<Letter>, log: Log,
        whenJudged: @escaping @Sendable (ConnectionRefused?) -> Void
    ) throws {
        machine = Client(configuration)
        self.whenJudged = whenJudged
        self.mailbox = mailbox
        self.log = log
        dealer = try Dealer(url, keys: keys, context: context, lingerMilliseconds: 500)
    }

    var sockets: [Socket] { dealer.sockets }
    var nextWake: MonotonicTime? { machine.nextWake }

    func receive(from socket: Socket, at now: Now) {
        do {
            guard !dealer.isMonitor(socket) else {
                if let refusal = try dealer.takeRefusal() { end(by: refusal, now) }
                return
            }
            guard socket === dealer.socket else { return }
            try socket.takeMessages { arrival in
                switch arrival {
                case .success(let message): step(.message(message), now)
                case .failure(let error): step(.malformed(error), now)
                }
            }
        } catch {
            log.error("client cannot receive", ["error": "\(error)"])
        }
    }

    func turn(at now: Now) {
        for letter in mailbox.takeAll() {
            switch letter {
            case .submit(let id, let message, let reply):
                lastTicket += 1
                waiting[lastTicket] = Waiting(id: id, reply: reply)
                submissionTickets[id] = lastTicket
                step(.submit(ticket: lastTicket, message), now)
            case .cancel(let id):
                if let ticket = submissionTickets[id] { step(.cancel(ticket: ticket), now) }
            case .subscribe(let id, let message, let continuation):
                lastTicket += 1
                subscribed[lastTicket] = continuation
                subscriptionTickets[id] = lastTicket
                step(.subscribe(ticket: lastTicket, message), now)
            case .unsubscribe(let id):
                if let ticket = subscriptionTickets.removeValue(forKey: id) {
                    step(.cancel(ticket: ticket), now)
                }
            case .close:
                step(.close, now)
                isFinished = true
            }
        }
        if let wake = machine.nextWake, wake <= now.monotonic { step(.tick, now) }
        if hasEnded { dealer.close() }
    }

    func close() {
        dealer.close()
        for waiting in waiting.values { waiting.reply(.timedOut) }
        for continuation in subscribed.values { continuation.finish() }
    }

    /// Nothing that was asked can be answered, and nothing that will be.
    private func end(by refusal: ConnectionRefused, _ now: Now) {
        step(.refused(.keyRefused, "\(refusal)"), now)
        whenJudged(refusal)
    }

    private func step(_ event: ClientEvent, _ now: Now) {
        var actions: [ClientAction] = []
        machine.handle(event, at: now, into: &actions)
        for action in actions { perform(action) }
        // Told once the machine's actions are done; it tries again when it is time to.
        let messages = unsent
        unsent = []
        for message in messages { step(.unsent(message), now) }
    }

    private func send(_ message: Message) -> Bool {
        do {
            guard dealer.isOpen else { return false }
            return try dealer.socket.send(message.frames()) == .sent
        } catch {
            log.error("client cannot send", ["error": "\(error)"])
            return false
        }
    }

    private func perform(_ action: ClientAction) {
        switch action {
        case .send(let message):
            if !send(message) { unsent.append(message) }
        case .finished(let ticket, let outcome):
            if let waiting = waiting.removeValue(forKey: ticket) {
                submissionTickets[waiting.id] = nil
                waiting.reply(outcome)
            }
            guard let continuation = subscribed.removeValue(forKey: ticket) else { break }
            continuation.yield(.ended(RequestFailure(outcome)))
            continuation.finish()
        case .notified(let ticket, let message): subscribed[ticket]?.yield(.list(message))
        case .reconnect:
            do {
                try dealer.reconnect()
            } catch {
                log.error("client cannot connect", ["error": "\(error)"])
            }
        case .fact(let fact):
            if fact == .welcomed { whenJudged(nil) }
            log.debug("client", ["fact": "\(fact)"])
        // The loop goes on, so that what is still asked gets its outcome.
        case .closed: hasEnded = true
        }
    }
}
