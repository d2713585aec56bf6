/// Who a message came from or goes to: a socket of the router and a routing id on it.
public struct Peer: Hashable, Sendable, CustomStringConvertible {
    /// The socket that the peer is connected to.
    public enum Side: Sendable {
        /// The endpoint for clients and producers.
        case client
        /// The endpoint for workers.
        case worker
        /// The dealer socket to the journal; its routing id is empty.
        case journal
    }
    /// The socket that the peer is connected to.
    public let side: Side
    /// Any bytes, as the socket gives them; empty for the journal.
    public let routingID: [UInt8]

    /// From a side and a routing id.
    public init(side: Side, routingID: [UInt8]) {
        self.side = side
        self.routingID = routingID
    }
    /// The journal.
    public static let journal = Peer(side: .journal, routingID: [])

    /// Side and routing id in hexadecimal.
    public var description: String {
        "\(side) " + routingID.map { String($0, radix: 16) }.joined(separator: ".")
    }
}
