public import Messages
internal import Sodium

extension AccountKey {
    /// A new key for a store of an account.
    public static func random(
        for account: String, _ store: StoreKind = .calendar
    ) -> AccountKey {
        guard let id = KeyID(bytes: SecureRandom.bytes(KeyID.byteCount)) else {
            preconditionFailure("an id has \(KeyID.byteCount) bytes")
        }
        return AccountKey(
            id: id, account: account, store: store,
            secret: SecureRandom.bytes(secretByteCount))
    }

    /// Encrypts bytes that only holders of this key may read.
    public func seal(_ plain: [UInt8]) -> [UInt8] {
        SealedBox.seal(plain, key: secret, context: id.bytes)
    }

    /// Decrypts what `seal` made; nil if it was made under another key or has changed.
    public func open(_ sealed: [UInt8]) -> [UInt8]? {
        SealedBox.open(sealed, key: secret, context: id.bytes)
    }

    /// A name for something of the account that says nothing to who lacks the key.
    public func name(of bytes: [UInt8]) -> ContentHash { .keyed(bytes, key: secret) }
}
