/// The body of `calendar.change`: resources of one calendar of an account.
public struct CalendarChange: JSONBody {
    /// The calendar, a name within its account.
    public var calendar: String
    /// The producer's count of this calendar's changes; an older one than applied is skipped.
    public var revision: Int
    /// The IANA name of the zone for times that name none; `UTC` unless stated.
    public var zone: String
    /// Whether everything that the calendar held before goes first.
    public var reset: Bool
    /// iCalendar texts; each replaces the resources of its UIDs.
    public var put: [String]
    /// UIDs that go.
    public var remove: [String]

    /// From its parts.
    public init(
        calendar: String, revision: Int, zone: String = "UTC", reset: Bool = false,
        put: [String] = [], remove: [String] = []
    ) {
        self.calendar = calendar
        self.revision = revision
        self.zone = zone
        self.reset = reset
        self.put = put
        self.remove = remove
    }

    /// Reads the body from a document.
    ///
    /// - Throws: `JSONError` that names the member and what is allowed.
    public init(parsing value: JSONValue) throws(JSONError) {
        let members = try Members(
            value, allowing: ["calendar", "revision", "zone", "reset", "put", "remove"])
        calendar = try members.requiredName("calendar")
        revision = try Members.integer(
            try members.required("revision"), at: "revision", in: 0...Limits.revisionMax)
        zone = try members.name("zone") ?? "UTC"
        reset = try members.flag("reset")
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
        let resources = put.map { JSONValue.object(["ics": .string($0)]) }
        members.add("put", resources.isEmpty ? nil : .array(resources))
        members.add("remove", names: remove)
        return .object(members.json)
    }
}
