/// The body of `calendar.upcoming`.
public struct UpcomingRequest: JSONBody {
    /// Local calendar days from as-of: 1 to `Limits.upcomingDaysMax`.
    public var days: Int
    /// The language that names are compared in, such as `en_US`.
    public var locale: String?

    /// From its parts.
    public init(days: Int = Limits.upcomingDaysDefault, locale: String? = nil) {
        self.days = days
        self.locale = locale
    }

    /// Reads the body from a document.
    ///
    /// - Throws: `JSONError` that names the member and what is allowed.
    public init(parsing value: JSONValue) throws(JSONError) {
        let members = try Members(value, allowing: ["days", "locale"])
        days =
            try members.integer("days", in: 1...Limits.upcomingDaysMax)
            ?? Limits.upcomingDaysDefault
        locale = try members.name("locale")
    }

    /// The document.
    public var json: JSONValue {
        var members = MemberList()
        members.add("days", .integer(days))
        members.add("locale", text: locale)
        return .object(members.json)
    }
}
