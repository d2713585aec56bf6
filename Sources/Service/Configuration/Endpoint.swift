/// A TCP address of a role, `HOST:PORT`.
public struct Endpoint: Sendable, Equatable, CustomStringConvertible {
    /// The port where clients reach a router.
    public static let clientPort = 5570
    /// The port where workers reach a router.
    public static let workerPort = 5571
    /// The port of the journal.
    public static let journalPort = 5572

    /// A name or a numeric address.
    public var host: String
    /// 1 to 65535.
    public var port: Int

    /// From a host and a port.
    public init(host: String = "127.0.0.1", port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads `HOST`, `HOST:PORT`, `:PORT` or `tcp://HOST:PORT`.
    ///
    /// - Throws: `ConfigurationError` that shows the forms allowed.
    public init(_ text: String, defaultPort: Int) throws {
        var rest = text[...]
        if rest.hasPrefix("tcp://") { rest = rest.dropFirst(6) }
        let colon = rest.lastIndex(of: ":")
        let host = colon.map { String(rest[..<$0]) } ?? String(rest)
        let port = colon.map { Int(rest[rest.index(after: $0)...]) } ?? defaultPort
        guard let port, (1...65_535).contains(port), !host.contains("/") else {
            throw ConfigurationError(
                "'\(text)' is no address: HOST, HOST:PORT or tcp://HOST:PORT, port 1 to 65535")
        }
        self.init(host: host.isEmpty ? "127.0.0.1" : host, port: port)
    }

    /// What libzmq binds or connects to.
    public var url: String { "tcp://\(host):\(port)" }
    /// `HOST:PORT`.
    public var description: String { "\(host):\(port)" }
    /// The address can be reached from this machine only.
    public var isLoopback: Bool {
        host == "localhost" || host == "[::1]" || host.hasPrefix("127.")
    }
    /// The same host, some ports further.
    public func advanced(by ports: Int) -> Endpoint { Endpoint(host: host, port: port + ports) }

    /// Refuses an address that strangers can reach, unless they need an allowed key, or the
    /// operator trusts the network.
    ///
    /// - Throws: `ConfigurationError`.
    public func checkMayBind(hasKeys: Bool, trustingNetwork: Bool) throws {
        guard isLoopback || hasKeys || trustingNetwork else {
            throw ConfigurationError(
                "\(self) can be reached from other machines and nothing authenticates them; "
                    + "give --key and --allowed, which let in allowed keys only, "
                    + "listen on 127.0.0.1, or give --trust-network if every machine that can "
                    + "reach this port may read, change and stop everything")
        }
    }
}

/// A flag, environment variable or configuration file says something that is not allowed.
public struct ConfigurationError: Error, Sendable, CustomStringConvertible {
    /// What is wrong and what is allowed.
    public let description: String
    /// From a sentence.
    public init(_ description: String) { self.description = description }
}
