import CZeroMQ

/// A socket of libzmq with nothing around it: the limit that our own transfer is held against.
///
/// What arrives stays in libzmq's memory and is not copied.
final class RawSocket {
    private let context: UnsafeMutableRawPointer
    private let handle: UnsafeMutableRawPointer

    private init(_ kind: Int32) throws(BenchError) {
        guard let context = zmq_ctx_new(), let handle = zmq_socket(context, kind) else {
            throw BenchError(.system, "libzmq opens no socket")
        }
        self.context = context
        self.handle = handle
        var linger: Int32 = 0
        zmq_setsockopt(handle, ZMQ_LINGER, &linger, MemoryLayout<Int32>.size)
    }

    /// A ROUTER that listens on a port of 127.0.0.1.
    static func router(port: Int) throws(BenchError) -> RawSocket {
        let socket = try RawSocket(ZMQ_ROUTER)
        guard zmq_bind(socket.handle, "tcp://127.0.0.1:\(port)") == 0 else {
            throw BenchError(.system, "port \(port) cannot be bound")
        }
        return socket
    }

    /// A DEALER that is connected to a port of 127.0.0.1.
    static func dealer(port: Int) throws(BenchError) -> RawSocket {
        let socket = try RawSocket(ZMQ_DEALER)
        guard zmq_connect(socket.handle, "tcp://127.0.0.1:\(port)") == 0 else {
            throw BenchError(.system, "port \(port) cannot be reached")
        }
        return socket
    }

    deinit {
        zmq_close(handle)
        zmq_ctx_term(context)
    }

    /// Waits for a frame and gives its bytes to `body`.
    func receive<Result>(
        _ body: (UnsafeRawBufferPointer) -> Result
    ) throws(BenchError) -> Result {
        var part = zmq_msg_t()
        zmq_msg_init(&part)
        defer { zmq_msg_close(&part) }
        guard zmq_msg_recv(&part, handle, 0) >= 0 else {
            throw BenchError(.answer, "libzmq receives nothing")
        }
        let count = zmq_msg_size(&part)
        return body(UnsafeRawBufferPointer(start: zmq_msg_data(&part), count: count))
    }

    func send(_ frame: [UInt8], more: Bool = false) throws(BenchError) {
        guard zmq_send(handle, frame, frame.count, more ? ZMQ_SNDMORE : 0) >= 0 else {
            throw BenchError(.answer, "libzmq sends nothing")
        }
    }
}
