import ZeroMQ

/// A dealer socket that connects to one server, and finds out why it is not let in.
final class Dealer {
    private let url: String
    private let context: Context
    private let keys: ConnectionKeys?
    private let lingerMilliseconds: Int
    private(set) var socket: Socket
    private var monitor: SocketMonitor?
    /// Handshakes in a row that the server closed without a word.
    private var closedHandshakes = 0
    /// So many of them are no accident, such as a server that was stopped meanwhile.
    private static let closedHandshakesMax = 3
    private var told: ConnectionRefused?
    private(set) var isOpen = true

    /// Connects, with keys or without.
    init(
        _ url: String, keys: ConnectionKeys?, context: Context, lingerMilliseconds: Int = 0
    ) throws {
        self.url = url
        self.keys = keys
        self.context = context
        self.lingerMilliseconds = lingerMilliseconds
        (socket, monitor) = try Self.open(url, keys, context, lingerMilliseconds)
    }

    /// To be polled; `takeRefusal` reads what is not `socket`.
    var sockets: [Socket] {
        isOpen ? [socket] + (monitor.map { [$0.socket] } ?? []) : []
    }

    /// A socket of this dealer that tells of connections.
    func isMonitor(_ socket: Socket) -> Bool { socket === monitor?.socket }

    /// Why the server does not let this side in; nil if it does, or that was told already since it
    /// last did.
    func takeRefusal() throws -> ConnectionRefused? {
        var news: ConnectionRefused?
        while let event = try monitor?.next() {
            guard event != .handshakeSucceeded else {
                (closedHandshakes, told, news) = (0, nil, nil)
                continue
            }
            guard let reason = reason(of: event) else { continue }
            let refusal = ConnectionRefused(
                reason: reason, url: url, key: keys?.own.publicKey.prefix ?? "",
                serverKey: keys?.server.prefix ?? "")
            if refusal != told { news = refusal }
            told = refusal
        }
        return news
    }

    /// Gives the connection up for a new one.
    func reconnect() throws {
        let fresh = try Self.open(url, keys, context, lingerMilliseconds)
        close()
        (socket, monitor) = fresh
        isOpen = true
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        // Its reader is closed, so nothing may be told any more.
        if monitor != nil { socket.stopMonitor() }
        monitor?.close()
        monitor = nil
        socket.close()
    }

    private func reason(of event: SocketEvent) -> ConnectionRefused.Reason? {
        switch event {
        case .keyRefused(let status): return status == 300 ? nil : .keyNotAllowed
        case .mechanismMismatch: return keys == nil ? .keysNeeded : .serverHasNoKeys
        case .wrongServerKey: return .wrongServerKey
        case .closedInHandshake:
            closedHandshakes += 1
            guard closedHandshakes >= Self.closedHandshakesMax else { return nil }
            // Whichever side sees first that the other one has no keys ends the handshake.
            return keys == nil ? .keysNeeded : .wrongServerKey
        case .accepted, .handshakeSucceeded, .malformedHandshake, .disconnected: return nil
        }
    }

    private static func open(
        _ url: String, _ keys: ConnectionKeys?, _ context: Context, _ lingerMilliseconds: Int
    ) throws -> (Socket, SocketMonitor?) {
        let isRemote = url.hasPrefix("tcp:")
        var options = SocketOptions.sightline()
        options.lingerMilliseconds = lingerMilliseconds
        options.curve = isRemote ? keys?.options : nil
        let socket = try Socket(context, .dealer, options: options)
        guard isRemote else {
            try socket.connect(url)
            return (socket, nil)
        }
        let address = Socket.monitorAddress()
        try socket.startMonitor(at: address)
        let monitor = try SocketMonitor(context, address: address)
        try socket.connect(url)
        return (socket, monitor)
    }
}
