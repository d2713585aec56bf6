internal import CXXHash

/// The same hash as `XXHash.of`, of bytes that come one piece after the other.
public struct XXHashStream: ~Copyable {
    private let state: OpaquePointer?

    /// A hash of nothing yet.
    public init() {
        state = XXH3_createState()
        _ = XXH3_128bits_reset(state)
    }

    deinit { _ = XXH3_freeState(state) }

    /// Takes the next piece.
    public func update(_ bytes: UnsafeRawBufferPointer) {
        _ = XXH3_128bits_update(state, bytes.baseAddress, bytes.count)
    }

    /// The hash of all pieces, in its canonical, big-endian form.
    public consuming func finish() -> [UInt8] {
        let hash = XXH3_128bits_digest(state)
        return [hash.high64, hash.low64].flatMap { half in
            (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) }
        }
    }
}
