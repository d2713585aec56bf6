/// The body of `calendar.change`: resources of one calendar of an account.
public typealias CalendarChange = StoreChange<CalendarStore>
/// The body of `contact.change`: cards of one address book of an account.
public typealias ContactChange = StoreChange<ContactStore>
/// The body of `health.change`: readings of one health store of an account.
public typealias HealthChange = StoreChange<HealthStore>

/// The body of a change of one collection of a store.
public struct StoreChange<Definition: StoreDefinition>: JSONBody {
    /// The collection, a name within its account and kind of store.
    public var collection: String
    /// The producer's count of this collection's changes; what it says of an entry counts unless a
    /// higher one said something of that entry.
    public var revision: Int
    /// The IANA name of the zone for times that name none; `UTC` unless stated.
    public var zone: String
    /// Whether the collection begins anew: what it held before goes once `complete` is said.
    public var reset: Bool
    /// Whether nothing of the collection is missing now; false in all pages of a reset but the last.
    public var complete: Bool
    /// The token from which the producer goes on, kept for it; up to 1,024 bytes.
    public var token: String?
    /// Texts of entries; each replaces the entries of its ids.
    public var put: [String]
    /// Ids of entries that go.
    public var remove: [String]

    /// From its parts.
    public init(
        collection: String, revision: Int, zone: String = "UTC", reset: Bool = false,
        complete: Bool = true, token: String? = nil, put: [String] = [], remove: [String] = []
    ) {
        self.collection = collection
        self.revision = revision
        self.zone = zone
        self.reset = reset
        self.complete = complete
        self.token = token
        self.put = put
        self.remove = remove
    }

    private static var allowed: [String] {
        [Definition.collectionMember, "revision"] + (Definition.statesZone ? ["zone"] : [])
            + ["reset", "complete", Definition.tokenMember, "put", "remove"]
    }

    /// Reads the body from a document.
    ///
    /// - Throws: `JSONError` that names the member and what is allowed.
    public init(parsing value: JSONValue) throws(JSONError) {
        let members = try Members(value, allowing: Self.allowed)
        collection = try members.requiredName(Definition.collectionMember)
        revision = try Members.integer(
            try members.required("revision"), at: "revision", in: 0...Limits.revisionMax)
        zone = try members.name("zone") ?? "UTC"
        reset = try members.flag("reset")
        complete = members.value("complete") == nil ? true : try members.flag("complete")
        token = try members.name(Definition.tokenMember)
        put =
            try members.list("put", in: 0...Limits.resourcesPerChangeMax) {
                (value, place) throws(JSONError) in
                let entry = try Members(value, at: place, allowing: [Definition.entryMember])
                return try Definition.text(
                    of: try entry.required(Definition.entryMember),
                    at: entry.place(Definition.entryMember))
            } ?? []
        remove = try members.names("remove", in: 0...Limits.resourcesPerChangeMax) ?? []
    }

    /// The document.
    public var json: JSONValue {
        var members = MemberList()
        members.add(Definition.collectionMember, text: collection)
        members.add("revision", .integer(revision))
        if Definition.statesZone { members.add("zone", text: zone) }
        members.add("reset", flag: reset)
        if !complete { members.add("complete", .bool(false)) }
        members.add(Definition.tokenMember, text: token)
        let entries = put.map { text in
            JSONValue.object([Definition.entryMember: Definition.entry(of: text)])
        }
        members.add("put", entries.isEmpty ? nil : .array(entries))
        members.add("remove", names: remove)
        return .object(members.json)
    }
}

extension StoreChange where Definition == CalendarStore {
    /// From its parts.
    public init(
        calendar: String, revision: Int, zone: String = "UTC", reset: Bool = false,
        complete: Bool = true, syncToken: String? = nil, put: [String] = [], remove: [String] = []
    ) {
        self.init(
            collection: calendar, revision: revision, zone: zone, reset: reset,
            complete: complete, token: syncToken, put: put, remove: remove)
    }

    /// The calendar, a name within its account.
    public var calendar: String { collection }
}
