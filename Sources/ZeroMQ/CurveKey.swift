internal import CZeroMQ

/// One half of a CURVE key pair in Z85: 40 printable characters for 32 bytes (ZeroMQ RFC 32).
public struct CurveKey: Sendable, Hashable, CustomStringConvertible {
    /// Characters of every key.
    public static let characterCount = 40
    /// Bytes of every key.
    public static let byteCount = 32

    /// The 40 characters.
    public let text: String

    /// From its 40 characters; nil if they are no Z85.
    public init?(_ text: String) {
        guard text.utf8.count == Self.characterCount else { return nil }
        var bytes = [UInt8](repeating: 0, count: Self.byteCount)
        guard zmq_z85_decode(&bytes, text) != nil else { return nil }
        // libzmq takes some characters that Z85 does not have.
        guard CurveKey(bytes: bytes)?.text == text else { return nil }
        self.text = text
    }

    /// From its 32 bytes; nil for any other count.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        var characters = [CChar](repeating: 0, count: Self.characterCount + 1)
        guard zmq_z85_encode(&characters, bytes, bytes.count) != nil else { return nil }
        text = String(
            decoding: characters.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The first characters, enough to tell keys apart for people.
    public var prefix: String { String(text.prefix(8)) }

    /// The text of the key; a secret key must never come to where this could be printed.
    public var description: String { text }
}

/// A public key and the secret one that belongs to it.
public struct CurveKeyPair: Sendable, Equatable, CustomStringConvertible {
    /// What others may know.
    public let publicKey: CurveKey
    /// What nobody else may know.
    public let secretKey: CurveKey

    /// From its halves; nil if they do not belong together.
    public init?(publicKey: CurveKey, secretKey: CurveKey) {
        guard Self.publicKey(of: secretKey) == publicKey else { return nil }
        self.publicKey = publicKey
        self.secretKey = secretKey
    }

    /// A new pair from the system's random source.
    ///
    /// - Throws: `ZeroMQError` if libzmq was built without CURVE.
    public static func random() throws(ZeroMQError) -> CurveKeyPair {
        var own = [CChar](repeating: 0, count: CurveKey.characterCount + 1)
        var secret = own
        guard zmq_curve_keypair(&own, &secret) == 0, let publicKey = CurveKey(terminated: own),
            let secretKey = CurveKey(terminated: secret),
            let pair = CurveKeyPair(publicKey: publicKey, secretKey: secretKey)
        else { throw .last("zmq_curve_keypair") }
        return pair
    }

    /// The public key alone.
    public var description: String { publicKey.text }

    private static func publicKey(of secret: CurveKey) -> CurveKey? {
        var characters = [CChar](repeating: 0, count: CurveKey.characterCount + 1)
        guard zmq_curve_public(&characters, secret.text) == 0 else { return nil }
        return CurveKey(terminated: characters)
    }
}

extension CurveKey {
    /// From C's characters with a zero behind them.
    fileprivate init?(terminated characters: [CChar]) {
        self.init(
            String(
                decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
                as: UTF8.self))
    }
}
