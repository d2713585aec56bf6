/// The body of `search.continue`.
public struct ContinueRequest: JSONBody {
    /// The continue token of an earlier reply.
    public var token: ContentHash

    /// From a token.
    public init(token: ContentHash) { self.token = token }

    /// Reads the body from a document.
    ///
    /// - Throws: `JSONError` that names the member and what is allowed.
    public init(parsing value: JSONValue) throws(JSONError) {
        token = try Members(value, allowing: ["token"]).requiredHash("token")
    }

    /// The document.
    public var json: JSONValue { .object(["token": .string(token.description)]) }
}
