/// The body of `zone.declare`: which time zone data occurrences are computed with.
///
/// Only the journal writes such a record: before the first statement of access to a calendar, and
/// when it is started with other data. A worker with other data answers nothing of calendars.
public struct ZoneDeclare: JSONBody {
    /// The version, such as `2025b`.
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
