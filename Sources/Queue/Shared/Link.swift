internal import Messages

/// One side's view of a connection that it opened: HELLO until WELCOME, then PING, and when the
/// other side stays silent a new connection.
struct Link: Sendable {
    enum State: Sendable {
        /// Nothing was sent yet.
        case new
        /// HELLO was sent.
        case greeting
        /// WELCOME came.
        case open
        /// The other side must not be spoken to any more.
        case closed
    }
    enum Due: Sendable { case nothing, hello, ping, reconnect }

    private(set) var state = State.new
    /// Which incarnation said WELCOME last.
    private(set) var server: Server?
    private let ownInterval: UInt32
    private var peerInterval: UInt32
    private var lastHeard = MonotonicTime(nanoseconds: 0)
    private var lastSent = MonotonicTime(nanoseconds: 0)
    private var lastAsked: MonotonicTime?
    private let forgivesLag: Bool

    /// A process that answers HELLO.
    struct Server: Equatable, Sendable {
        let identity: Identity?
        let incarnation: UInt64?
    }

    init(intervalMilliseconds: UInt32, forgivesLag: Bool = true) {
        self.forgivesLag = forgivesLag
        ownInterval = Link.clamped(intervalMilliseconds)
        peerInterval = ownInterval
    }

    static func clamped(_ interval: UInt32) -> UInt32 {
        min(
            max(interval, Limits.pingIntervalMillisecondsMin), Limits.pingIntervalMillisecondsMax)
    }

    /// When `due` wants to be asked.
    var nextWake: MonotonicTime? {
        switch state {
        case .new: MonotonicTime(nanoseconds: 0)
        case .greeting, .open: min(lastSent.adding(milliseconds: ownInterval), silentAt)
        case .closed: nil
        }
    }
    /// Silence to this instant means that the other side is lost.
    var silentAt: MonotonicTime {
        lastHeard.adding(milliseconds: UInt64(peerInterval) * Limits.missedPingsMax)
    }

    /// What is to be sent now. HELLO, also after `reconnect`, begins a greeting.
    mutating func due(at now: MonotonicTime) -> Due {
        forgiveLag(at: now)
        switch state {
        case .closed: return .nothing
        case .new:
            greet(at: now)
            return .hello
        case .greeting, .open:
            if now >= silentAt {
                greet(at: now)
                return .reconnect
            }
            guard now >= lastSent.adding(milliseconds: ownInterval) else { return .nothing }
            lastSent = now
            return state == .open ? .ping : .hello
        }
    }

    /// Begins again with HELLO, which the caller sends.
    mutating func greet(at now: MonotonicTime) {
        state = .greeting
        lastHeard = now
        lastSent = now
    }
    /// Any message is a sign of life.
    mutating func heard(at now: MonotonicTime) { lastHeard = now }
    /// WELCOME came. True if another process or incarnation says it than before.
    mutating func welcome(_ message: Message) -> Bool {
        guard state != .closed else { return false }
        state = .open
        if let interval: UInt32 = message.fields.integer(.pingInterval) {
            peerInterval = Link.clamped(interval)
        }
        let speaker = Server(
            identity: message.fields.identity,
            incarnation: message.fields.integer(.incarnation))
        defer { server = speaker }
        return server != speaker
    }
    mutating func close() { state = .closed }

    /// Silence is not held against the other side while this side's own loop stood still: what
    /// came meanwhile may not have been read yet.
    private mutating func forgiveLag(at now: MonotonicTime) {
        defer { lastAsked = now }
        guard forgivesLag, let last = lastAsked,
            now > last.adding(milliseconds: UInt64(ownInterval) * 3 / 2)
        else { return }
        let oldest =
            now.nanoseconds
            - min(
                now.nanoseconds, UInt64(peerInterval) * (Limits.missedPingsMax - 1) * 1_000_000)
        lastHeard = max(lastHeard, MonotonicTime(nanoseconds: oldest))
    }
}

extension Message {
    /// The first message on a connection.
    static func hello(
        identity: Identity, incarnation: UInt64, name: String, intervalMilliseconds: UInt32
    ) -> Message {
        var message = Message(Header(.hello))
        message.fields.identity = identity
        message.fields.set(.incarnation, integer: incarnation)
        message.fields.set(.name, text: name.isEmpty ? nil : name)
        message.fields.set(.pingInterval, integer: intervalMilliseconds)
        return message
    }
}
