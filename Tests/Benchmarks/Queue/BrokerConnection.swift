import CZeroMQ

/// Speaks as `brk.c` does: an empty frame and the body.
final class BrokerConnection: LoadConnection {
    var nextNumber: UInt64 = 0
    private let socket: LoadSocket
    private var body: [UInt8]
    private var frame = zmq_msg_t()

    init(port: Int, size: Int) throws {
        socket = try LoadSocket(port: port)
        body = [UInt8](repeating: UInt8(ascii: "x"), count: max(size, 16))
        zmq_msg_init(&frame)
    }

    func send(_ number: UInt64) throws -> Bool {
        guard try socket.begin([]) else { return false }
        BodyNumber.write(number, to: &body)
        try socket.send(body, more: false)
        return true
    }

    func take() throws -> LoadAnswer? {
        guard try socket.receive(&frame) else { return nil }
        while zmq_msg_more(&frame) != 0 { _ = try socket.receive(&frame, waits: true) }
        return .done(frame.withBytes { BodyNumber.read(UnsafeRawBufferPointer($0)) })
    }

    func wait(nanoseconds: Int) { socket.wait(nanoseconds: nanoseconds) }
    func close() {
        zmq_msg_close(&frame)
        socket.close()
    }
}
