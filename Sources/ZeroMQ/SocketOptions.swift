internal import CZeroMQ

/// How a socket behaves; each is set before the first bind or connect.
///
/// The defaults are not libzmq's: nothing lingers, nothing is queued for a peer that is not
/// connected, nothing is dropped without a word, and no frame is unbounded.
public struct SocketOptions: Sendable {
    /// Milliseconds that unsent messages outlive `close`; 0 drops them at once.
    public var lingerMilliseconds = 0
    /// Messages queued for one peer before a send is `.full`; 0 is no limit.
    public var sendHighWater = 1_000
    /// Messages of one peer queued before it is held back; 0 is no limit.
    public var receiveHighWater = 1_000
    /// Bytes of one frame; libzmq drops a larger one and its connection. -1 is no limit.
    public var maxMessageBytes: Int64 = 32 << 20
    /// Router: a send to a peer that is not connected says so instead of vanishing.
    public var mandatory = true
    /// Router: a new connection with a live routing id replaces the old one instead of being
    /// ignored. Both are silent; identities belong into the protocol.
    public var handover = false
    /// Dealer and pair: queue only for connections that are complete.
    public var immediate = true
    /// Dealer: the routing id that routers see, 1 to 255 bytes, the first not 0; nil lets each
    /// router choose one.
    public var routingID: [UInt8]?
    /// Milliseconds before a lost connection is tried again.
    public var reconnectIntervalMilliseconds = 100
    /// Milliseconds that the interval grows to by doubling; 0 keeps it constant.
    public var reconnectIntervalMaxMilliseconds = 2_000
    /// Milliseconds that a peer may take for the handshake; 0 is no limit.
    public var handshakeIntervalMilliseconds = 10_000
    /// Connections that may wait to be accepted.
    public var backlog = 1_024
    /// The keys of TCP connections; nil for plain ones.
    public var curve: CurveOptions?

    /// The defaults.
    public init() {}

    func apply(to handle: UnsafeMutableRawPointer, _ kind: Socket.Kind) throws(ZeroMQError) {
        try set(handle, ZMQ_LINGER, lingerMilliseconds, "ZMQ_LINGER")
        try set(handle, ZMQ_SNDHWM, sendHighWater, "ZMQ_SNDHWM")
        try set(handle, ZMQ_RCVHWM, receiveHighWater, "ZMQ_RCVHWM")
        try set(handle, ZMQ_RECONNECT_IVL, reconnectIntervalMilliseconds, "ZMQ_RECONNECT_IVL")
        try set(
            handle, ZMQ_RECONNECT_IVL_MAX, reconnectIntervalMaxMilliseconds,
            "ZMQ_RECONNECT_IVL_MAX")
        try set(handle, ZMQ_HANDSHAKE_IVL, handshakeIntervalMilliseconds, "ZMQ_HANDSHAKE_IVL")
        try set(handle, ZMQ_BACKLOG, backlog, "ZMQ_BACKLOG")
        try setMaxMessageBytes(handle)
        switch kind {
        case .router:
            try set(handle, ZMQ_ROUTER_MANDATORY, mandatory ? 1 : 0, "ZMQ_ROUTER_MANDATORY")
            try set(handle, ZMQ_ROUTER_HANDOVER, handover ? 1 : 0, "ZMQ_ROUTER_HANDOVER")
        case .dealer, .pair:
            try set(handle, ZMQ_IMMEDIATE, immediate ? 1 : 0, "ZMQ_IMMEDIATE")
        }
        try setRoutingID(handle)
        try curve?.apply(to: handle)
    }

    private func set(
        _ handle: UnsafeMutableRawPointer, _ option: Int32, _ value: Int, _ name: String
    ) throws(ZeroMQError) {
        guard var number = Int32(exactly: value) else {
            throw ZeroMQError(.invalidArgument, operation: "zmq_setsockopt", context: name)
        }
        guard zmq_setsockopt(handle, option, &number, MemoryLayout<Int32>.size) == 0 else {
            throw .last("zmq_setsockopt", name)
        }
    }

    private func setMaxMessageBytes(_ handle: UnsafeMutableRawPointer) throws(ZeroMQError) {
        var bytes = maxMessageBytes
        guard zmq_setsockopt(handle, ZMQ_MAXMSGSIZE, &bytes, MemoryLayout<Int64>.size) == 0 else {
            throw .last("zmq_setsockopt", "ZMQ_MAXMSGSIZE")
        }
    }

    private func setRoutingID(_ handle: UnsafeMutableRawPointer) throws(ZeroMQError) {
        guard let routingID else { return }
        // A first byte of 0 is kept for ids that routers make; libzmq does not check it.
        guard let first = routingID.first, first != 0,
            zmq_setsockopt(handle, ZMQ_ROUTING_ID, routingID, routingID.count) == 0
        else {
            throw ZeroMQError(
                .invalidArgument, operation: "zmq_setsockopt", context: "ZMQ_ROUTING_ID")
        }
    }
}
