public import Messages
internal import Sodium

extension ContentHash {
    /// The name of some bytes: their SHA-256.
    public static func of(_ bytes: [UInt8]) -> ContentHash {
        made(of: Digest.sha256(bytes))
    }

    /// A hash that only holders of the key can make: BLAKE2b-256.
    public static func keyed(_ bytes: [UInt8], key: [UInt8]) -> ContentHash {
        made(of: Digest.keyed(bytes, key: key))
    }

    private static func made(of digest: [UInt8]) -> ContentHash {
        guard let hash = ContentHash(bytes: digest) else {
            preconditionFailure("a digest has \(ContentHash.byteCount) bytes")
        }
        return hash
    }
}
