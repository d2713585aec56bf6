/// The body of `type.check`: which entities would a declaration not fit?
public struct TypeCheckRequest: JSONBody {
    /// The body of a `type.declare`; what it means is the catalog's to say.
    public var declaration: JSONValue

    /// From a declaration.
    public init(declaration: JSONValue) { self.declaration = declaration }

    /// Reads the body from a document.
    ///
    /// - Throws: `JSONError` that names the member and what is allowed.
    public init(parsing value: JSONValue) throws(JSONError) {
        let members = try Members(value, allowing: ["declaration"])
        declaration = try members.required("declaration")
        guard declaration.object != nil else { throw JSONError("declaration must be an object") }
    }

    /// The document.
    public var json: JSONValue { .object(["declaration": declaration]) }
}
