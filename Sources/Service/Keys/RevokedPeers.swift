import Messages
import ZeroMQ

/// The connections that outlived the permission of their key.
///
/// libzmq judges a key when a connection is made and has no way to end one; what such a peer sends
/// is thrown away from then on, and it is told once.
struct RevokedPeers {
    private var routingIDs: Set<[UInt8]> = []

    /// What a peer is told.
    static var word: Message { .error(.keyRefused, "the key of this connection was revoked") }

    /// Whether a peer was not told yet.
    mutating func isNew(_ routingID: [UInt8]) -> Bool {
        // Telling some of them twice harms nobody.
        if routingIDs.count >= Limits.peersMax { routingIDs.removeAll() }
        return routingIDs.insert(routingID).inserted
    }
}

extension Socket {
    /// A router socket that is bound, with keys if there are some.
    static func bound(
        _ urls: [String], _ context: Context, _ keys: ServerKeys?, _ domain: HandshakeDomain
    ) throws -> Socket {
        var options = SocketOptions.sightline(mandatory: true)
        options.curve = keys?.options(domain)
        let socket = try Socket(context, .router, options: options)
        if keys != nil { try socket.startMonitor(at: domain.monitorAddress) }
        for url in urls { try socket.bind(url) }
        return socket
    }
}
