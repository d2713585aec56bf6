/// The body of `account.erase`: the account is in the field of that name, so it is empty.
public struct AccountErase: JSONBody {
    /// Nothing.
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
