/// The type and id of an entity; both compare as UTF-8 bytes, type first.
///
/// Swift's own text comparison takes canonically equivalent texts for equal, which other
/// languages and the sort keys of the wire do not.
public struct EntityName: JSONBody, Hashable, Comparable {
    /// The entity type's name.
    public let type: String
    /// The id, unique within its type.
    public let id: String

    /// From a type and an id that are names already.
    public init(type: String, id: String) {
        self.type = type
        self.id = id
    }

    /// Reads the body from a document.
    ///
    /// - Throws: `JSONError` that names the member and what is allowed.
    public init(parsing value: JSONValue) throws(JSONError) { try self.init(value, at: "") }

    init(_ value: JSONValue, at path: String) throws(JSONError) {
        let members = try Members(value, at: path, allowing: ["type", "id"])
        try self.init(members)
    }
    init(_ members: Members) throws(JSONError) {
        type = try members.requiredName("type")
        id = try members.requiredName("id")
    }

    /// The document.
    public var json: JSONValue { .object(["type": .string(type), "id": .string(id)]) }

    /// By bytes.
    public static func == (left: Self, right: Self) -> Bool {
        left.type.utf8.elementsEqual(right.type.utf8) && left.id.utf8.elementsEqual(right.id.utf8)
    }
    /// By type, then id, as bytes.
    public static func < (left: Self, right: Self) -> Bool {
        if left.type.utf8.elementsEqual(right.type.utf8) {
            return left.id.utf8.lexicographicallyPrecedes(right.id.utf8)
        }
        return left.type.utf8.lexicographicallyPrecedes(right.type.utf8)
    }
    /// Of the bytes.
    public func hash(into hasher: inout Hasher) {
        for byte in type.utf8 { hasher.combine(byte) }
        hasher.combine(UInt8(0))
        for byte in id.utf8 { hasher.combine(byte) }
    }
}
