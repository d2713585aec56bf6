/// The body of `calendar.access`: what an account's owner allows.
public struct CalendarAccess: JSONBody {
    /// The same five as the authorization status of EventKit; only full access shows events.
    public enum Status: String, Sendable, CaseIterable {
        /// The owner was not asked yet.
        case notDetermined
        /// The owner's device forbids it.
        case restricted
        /// The owner said no.
        case denied
        /// Events may be added, not read.
        case writeOnly
        /// Events may be read.
        case fullAccess
    }

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
