import CZeroMQ
import Messages
import Service

/// Speaks the protocol of this package, with the first frame of a request made once.
final class SightlineConnection: LoadConnection {
    static let service = "bench.echo"
    var nextNumber: UInt64 = 0
    private let socket: LoadSocket
    private var first: [UInt8]
    private var body: [UInt8]
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
            while let command = try takeCommand() {
                if command == .welcome { return }
            }
            socket.wait(nanoseconds: 100_000_000)
        }
        throw BenchError(.answer, "no WELCOME within \(Self.welcomeSeconds) s")
    }

    private func send(_ message: Message) throws {
        let frames = message.frames()
        for (index, bytes) in frames.enumerated() {
            try socket.send(bytes, more: index + 1 < frames.count)
        }
    }

    func send(_ number: UInt64) throws -> Bool {
        BodyNumber.write(number, to: &first, at: Self.idOffset)
        guard try socket.begin(first) else { return false }
        try socket.send(body, more: false)
        return true
    }

    private var lastNumber: UInt64 = 0

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

    func take() throws -> LoadAnswer? {
        while let command = try takeCommand() {
            switch command {
            case .final: return .done(lastNumber)
            // More in flight than a client may have, or too late.
            case .error: return .refused(lastNumber)
            case .ping: try send(Message(Header(.pong)))
            case .pong: continue
            default: throw BenchError(.answer, "the router answers \(command)")
            }
        }
        return nil
    }

    func wait(nanoseconds: Int) { socket.wait(nanoseconds: nanoseconds) }
    func close() {
        zmq_msg_close(&frame)
        socket.close()
    }
}
