/// A key under which what is kept of one store of an account is encrypted, and whose it is.
public struct AccountKey: Hashable, Sendable, CustomStringConvertible {
    /// Bytes of the secret.
    public static let secretByteCount = 32
    /// Names the key in records and logs; says nothing of the account.
    public let id: KeyID
    /// The account, as its producer names it.
    public let account: String
    /// The store whose payloads it encrypts.
    public let store: StoreKind
    /// The key itself.
    public let secret: [UInt8]

    /// From its parts; a secret of another length is the caller's mistake.
    public init(id: KeyID, account: String, store: StoreKind = .calendar, secret: [UInt8]) {
        precondition(secret.count == Self.secretByteCount, "a secret has 32 bytes")
        self.id = id
        self.account = account
        self.store = store
        self.secret = secret
    }

    /// Id, secret, account; for other stores than calendars a zero byte and the store.
    public func encoded() -> [UInt8] {
        let suffix = store == .calendar ? [] : [0] + Array(store.rawValue.utf8)
        return id.bytes + secret + Array(account.utf8) + suffix
    }

    /// Reads what `encoded` wrote; nil if it is none, or names no account.
    public init?(decoding bytes: [UInt8]) {
        var reader = ByteReader(bytes[...])
        guard let id = reader.take(KeyID.byteCount).flatMap({ KeyID(bytes: Array($0)) }),
            let secret = reader.take(Self.secretByteCount),
            let owner = reader.take(reader.remaining), let (account, store) = Self.owner(owner)
        else { return nil }
        self.init(id: id, account: account, store: store, secret: Array(secret))
    }

    private static func owner(_ bytes: ArraySlice<UInt8>) -> (String, StoreKind)? {
        let name = bytes.prefix { $0 != 0 }
        guard !name.isEmpty, name.count <= Limits.nameBytesMax,
            let account = String(validating: name, as: UTF8.self)
        else { return nil }
        guard name.count < bytes.count else { return (account, .calendar) }
        // A calendar's key has one form, without its store.
        guard let text = String(validating: bytes.dropFirst(name.count + 1), as: UTF8.self),
            let store = StoreKind(rawValue: text), store != .calendar
        else { return nil }
        return (account, store)
    }

    /// The id alone, so that neither secret nor account gets into a log.
    public var description: String { "\(id)" }
}
