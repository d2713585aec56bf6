/// The body of `entity.list`.
public struct EntityListRequest: JSONBody {
    /// The type wanted; nil for all.
    public var type: String?
    /// The last entity of the page before; nil for the first page.
    public var after: EntityName?

    /// From its parts.
    public init(type: String? = nil, after: EntityName? = nil) {
        self.type = type
        self.after = after
    }

    /// Reads the body from a document.
    ///
    /// - Throws: `JSONError` that names the member and what is allowed.
    public init(parsing value: JSONValue) throws(JSONError) {
        let members = try Members(value, allowing: ["type", "after"])
        type = try members.name("type")
        after = nil
        if let value = members.value("after") { after = try EntityName(value, at: "after") }
    }

    /// The document.
    public var json: JSONValue {
        var members = MemberList()
        members.add("type", text: type)
        members.add("after", after?.json)
        return .object(members.json)
    }
}
