/// A request or change body with a Swift type.
///
/// The shapes are those of `schemas/bodies`. A member that this version does not know is refused,
/// so that a misspelt one is seen and not silently without effect.
public protocol JSONBody: Sendable, Equatable {
    /// Reads the body from a document.
    ///
    /// - Throws: `JSONError` that names the member and what is allowed.
    init(parsing value: JSONValue) throws(JSONError)
    /// The document; members that have their default may be left out.
    var json: JSONValue { get }
}

extension JSONBody {
    /// Reads the body from bytes of the wire.
    ///
    /// - Throws: `JSONError` for more than `Limits.bodyBytesMax` bytes, for what is no JSON, and
    ///   as `init(parsing:)` does.
    public init(parsing bytes: [UInt8]) throws(JSONError) {
        guard bytes.count <= Limits.bodyBytesMax else {
            throw JSONError("the body has \(bytes.count) bytes; at most \(Limits.bodyBytesMax)")
        }
        try self.init(parsing: try JSONValue(parsing: bytes))
    }
    /// The bytes of the wire, canonical.
    public var bytes: [UInt8] { json.canonical() }
}
