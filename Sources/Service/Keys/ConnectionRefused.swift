/// A server did not let this side in, or is not the one that was expected.
public struct ConnectionRefused: Error, Sendable, Equatable, CustomStringConvertible {
    /// Why.
    public enum Reason: Sendable, Equatable {
        /// The server does not know this side's key.
        case keyNotAllowed
        /// The server lets in keys only, and this side has none.
        case keysNeeded
        /// This side has keys, and the server has none.
        case serverHasNoKeys
        /// The server could not open what was encrypted for another key.
        case wrongServerKey
    }

    /// Why.
    public let reason: Reason
    /// `tcp://HOST:PORT`.
    public let url: String
    /// First characters of the own key; empty without one.
    let key: String
    /// First characters of the key that the server was expected to have; empty without one.
    let serverKey: String

    /// Says what to do.
    public var description: String {
        switch reason {
        case .keyNotAllowed:
            "\(url) does not allow the key \(key)…; whoever runs it can: 'sightline key allow', then SIGHUP"
        case .keysNeeded:
            "\(url) lets in only those with an allowed key; give --key and --server-key"
        case .serverHasNoKeys:
            "\(url) has no keys and may be another server than the one of key \(serverKey)…; nothing was sent"
        case .wrongServerKey:
            "\(url) ends the handshake: its key is not \(serverKey)…, which --server-key says, or it has no keys"
        }
    }
}
