/// The body of `calendar.access`: what an account's owner allows of its calendars.
public typealias CalendarAccess = StoreAccess<CalendarStore>
/// The body of `contact.access`: what an account's owner allows of its contacts.
public typealias ContactAccess = StoreAccess<ContactStore>
/// The body of `health.access`: what an account's owner allows of its health readings.
public typealias HealthAccess = StoreAccess<HealthStore>

/// The body that states what an account's owner allows of a store.
public struct StoreAccess<Definition: StoreDefinition>: JSONBody {
    /// What is allowed.
    public typealias Status = AccessStatus

    /// What is allowed from now on; one of the kind's `statuses`.
    public var status: AccessStatus

    /// From a status.
    public init(status: AccessStatus) { self.status = status }

    /// Reads the body from a document.
    ///
    /// - Throws: `JSONError` that names the member and what is allowed.
    public init(parsing value: JSONValue) throws(JSONError) {
        let members = try Members(value, allowing: ["status"])
        let name = try members.required("status").text
        let statuses = Definition.kind.statuses
        guard let status = statuses.first(where: { $0.rawValue == name }) else {
            let names = statuses.map(\.rawValue).joined(separator: ", ")
            throw JSONError("status must be one of \(names)")
        }
        self.status = status
    }

    /// The document.
    public var json: JSONValue { .object(["status": .string(status.rawValue)]) }
}
