/// The body of `entity.remove`.
public struct EntityRemove: JSONBody {
    /// The entity that goes.
    public var entity: EntityName

    /// From the entity that goes.
    public init(entity: EntityName) { self.entity = entity }

    /// Reads the body from a document.
    ///
    /// - Throws: `JSONError` that names the member and what is allowed.
    public init(parsing value: JSONValue) throws(JSONError) {
        entity = try EntityName(parsing: value)
    }

    /// The document.
    public var json: JSONValue { entity.json }
}
