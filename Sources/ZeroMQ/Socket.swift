internal import CZeroMQ
internal import Glibc
internal import Synchronization

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
    /// There may be a message of which the descriptor says nothing; false only from when the
    /// socket says that it has none until it is used again.
    var mayHaveMessage = true
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
        Self.changes.add(1, ordering: .relaxed)
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
        Self.changes.add(1, ordering: .relaxed)
        zmq_close(handle)
    }

    private static let changes = Atomic<Int>(0)

    /// How often a socket of this process was opened or closed, for those who keep lists of them.
    public static var changeCount: Int { changes.load(ordering: .relaxed) }

    /// It was not closed yet.
    public var isOpen: Bool { open != nil }

    /// For any use by libzmq, which may take in what the descriptor was signalled for.
    var handle: UnsafeMutableRawPointer {
        guard let open else { preconditionFailure("the socket was closed") }
        mayHaveMessage = true
        return open
    }

    /// Can be read (`ZMQ_FD`) when libzmq's own threads have told the socket anything that it has
    /// not taken in; closed with the socket.
    var descriptor: Int32 {
        get throws(ZeroMQError) {
            var number: Int32 = -1
            var size = MemoryLayout<Int32>.size
            guard zmq_getsockopt(handle, ZMQ_FD, &number, &size) == 0 else {
                throw .last("zmq_getsockopt", "ZMQ_FD")
            }
            return number
        }
    }

    /// Takes in what libzmq's own threads told the socket, and says whether it has a message then.
    ///
    /// If it has none, `descriptor` is signalled before it has one, unless it is used first.
    func hasMessage() throws(ZeroMQError) -> Bool {
        var events: Int32 = 0
        var size = MemoryLayout<Int32>.size
        while zmq_getsockopt(handle, ZMQ_EVENTS, &events, &size) != 0 {
            guard zmq_errno() == EINTR else { throw .last("zmq_getsockopt", "ZMQ_EVENTS") }
        }
        mayHaveMessage = events & ZMQ_POLLIN != 0
        return mayHaveMessage
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
