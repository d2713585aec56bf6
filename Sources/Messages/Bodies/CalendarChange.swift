/// The body of `calendar.change`: resources of one calendar of an account.
public struct CalendarChange: JSONBody {
    /// The calendar, a name within its account.
    public var calendar: String
    /// The producer's count of this calendar's changes; what it says of a UID counts unless a
    /// higher one said something of that UID.
    public var revision: Int
    /// The IANA name of the zone for times that name none; `UTC` unless stated.
    public var zone: String
    /// Whether the calendar begins anew: what it held before goes once `complete` is said.
    public var reset: Bool
    /// Whether nothing of the calendar is missing now; false in all pages of a reset but the last.
    public var complete: Bool
    /// The token from which the producer goes on, kept for it; up to 1,024 bytes.
    public var syncToken: String?
    /// iCalendar texts; each replaces the resources of its UIDs.
    public var put: [String]
    /// UIDs that go.
    public var remove: [String]

    /// From its parts.
    public init(
        calendar: String, revision: Int, zone: String = "UTC", reset: Bool = false,
        complete: Bool = true, syncToken: String? = nil, put: [String] = [], remove: [String] = []
    ) {
        self.calendar = calendar
        self.revision = revision
        self.zone = zone
        self.reset = reset
        self.complete = complete
        self.syncToken = syncToken
        self.put = put
        self.remove = remove
    }

    /// Reads the body from a document.
    ///
    /// - Throws: `JSONError` that names the member and what is allowed.
    public init(parsing value: JSONValue) throws(JSONError) {
        let members = try Members(
            value,
            allowing: [
                "calendar", "revision", "zone", "reset", "complete", "syncToken", "put", "remove",
            ])
        calendar = try members.requiredName("calendar")
        revision = try Members.integer(
            try members.required("revision"), at: "revision", in: 0...Limits.revisionMax)
        zone = try members.name("zone") ?? "UTC"
        reset = try members.flag("reset")
        complete = members.value("complete") == nil ? true : try members.flag("complete")
        syncToken = try members.name("syncToken")
        put =
            try members.list("put", in: 0...Limits.resourcesPerChangeMax) {
                (value, place) throws(JSONError) in try Self.resource(value, at: place)
            } ?? []
        remove = try members.names("remove", in: 0...Limits.resourcesPerChangeMax) ?? []
    }

    private static func resource(_ value: JSONValue, at place: String) throws(JSONError) -> String {
        let members = try Members(value, at: place, allowing: ["ics"])
        let text = try members.required("ics").text
        guard let text, !text.isEmpty, text.utf8.count <= Limits.resourceBytesMax else {
            throw JSONError(
                "\(members.place("ics")) must be text of 1 to \(Limits.resourceBytesMax) bytes")
        }
        return text
    }

    /// The document.
    public var json: JSONValue {
        var members = MemberList()
        members.add("calendar", text: calendar)
        members.add("revision", .integer(revision))
        members.add("zone", text: zone)
        members.add("reset", flag: reset)
        if !complete { members.add("complete", .bool(false)) }
        members.add("syncToken", text: syncToken)
        let resources = put.map { JSONValue.object(["ics": .string($0)]) }
        members.add("put", resources.isEmpty ? nil : .array(resources))
        members.add("remove", names: remove)
        return .object(members.json)
    }
}
