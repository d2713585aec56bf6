/// Speaks the client protocol of nats-server over a socket of its own, with what is read and what
/// is written gathered in buffers.
final class NATSConnection: LoadConnection {
    static let subject = "bench.work"
    var nextNumber: UInt64 = 0
    private let stream: NATSStream
    private var message: [UInt8]
    private let bodyOffset: Int

    init(port: Int, size: Int) throws {
        stream = try NATSStream(port: port)
        let size = max(size, 16)
        let inbox = "_INBOX.\(UInt32.random(in: 0 ... .max))"
        try stream.write(text: "SUB \(inbox) 1\r\n")
        let head = Array("PUB \(Self.subject) \(inbox) \(size)\r\n".utf8)
        bodyOffset = head.count
        message =
            head + [UInt8](repeating: UInt8(ascii: "x"), count: size) + [0x0D, 0x0A]
        try stream.flush()
    }

    /// There is always room: nats-server goes on reading whatever it has to write.
    func send(_ number: UInt64) throws -> Bool {
        BodyNumber.write(number, to: &message, at: bodyOffset)
        try stream.write(message)
        return true
    }

    func take() throws -> LoadAnswer? {
        var answer: LoadAnswer?
        _ = try stream.takeMessage { _, body in answer = .done(BodyNumber.read(body)) }
        return answer
    }

    func wait(nanoseconds: Int) { stream.wait(nanoseconds: nanoseconds) }
    func close() { stream.close() }
}
