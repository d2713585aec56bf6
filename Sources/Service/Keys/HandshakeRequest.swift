import ZeroMQ

/// What libzmq asks about a handshake (ZeroMQ RFC 27), and the answer.
///
/// ```
/// question   routing id, "", "1.0", id, domain, address, identity, mechanism, public key
/// answer     routing id, "", "1.0", id, status, text, user id, metadata
/// ```
struct HandshakeRequest {
    /// Which socket it is about; empty for one without a domain.
    let domain: String
    /// Where the peer connects from.
    let address: String
    /// The key that the peer has proved to own.
    let key: CurveKey
    private let envelope: [[UInt8]]

    /// Takes the frames apart; nil if they are no question about a CURVE key.
    init?(_ frames: [[UInt8]]) {
        guard frames.count == 9, frames[1].isEmpty, frames[2] == Array("1.0".utf8),
            frames[7] == Array("CURVE".utf8), let key = CurveKey(bytes: frames[8])
        else { return nil }
        envelope = Array(frames[..<4])
        domain = String(decoding: frames[4], as: UTF8.self)
        address = String(decoding: frames[5], as: UTF8.self)
        self.key = key
    }

    /// The frames of the answer. The key becomes the user id of the connection.
    func answer(isAllowed: Bool) -> [[UInt8]] {
        envelope + [
            Array((isAllowed ? "200" : "400").utf8),
            Array((isAllowed ? "OK" : "the key is not allowed").utf8),
            isAllowed ? Array(key.text.utf8) : [], [],
        ]
    }
}
