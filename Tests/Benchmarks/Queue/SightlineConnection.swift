import CZeroMQ
import Messages
import Service

/// Speaks the protocol of this package, with the first frame of a request made once.
final class SightlineConnection: LoadConnection {
    static let service = "bench.echo"
    private let socket: LoadSocket
    private var first: [UInt8]
    private var body: [UInt8]
    private var run = UInt64(SystemClock.wall().milliseconds)
    private var frame = zmq_msg_t()
    /// Where the number stands in the request id; the answer repeats it.
    private static let idOffset = 24
    private static let welcomeSeconds = 10.0

    init(port: Int, size: Int, keys: LoadKeys? = nil) throws {
        socket = try LoadSocket(port: port, keys: keys)
        zmq_msg_init(&frame)
        var message = Message(Header(.request, budgetMilliseconds: 60_000))
        message.fields.set(.service, text: Self.service)
        message.header.requestID = RequestID(
            high: UInt64(SystemClock.wall().milliseconds), low: 1)
        first = message.frames()[0]
        // A JSON array, as results are.
        body = [UInt8](repeating: UInt8(ascii: "0"), count: max(size, 16))
        body[0] = UInt8(ascii: "[")
        body[1] = UInt8(ascii: "\"")
        body[body.count - 2] = UInt8(ascii: "\"")
        body[body.count - 1] = UInt8(ascii: "]")
        try greet()
    }

    private func greet() throws {
        var random = SystemRandomNumberGenerator()
        var hello = Message(Header(.hello))
        hello.fields.identity = Identity(using: &random)
        hello.fields.set(.incarnation, integer: UInt64(SystemClock.wall().milliseconds))
        hello.fields.set(.pingInterval, integer: Limits.pingIntervalMillisecondsMax)
        try send(hello)
        let end = Clock.seconds() + Self.welcomeSeconds
        while Clock.seconds() < end {
            socket.wait(milliseconds: 100)
            while let command = try takeCommand() {
                if command == .welcome { return }
            }
        }
        throw BenchError(.answer, "no WELCOME within \(Self.welcomeSeconds) s")
    }

    private func send(_ message: Message) throws {
        let frames = message.frames()
        for (index, bytes) in frames.enumerated() {
            try socket.send(bytes, more: index + 1 < frames.count)
        }
    }

    func send(_ number: UInt64) throws {
        // Ids are never used twice: those of each run have another first half.
        if number == 0 {
            run += 1
            BodyNumber.write(run, to: &first, at: Self.idOffset - 8)
        }
        BodyNumber.write(number, to: &first, at: Self.idOffset)
        try socket.send(first, more: true)
        try socket.send(body, more: false)
    }

    private var lastNumber: UInt64 = 0
    private var refused = 0

    /// The command of the next message; its request number is kept.
    private func takeCommand() throws -> Command? {
        guard try socket.receive(&frame) else { return nil }
        let (command, number) = frame.withBytes { bytes in
            (
                bytes.count > Self.idOffset ? Command(rawValue: bytes[6]) : nil,
                BodyNumber.read(UnsafeRawBufferPointer(bytes), at: Self.idOffset)
            )
        }
        lastNumber = number
        while zmq_msg_more(&frame) != 0 { _ = try socket.receive(&frame, waits: true) }
        return command
    }

    func take() throws -> UInt64? {
        while let command = try takeCommand() {
            switch command {
            case .final: return lastNumber
            case .error:
                // More in flight than a client may have: an answer, and told at the end.
                refused += 1
                return lastNumber
            case .ping: try send(Message(Header(.pong)))
            case .pong: continue
            default: throw BenchError(.answer, "the router answers \(command)")
            }
        }
        return nil
    }

    func wait(milliseconds: Int) { socket.wait(milliseconds: milliseconds) }
    func close() {
        if refused > 0 { Machine.say("the router refused \(refused) requests") }
        zmq_msg_close(&frame)
        socket.close()
    }
}
