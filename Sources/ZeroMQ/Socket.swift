internal import CZeroMQ
internal import Glibc

/// One socket, which belongs to the thread that made it and is therefore not Sendable.
///
/// Nothing here blocks: a send says whether the message was taken, a receive whether there was
/// one, and `Poller` waits.
public final class Socket {
    /// What a socket does with its peers.
    public enum Kind: Sendable {
        /// Many peers; each message begins with the routing id of one of them.
        case router
        /// Messages go to the connected peers in turn.
        case dealer
        /// One peer, over inproc: wakes a loop from another thread.
        case pair
    }

    /// Keeps the context alive as long as its sockets.
    private let context: Context
    private var open: UnsafeMutableRawPointer?
    /// The user ids, as the handshake handler gave them, of the peers that may be heard; nil for
    /// all. A handshake is judged once: this is for what changes afterwards.
    public var allowedUserIDs: Set<String>?

    /// Opens a socket.
    ///
    /// - Throws: `ZeroMQError` if an option is refused or there are too many sockets.
    public init(
        _ context: Context, _ kind: Kind, options: SocketOptions = SocketOptions()
    ) throws(ZeroMQError) {
        context.checkAlive()
        guard let handle = zmq_socket(context.handle, kind.number) else {
            throw .last("zmq_socket", "\(kind)")
        }
        self.context = context
        open = handle
        do throws(ZeroMQError) {
            try options.apply(to: handle, kind)
        } catch {
            close()
            throw error
        }
    }

    deinit { close() }

    /// Listens at an endpoint, such as `tcp://127.0.0.1:5570`, `tcp://127.0.0.1:*` or
    /// `inproc://name`.
    ///
    /// - Returns: The endpoint as it was bound, with the port that the system chose for `*`.
    /// - Throws: `ZeroMQError` that names the endpoint.
    @discardableResult
    public func bind(_ endpoint: String) throws(ZeroMQError) -> String {
        guard zmq_bind(handle, endpoint) == 0 else { throw .last("zmq_bind", endpoint) }
        return try lastEndpoint()
    }

    /// Connects, now or as soon as somebody listens, and again whenever the connection is lost.
    ///
    /// - Throws: `ZeroMQError` that names the endpoint if it is malformed.
    public func connect(_ endpoint: String) throws(ZeroMQError) {
        guard zmq_connect(handle, endpoint) == 0 else { throw .last("zmq_connect", endpoint) }
    }

    /// Closes the socket; a second call does nothing. Any other use afterwards is a mistake.
    public func close() {
        guard let handle = open else { return }
        open = nil
        zmq_close(handle)
    }

    /// It was not closed yet.
    public var isOpen: Bool { open != nil }

    var handle: UnsafeMutableRawPointer {
        guard let open else { preconditionFailure("the socket was closed") }
        return open
    }

    private func lastEndpoint() throws(ZeroMQError) -> String {
        var bytes = [UInt8](repeating: 0, count: 1_024)
        var count = bytes.count
        guard zmq_getsockopt(handle, ZMQ_LAST_ENDPOINT, &bytes, &count) == 0 else {
            throw .last("zmq_getsockopt", "ZMQ_LAST_ENDPOINT")
        }
        return String(decoding: bytes.prefix(count).prefix { $0 != 0 }, as: UTF8.self)
    }
}

extension Socket.Kind {
    fileprivate var number: Int32 {
        switch self {
        case .router: ZMQ_ROUTER
        case .dealer: ZMQ_DEALER
        case .pair: ZMQ_PAIR
        }
    }
}
