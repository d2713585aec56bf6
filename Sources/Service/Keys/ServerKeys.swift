import ZeroMQ

/// What a server shows to those who connect, and whom it lets in.
public struct ServerKeys: Sendable {
    let own: CurveKeyPair
    let allowedFile: String
    let allowed: AllowedKeys

    /// Reads both files.
    ///
    /// - Throws: `ConfigurationError` if one cannot be used, such as for a mode that lets others
    ///   read the key.
    public init(keyFile: String, allowedFile: String) throws {
        own = try KeyFile.readPair(keyFile)
        allowed = try AllowedKeys(file: allowedFile)
        self.allowedFile = allowedFile
    }

    /// How a socket that binds is set up; the domain says which one it is.
    func options(_ domain: HandshakeDomain) -> CurveOptions {
        .server(own: own, domain: domain.rawValue)
    }
}

/// What whoever connects shows to a server, and by what it knows the right one.
public struct ConnectionKeys: Sendable {
    let own: CurveKeyPair
    let server: CurveKey

    /// Reads both.
    ///
    /// - Parameters:
    ///   - keyFile: The own pair.
    ///   - server: The server's public key, or a file that holds it.
    /// - Throws: `ConfigurationError` if one cannot be used.
    public init(keyFile: String, server: String) throws {
        own = try KeyFile.readPair(keyFile)
        self.server = try KeyFile.readPublic(server).key
    }

    /// To a server that has the same pair.
    public init(sharedWith keys: ServerKeys) {
        own = keys.own
        server = keys.own.publicKey
    }

    var options: CurveOptions { .client(own: own, server: server) }
}

/// Which socket somebody connects to.
enum HandshakeDomain: String, Sendable, CaseIterable {
    /// The client endpoint of a router.
    case clients
    /// The worker endpoint of a router.
    case workers
    /// The endpoint of a journal.
    case journal

    /// Where the socket tells what becomes of its connections.
    var monitorAddress: String { "inproc://handshakes-\(rawValue)" }
}
