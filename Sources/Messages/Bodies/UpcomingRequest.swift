/// The body of `calendar.upcoming`.
public struct UpcomingRequest: JSONBody {
    /// Local calendar days from as-of: 1 to `Limits.upcomingDaysMax`.
    public var days: Int
    /// The language that names are compared in, such as `en_US`.
    public var locale: String?
    /// The IANA name of the zone in which the days are counted; the account's if nil.
    public var zone: String?
    /// The `nextPage` of an earlier reply to the same question; nil for the first page.
    public var after: String?

    /// From its parts.
    public init(
        days: Int = Limits.upcomingDaysDefault, locale: String? = nil, zone: String? = nil,
        after: String? = nil
    ) {
        self.days = days
        self.locale = locale
        self.zone = zone
        self.after = after
    }

    /// Reads the body from a document.
    ///
    /// - Throws: `JSONError` that names the member and what is allowed.
    public init(parsing value: JSONValue) throws(JSONError) {
        let members = try Members(value, allowing: ["days", "locale", "zone", "after"])
        days =
            try members.integer("days", in: 1...Limits.upcomingDaysMax)
            ?? Limits.upcomingDaysDefault
        locale = try members.name("locale")
        zone = try members.name("zone")
        after = try members.name("after")
        guard after.map({ Hex.decode($0) != nil }) ?? true else {
            throw JSONError("after must be a nextPage of an earlier reply: hexadecimal digits")
        }
    }

    /// The document.
    public var json: JSONValue {
        var members = MemberList()
        members.add("days", .integer(days))
        members.add("locale", text: locale)
        members.add("zone", text: zone)
        members.add("after", text: after)
        return .object(members.json)
    }
}
