internal import CSodium

/// Hashes of bytes.
public enum Digest {
    /// Bytes of every hash made here.
    public static let byteCount = 32

    /// SHA-256, which names blobs everywhere.
    ///
    /// - Complexity: O(n); about 3 ms a megabyte.
    public static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: byteCount)
        crypto_hash_sha256(&hash, bytes, UInt64(bytes.count))
        return hash
    }

    /// BLAKE2b of 256 bits under a key: nobody without the key can make or foresee it.
    ///
    /// - Parameter key: 16 to 64 bytes; any other count is the caller's mistake.
    public static func keyed(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        precondition((16...64).contains(key.count), "a key has 16 to 64 bytes")
        var hash = [UInt8](repeating: 0, count: byteCount)
        crypto_generichash(&hash, byteCount, bytes, UInt64(bytes.count), key, key.count)
        return hash
    }
}
