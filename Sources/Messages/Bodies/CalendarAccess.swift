/// The body of `calendar.access`: what an account's owner allows.
public struct CalendarAccess: JSONBody {
    /// Only full access shows events.
    public typealias Status = AccessStatus

    /// What is allowed from now on.
    public var status: Status

    /// From a status.
    public init(status: Status) { self.status = status }

    /// Reads the body from a document.
    ///
    /// - Throws: `JSONError` that names the member and what is allowed.
    public init(parsing value: JSONValue) throws(JSONError) {
        let members = try Members(value, allowing: ["status"])
        let name = try members.required("status").text
        guard let status = name.flatMap(Status.init(rawValue:)) else {
            let names = Status.allCases.map(\.rawValue).joined(separator: ", ")
            throw JSONError("status must be one of \(names)")
        }
        self.status = status
    }

    /// The document.
    public var json: JSONValue { .object(["status": .string(status.rawValue)]) }
}
