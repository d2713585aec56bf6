internal import CZeroMQ
internal import Glibc
internal import Synchronization

/// What became of the connections of a socket, as far as keys are concerned.
public enum SocketEvent: Sendable, Equatable {
    /// A bound socket took a connection on this descriptor, which libzmq owns and may have closed
    /// by now.
    case accepted(descriptor: Int32)
    /// A connection is complete.
    case handshakeSucceeded
    /// The handler of the other side refused the key, or this side's handler did; the status is
    /// 300, 400 or 500.
    case keyRefused(status: Int)
    /// One side has keys and the other one has none.
    case mechanismMismatch
    /// The bytes cannot be opened: the other side was connected with another server key.
    case wrongServerKey
    /// The other side does not speak the protocol of ZeroMQ.
    case malformedHandshake
    /// The other side closed in the middle of the handshake, as a server does if the client has
    /// another key in mind.
    case closedInHandshake
    /// The connection of this descriptor is closed.
    case disconnected(descriptor: Int32)
}

/// Reads what `Socket.startMonitor` tells; belongs to the thread that made it, which need not be
/// the thread of the monitored socket.
///
/// It has to be read for as long as the monitored socket is open: libzmq's own thread waits for a
/// monitor that is full.
public final class SocketMonitor {
    /// To be polled with other sockets.
    public let socket: Socket

    /// Reads at an address that `Socket.startMonitor` uses, or will.
    ///
    /// - Throws: `ZeroMQError` if there are too many sockets.
    public init(_ context: Context, address: String) throws(ZeroMQError) {
        socket = try Socket(context, .pair)
        try socket.connect(address)
    }

    /// The next event; nil if there is none now.
    ///
    /// - Throws: `ZeroMQError`, such as for a terminated context.
    public func next() throws(ZeroMQError) -> SocketEvent? {
        while let received = try socket.receive(framesMax: 2, bytesMax: 4_096) {
            guard case .message(let frames) = received, let first = frames.first,
                let event = Self.event(of: first)
            else { continue }
            return event
        }
        return nil
    }

    /// Closes the reading end; the monitored socket has to be closed, or its monitor stopped.
    public func close() { socket.close() }

    /// A monitor's first frame: 16 bits of event and 32 bits of value, in the machine's order.
    private static func event(of frame: [UInt8]) -> SocketEvent? {
        guard frame.count >= 6 else { return nil }
        let (number, value) = frame.withUnsafeBytes { bytes in
            (
                Int32(bytes.loadUnaligned(as: UInt16.self)),
                bytes.loadUnaligned(fromByteOffset: 2, as: Int32.self)
            )
        }
        switch number {
        case ZMQ_EVENT_ACCEPTED: return .accepted(descriptor: value)
        case ZMQ_EVENT_HANDSHAKE_SUCCEEDED: return .handshakeSucceeded
        case ZMQ_EVENT_HANDSHAKE_FAILED_AUTH: return .keyRefused(status: Int(value))
        case ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL: return .closedInHandshake
        case ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL: return failure(of: value)
        case ZMQ_EVENT_DISCONNECTED: return .disconnected(descriptor: value)
        default: return nil
        }
    }

    private static func failure(of value: Int32) -> SocketEvent {
        switch value {
        case ZMQ_PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH: .mechanismMismatch
        case ZMQ_PROTOCOL_ERROR_ZMTP_CRYPTOGRAPHIC: .wrongServerKey
        default: .malformedHandshake
        }
    }
}

extension Socket {
    private static let monitored =
        ZMQ_EVENT_ACCEPTED | ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH
        | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL
        | ZMQ_EVENT_DISCONNECTED
    private static let lastMonitor = Atomic<Int>(0)

    /// An address for a monitor that no other one of the process has.
    public static func monitorAddress() -> String {
        "inproc://monitor-\(lastMonitor.add(1, ordering: .relaxed).newValue)"
    }

    /// Begins to tell a `SocketMonitor` at the address what becomes of connections.
    ///
    /// - Throws: `ZeroMQError` if the address is taken.
    public func startMonitor(at address: String) throws(ZeroMQError) {
        guard zmq_socket_monitor(handle, address, Self.monitored) == 0 else {
            throw .last("zmq_socket_monitor", address)
        }
    }

    /// Ends it; also done by closing the socket.
    public func stopMonitor() {
        zmq_socket_monitor(handle, nil, 0)
    }

    /// The address of whoever is connected on a descriptor that `SocketEvent.accepted` named; nil
    /// if it is closed again, or no address of IPv4 or IPv6.
    public static func peerAddress(ofDescriptor descriptor: Int32) -> String? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let found = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getpeername(descriptor, address, &length) == 0
                    && getnameinfo(
                        address, length, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST)
                        == 0
            }
        }
        guard found, [AF_INET, AF_INET6].contains(Int32(storage.ss_family)) else { return nil }
        return String(
            decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
