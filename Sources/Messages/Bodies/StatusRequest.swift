/// The body of `status`, which asks for nothing in particular.
public struct StatusRequest: JSONBody {
    /// The one request there is.
    public init() {}

    /// Reads the body from a document.
    ///
    /// - Throws: `JSONError` that names the member and what is allowed.
    public init(parsing value: JSONValue) throws(JSONError) {
        _ = try Members(value, allowing: [])
    }

    /// The document.
    public var json: JSONValue { .object([:]) }
}
