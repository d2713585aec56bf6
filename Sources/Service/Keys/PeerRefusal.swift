import Messages
import ZeroMQ

/// A connection that a server did not let in.
struct PeerRefusal: Hashable {
    enum Reason: String {
        case keyNotAllowed = "the key is not allowed"
        case noKeys = "the peer has no keys"
        case wrongServerKey = "the peer expects another server key"
        case malformed = "the peer does not speak the protocol"
    }
    let reason: Reason
    /// What the peer proved to own; nil if it did not come to that.
    var key: CurveKey?
    /// Where it came from; nil if that is not known any more.
    var address: String?
}

/// Which refusals were told; each is told once, and a flood of them within bounds.
struct ToldRefusals {
    private var told: Set<PeerRefusal> = []
    private var since = MonotonicTime(nanoseconds: 0)
    /// Those that were not told because there were too many.
    private(set) var untold = 0

    /// Whether a refusal is to be told now.
    mutating func isNew(_ refusal: PeerRefusal, at now: MonotonicTime) -> Bool {
        if told.isEmpty { since = now }
        guard !told.contains(refusal) else { return false }
        if told.count >= Limits.refusalsToldMax {
            guard now >= since.adding(milliseconds: Limits.refusalsToldMilliseconds) else {
                untold += 1
                return false
            }
            told.removeAll()
            since = now
        }
        told.insert(refusal)
        return true
    }

    /// After a change of the list everything may be told again.
    mutating func forget() { self = ToldRefusals() }
}

/// Follows the connections of one bound socket to those that it refuses without asking for a key's
/// permission.
final class HandshakeWatch {
    let monitor: SocketMonitor
    let domain: HandshakeDomain
    private let isLoopback: Bool
    private var addresses: [Int32: String] = [:]
    /// Why the connection that is closed next failed: the one I/O thread of a context tells the
    /// failure and the end of a connection one behind the other.
    private var reason: PeerRefusal.Reason?

    init(_ context: Context, _ domain: HandshakeDomain, isLoopback: Bool) throws {
        monitor = try SocketMonitor(context, address: domain.monitorAddress)
        self.domain = domain
        self.isLoopback = isLoopback
    }

    /// The connections that failed since the last call.
    func takeRefusals() throws -> [PeerRefusal] {
        var refusals: [PeerRefusal] = []
        while let event = try monitor.next() {
            switch event {
            case .accepted(let descriptor):
                // A connection that failed may be closed by now, but on loopback there is one
                // address only, and over a network its handshake takes longer than this.
                addresses[descriptor] =
                    Socket.peerAddress(ofDescriptor: descriptor)
                    ?? (isLoopback ? "127.0.0.1" : nil)
            case .mechanismMismatch: reason = .noKeys
            case .wrongServerKey: reason = .wrongServerKey
            case .malformedHandshake: reason = .malformed
            case .disconnected(let descriptor):
                let address = addresses.removeValue(forKey: descriptor)
                if let reason { refusals.append(PeerRefusal(reason: reason, address: address)) }
                reason = nil
            case .handshakeSucceeded, .keyRefused, .closedInHandshake: break
            }
        }
        return refusals
    }
}
