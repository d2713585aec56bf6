/// A key under which an account's payloads are encrypted, and whose it is.
public struct AccountKey: Hashable, Sendable, CustomStringConvertible {
    /// Bytes of the secret.
    public static let secretByteCount = 32
    /// Names the key in records and logs; says nothing of the account.
    public let id: KeyID
    /// The account, as its producer names it.
    public let account: String
    /// The key itself.
    public let secret: [UInt8]

    /// From its parts; a secret of another length is the caller's mistake.
    public init(id: KeyID, account: String, secret: [UInt8]) {
        precondition(secret.count == Self.secretByteCount, "a secret has 32 bytes")
        self.id = id
        self.account = account
        self.secret = secret
    }

    /// Id, secret, account.
    public func encoded() -> [UInt8] { id.bytes + secret + Array(account.utf8) }

    /// Reads what `encoded` wrote; nil if it is none, or names no account.
    public init?(decoding bytes: [UInt8]) {
        var reader = ByteReader(bytes[...])
        guard let id = reader.take(KeyID.byteCount).flatMap({ KeyID(bytes: Array($0)) }),
            let secret = reader.take(Self.secretByteCount),
            let name = reader.take(reader.remaining), name.count <= Limits.nameBytesMax,
            let account = String(validating: name, as: UTF8.self), !account.isEmpty
        else { return nil }
        self.init(id: id, account: account, secret: Array(secret))
    }

    /// The id alone, so that neither secret nor account gets into a log.
    public var description: String { "\(id)" }
}
