internal import CSodium

/// Encryption under a secret key that also shows any change (XChaCha20-Poly1305, as in
/// draft-irtf-cfrg-xchacha-03).
///
/// ```
///      0   24  nonce, random
///     24    n  ciphertext
///   24+n   16  tag
/// ```
public enum SealedBox {
    /// Bytes of a key.
    public static let keyByteCount = 32
    /// Bytes that a sealed text has more than the plain one.
    public static let overhead = nonceByteCount + tagByteCount
    private static let nonceByteCount = 24
    private static let tagByteCount = 16

    /// Encrypts under a key; twice the same text never looks the same.
    ///
    /// - Parameters:
    ///   - key: 32 bytes; any other count is the caller's mistake.
    ///   - context: Not encrypted and not stored; opening takes the same bytes.
    public static func seal(_ plain: [UInt8], key: [UInt8], context: [UInt8] = []) -> [UInt8] {
        precondition(key.count == keyByteCount, "a key has \(keyByteCount) bytes")
        let nonce = SecureRandom.bytes(nonceByteCount)
        var cipher = [UInt8](repeating: 0, count: plain.count + tagByteCount)
        crypto_aead_xchacha20poly1305_ietf_encrypt(
            &cipher, nil, plain, UInt64(plain.count), context, UInt64(context.count), nil, nonce,
            key)
        return nonce + cipher
    }

    /// Decrypts what `seal` made; nil if key or context are others or a bit has changed.
    public static func open(
        _ sealed: [UInt8], key: [UInt8], context: [UInt8] = []
    ) -> [UInt8]? {
        guard key.count == keyByteCount, sealed.count >= overhead else { return nil }
        let nonce = Array(sealed[..<nonceByteCount])
        let cipher = Array(sealed[nonceByteCount...])
        var plain = [UInt8](repeating: 0, count: cipher.count - tagByteCount)
        let result = crypto_aead_xchacha20poly1305_ietf_decrypt(
            &plain, nil, nil, cipher, UInt64(cipher.count), context, UInt64(context.count), nonce,
            key)
        return result == 0 ? plain : nil
    }
}
