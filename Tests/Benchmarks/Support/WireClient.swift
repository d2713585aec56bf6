import Messages
import Service
import ZeroMQ

/// The wire as a client speaks it, one step at a time on one thread: HELLO, then what is sent.
///
/// It has none of the machinery of the real clients, so that what is measured is the server.
final class WireClient {
    private let context: Context
    let socket: Socket
    private let identity: Identity
    private let incarnation: UInt64
    private var lastID: UInt64 = 0
    private static let welcomeSeconds = 10.0

    /// Connects to a port of 127.0.0.1 and waits for WELCOME.
    init(port: Int, seed: UInt64 = 1) throws {
        var random = SeededRandom(seed: seed)
        identity = Identity(using: &random)
        incarnation = UInt64(SystemClock.wall().milliseconds)
        context = try Context()
        var options = SocketOptions()
        options.immediate = false
        // Whole groups are sent before the first answer is taken.
        options.sendHighWater = 0
        options.receiveHighWater = 0
        socket = try Socket(context, .dealer, options: options)
        try socket.connect("tcp://127.0.0.1:\(port)")
        try greet()
    }

    deinit { close() }

    func close() {
        socket.close()
        context.terminate()
    }

    /// Says HELLO and waits for WELCOME; needed again where this client was silent for long.
    func greet() throws {
        var hello = Message(Header(.hello))
        hello.fields.identity = identity
        hello.fields.set(.incarnation, integer: incarnation)
        hello.fields.set(.pingInterval, integer: Limits.pingIntervalMillisecondsMax)
        try send(hello)
        let end = Clock.seconds() + Self.welcomeSeconds
        while Clock.seconds() < end {
            if let message = try receive(milliseconds: 100), message.command == .welcome { return }
        }
        throw BenchError(.answer, "no WELCOME within \(Self.welcomeSeconds) s")
    }

    /// The id of the next request.
    func nextID() -> RequestID {
        lastID += 1
        return RequestID(high: incarnation, low: lastID)
    }

    func send(_ message: Message) throws {
        while try socket.send(message.frames()) != .sent {
            _ = try Poller.wait(sockets: [socket], timeoutMilliseconds: 1)
        }
    }

    /// The next message that is no PING or PONG; nil if none comes in time.
    func receive(milliseconds: Int) throws -> Message? {
        let end = Clock.seconds() + Double(milliseconds) / 1_000
        while true {
            if let message = try take() { return message }
            let rest = (end - Clock.seconds()) * 1_000
            guard rest > 0 else { return nil }
            _ = try Poller.wait(sockets: [socket], timeoutMilliseconds: Int(rest.rounded(.up)))
        }
    }

    /// A message that has arrived already.
    func take() throws -> Message? {
        while true {
            let received = try socket.receive(
                framesMax: Limits.framesMax, bytesMax: Limits.messageBytesMax)
            guard let received else { return nil }
            guard case .message(let frames) = received else {
                throw BenchError(.answer, "a message over the limits came")
            }
            let message = try Message(frames: frames)
            switch message.command {
            case .ping: try send(Message(Header(.pong)))
            case .pong: break
            default: return message
            }
        }
    }

    /// The answer to one request; other answers that come meanwhile are dropped.
    func answer(to request: Message, seconds: Double = 30) throws -> Message {
        try send(request)
        let end = Clock.seconds() + seconds
        while Clock.seconds() < end {
            guard let message = try receive(milliseconds: 100) else { continue }
            if message.header.requestID == request.header.requestID { return message }
        }
        throw BenchError(.answer, "no answer within \(seconds) s")
    }

    /// The answer to a request, which must not be an ERROR.
    func success(of request: Message, seconds: Double = 30) throws -> Message {
        let message = try answer(to: request, seconds: seconds)
        guard message.command != .error else { throw BenchError(.answer, message.errorLine) }
        return message
    }
}

extension Message {
    /// The code and text of an ERROR.
    var errorLine: String {
        "\(fields.text(.errorCode) ?? "?"): \(fields.text(.errorText) ?? "")"
    }
}
