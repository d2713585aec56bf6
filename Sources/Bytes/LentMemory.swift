/// Memory that somebody lends for as long as this object lives; nobody changes it meanwhile.
///
/// Whoever lends inherits from it and takes the memory back in `deinit`, on whatever thread lets
/// the last reference go.
open class LentMemory: @unchecked Sendable {
    /// The bytes; valid as long as the object.
    public let bytes: UnsafeRawBufferPointer

    /// Lends some bytes.
    public init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }
}
