internal import CSodium

/// Bytes from the system's random source, fit for keys.
public enum SecureRandom {
    /// A number of random bytes.
    public static func bytes(_ count: Int) -> [UInt8] {
        precondition(count >= 0, "a count is not negative")
        start()
        var bytes = [UInt8](repeating: 0, count: count)
        randombytes_buf(&bytes, count)
        return bytes
    }

    /// libsodium opens its random source once; a later call does nothing.
    static func start() {
        precondition(sodium_init() >= 0, "the system has no random source")
    }
}

/// The system's random source as a generator, where a generator is a parameter.
public struct SecureGenerator: RandomNumberGenerator, Sendable {
    /// Draws from the system.
    public init() { SecureRandom.start() }

    /// Eight random bytes.
    public mutating func next() -> UInt64 {
        UInt64(randombytes_random()) << 32 | UInt64(randombytes_random())
    }
}
