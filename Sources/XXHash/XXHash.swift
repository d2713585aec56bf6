internal import CXXHash

/// XXH3 of 128 bits (github.com/Cyan4973/xxHash): shows any accidental change at the speed of
/// memory; says nothing about intended ones.
public enum XXHash {
    /// Bytes of a hash.
    public static let byteCount = 16

    /// The hash in its canonical, big-endian form.
    public static func of(_ bytes: [UInt8]) -> [UInt8] {
        let hash = XXH3_128bits(bytes, bytes.count)
        return [hash.high64, hash.low64].flatMap { half in
            (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) }
        }
    }
}
