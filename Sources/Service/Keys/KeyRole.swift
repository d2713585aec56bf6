import Messages
import ZeroMQ

/// Judges every handshake of a process that binds with keys, and tells who was refused.
///
/// It has a loop of its own: libzmq's thread waits for whoever reads its events, and must not wait
/// for a router that is busy.
final class KeyRole: Role {
    /// What other threads tell the role.
    enum Letter: Sendable {
        case reload
        case stop
    }

    private let own: CurveKey
    private let allowedFile: String
    private var allowed: Set<CurveKey>
    private let handler: Socket
    private let watches: [HandshakeWatch]
    private let mailbox: Mailbox<Letter>
    private let log: Log
    private let whenReloaded: @Sendable (Set<String>) -> Void
    private var told = ToldRefusals()
    private(set) var isFinished = false

    /// Binds the handler, which has to be there before the sockets that it judges for.
    ///
    /// - Parameter whenReloaded: Gets the user ids that are allowed now.
    init(
        _ keys: ServerKeys, domains: [HandshakeDomain], isLoopback: Bool, context: Context,
        mailbox: Mailbox<Letter>, log: Log,
        whenReloaded: @escaping @Sendable (Set<String>) -> Void
    ) throws {
        own = keys.own.publicKey
        allowedFile = keys.allowedFile
        // Whoever has the server's secret key is the server.
        allowed = keys.allowed.keys.union([keys.own.publicKey])
        self.mailbox = mailbox
        self.log = log
        self.whenReloaded = whenReloaded
        handler = try Socket(context, .router)
        try handler.bind(Socket.handshakeHandler)
        watches = try domains.map { try HandshakeWatch(context, $0, isLoopback: isLoopback) }
        log.info("keys allowed", ["count": "\(keys.allowed.entries.count)"])
    }

    var sockets: [Socket] { [handler] + watches.map(\.monitor.socket) }
    var nextWake: MonotonicTime? { nil }

    func receive(from socket: Socket, at now: Now) {
        do {
            if socket === handler {
                try answerHandshakes(now)
            } else if let watch = watches.first(where: { $0.monitor.socket === socket }) {
                for refusal in try watch.takeRefusals() {
                    tell(refusal, watch.domain.rawValue, now)
                }
            }
        } catch {
            log.error("keys cannot receive", ["error": "\(error)"])
        }
    }

    func turn(at now: Now) {
        for letter in mailbox.takeAll() {
            switch letter {
            case .reload: reload()
            case .stop: isFinished = true
            }
        }
    }

    func close() {
        for socket in sockets { socket.close() }
    }

    private func answerHandshakes(_ now: Now) throws {
        while let received = try handler.receive(framesMax: 16, bytesMax: 4_096) {
            guard case .message(let frames) = received, let request = HandshakeRequest(frames)
            else { continue }
            let isAllowed = allowed.contains(request.key)
            _ = try handler.send(request.answer(isAllowed: isAllowed))
            guard !isAllowed else { continue }
            tell(
                PeerRefusal(reason: .keyNotAllowed, key: request.key, address: request.address),
                request.domain, now)
        }
    }

    private func tell(_ refusal: PeerRefusal, _ domain: String, _ now: Now) {
        let untold = told.untold
        guard told.isNew(refusal, at: now.monotonic) else { return }
        if untold > 0 { log.warning("peers refused and not told", ["count": "\(untold)"]) }
        log.warning(
            "peer refused",
            [
                "reason": refusal.reason.rawValue, "key": refusal.key?.prefix ?? "none",
                "address": refusal.address ?? "unknown", "endpoint": domain,
            ])
    }

    /// Takes the list as it is in the file now; one that cannot be read changes nothing.
    private func reload() {
        do {
            let list = try AllowedKeys(file: allowedFile)
            let keys = list.keys.union([own])
            let removed = allowed.subtracting(keys)
            allowed = keys
            told.forget()
            whenReloaded(Set(keys.map(\.text)))
            log.info(
                "keys allowed",
                [
                    "count": "\(list.entries.count)",
                    "revoked": removed.map(\.prefix).sorted().joined(separator: " "),
                ])
        } catch {
            log.error("keys stay as they were", ["error": "\(error)"])
        }
    }
}

/// The loop of a `KeyRole`.
final class KeyKeeper: Sendable {
    private let loop: EventLoop
    private let mailbox: Mailbox<KeyRole.Letter>

    /// Starts to judge handshakes.
    init(
        _ keys: ServerKeys, domains: [HandshakeDomain], isLoopback: Bool, context: Context,
        log: Log, whenReloaded: @escaping @Sendable (Set<String>) -> Void
    ) throws {
        let loop = EventLoop(log: log)
        let mailbox = Mailbox<KeyRole.Letter>(waking: loop.signal)
        self.loop = loop
        self.mailbox = mailbox
        try loop.start(name: "keys") {
            let role = try KeyRole(
                keys, domains: domains, isLoopback: isLoopback, context: context,
                mailbox: mailbox, log: log, whenReloaded: whenReloaded)
            return [Hosted(role: role)]
        }
    }

    /// Reads the list of allowed keys again; returns at once.
    func reload() { mailbox.post(.reload) }

    /// Ends it once the sockets that it judges for are closed.
    func stop() {
        mailbox.post(.stop)
        loop.join()
    }
}
