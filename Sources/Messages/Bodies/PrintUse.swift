/// The body of `print.use`: from this record on, searches of the deployment compare prints of one
/// version.
///
/// Workers that compare another version answer nothing from then on, and those that compare this
/// one begin to: at one position for all.
public struct PrintUse: JSONBody {
    /// The version that is compared.
    public var version: String

    /// From a version.
    public init(version: String) { self.version = version }

    /// Reads the body from a document.
    ///
    /// - Throws: `JSONError` that names the member and what is allowed.
    public init(parsing value: JSONValue) throws(JSONError) {
        version = try Members(value, allowing: ["version"]).requiredName("version")
    }

    /// The document.
    public var json: JSONValue { .object(["version": .string(version)]) }
}
