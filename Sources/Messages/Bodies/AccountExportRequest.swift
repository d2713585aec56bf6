/// The body of an `account.export` request: a page of what is kept of the field's account.
public struct AccountExportRequest: JSONBody {
    /// A resource of a calendar.
    public struct Place: Sendable, Equatable {
        /// The calendar.
        public var calendar: String
        /// The resource's UID; empty for the calendar itself.
        public var uid: String

        /// From its parts.
        public init(calendar: String, uid: String) {
            self.calendar = calendar
            self.uid = uid
        }
    }

    /// Only what stands behind this place, by calendar, then UID; everything if nil.
    public var after: Place?

    /// From its parts.
    public init(after: Place? = nil) { self.after = after }

    /// Reads the body from a document.
    ///
    /// - Throws: `JSONError` that names the member and what is allowed.
    public init(parsing value: JSONValue) throws(JSONError) {
        let members = try Members(value, allowing: ["after"])
        guard let after = members.value("after") else { return }
        let place = try Members(after, at: "after", allowing: ["calendar", "uid"])
        self.after = Place(
            calendar: try place.requiredName("calendar"), uid: place.value("uid")?.text ?? "")
    }

    /// The document.
    public var json: JSONValue {
        var members = MemberList()
        members.add(
            "after",
            after.map { place in
                var inner = MemberList()
                inner.add("calendar", text: place.calendar)
                inner.add("uid", place.uid.isEmpty ? nil : .string(place.uid))
                return .object(inner.json)
            })
        return .object(members.json)
    }
}
