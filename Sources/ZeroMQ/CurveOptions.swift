internal import CZeroMQ

/// How a socket encrypts its TCP connections; inproc is never encrypted.
public enum CurveOptions: Sendable {
    /// Binds. Every handshake is put to the handler at `Socket.handshakeHandler`; where nobody is
    /// bound there, libzmq lets every key in.
    ///
    /// - Parameters:
    ///   - own: The pair whose public key those who connect have to know.
    ///   - domain: What the handler is told, such as `clients`; not empty.
    case server(own: CurveKeyPair, domain: String)
    /// Connects, to whoever has the secret key that belongs to `server`.
    case client(own: CurveKeyPair, server: CurveKey)

    func apply(to handle: UnsafeMutableRawPointer) throws(ZeroMQError) {
        switch self {
        case .server(let own, let domain):
            precondition(!domain.isEmpty, "libzmq asks no handler about an empty domain")
            try Self.set(handle, ZMQ_CURVE_SERVER, 1, "ZMQ_CURVE_SERVER")
            try Self.set(handle, ZMQ_CURVE_SECRETKEY, own.secretKey.text, "ZMQ_CURVE_SECRETKEY")
            try Self.set(handle, ZMQ_ZAP_DOMAIN, domain, "ZMQ_ZAP_DOMAIN")
        case .client(let own, let server):
            try Self.set(handle, ZMQ_CURVE_SERVERKEY, server.text, "ZMQ_CURVE_SERVERKEY")
            try Self.set(handle, ZMQ_CURVE_PUBLICKEY, own.publicKey.text, "ZMQ_CURVE_PUBLICKEY")
            try Self.set(handle, ZMQ_CURVE_SECRETKEY, own.secretKey.text, "ZMQ_CURVE_SECRETKEY")
        }
    }

    private static func set(
        _ handle: UnsafeMutableRawPointer, _ option: Int32, _ value: Int32, _ name: String
    ) throws(ZeroMQError) {
        var value = value
        guard zmq_setsockopt(handle, option, &value, MemoryLayout<Int32>.size) == 0 else {
            throw .last("zmq_setsockopt", name)
        }
    }

    private static func set(
        _ handle: UnsafeMutableRawPointer, _ option: Int32, _ text: String, _ name: String
    ) throws(ZeroMQError) {
        guard zmq_setsockopt(handle, option, text, text.utf8.count) == 0 else {
            throw .last("zmq_setsockopt", name)
        }
    }
}

extension Socket {
    /// Where libzmq asks about handshakes (ZeroMQ RFC 27); a router socket of the same context
    /// has to be bound there before a server socket is bound.
    public static let handshakeHandler = "inproc://zeromq.zap.01"
}
