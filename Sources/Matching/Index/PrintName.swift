/// What a print is known by outside of a collection: the hash of its encoded bytes, so that a picture
/// of a stored segment is found again after a restart.
public struct PrintName: Hashable, Sendable {
    /// Bytes of a name.
    public static let byteCount = 32
    /// No name: the print is not looked for again.
    public static let none = PrintName(bytes: [UInt8](repeating: 0, count: byteCount))

    private let parts: SIMD4<UInt64>

    /// A name of exactly `byteCount` bytes; another number traps.
    public init(bytes: [UInt8]) {
        precondition(bytes.count == Self.byteCount, "a name has \(Self.byteCount) bytes")
        self = bytes.withUnsafeBytes { PrintName(reading: $0) }
    }

    init(reading bytes: UnsafeRawBufferPointer) {
        parts = bytes.loadUnaligned(as: SIMD4<UInt64>.self)
    }

    /// The `byteCount` bytes.
    public var bytes: [UInt8] { withUnsafeBytes(of: parts) { Array($0) } }
}
