/// The body of `entity.get`.
public struct EntityGetRequest: JSONBody {
    /// The entities wanted, at most `Limits.entitiesPerGetMax`; the reply keeps their order.
    public var entities: [EntityName]

    /// From the entities wanted.
    public init(entities: [EntityName]) { self.entities = entities }

    /// Reads the body from a document.
    ///
    /// - Throws: `JSONError` that names the member and what is allowed.
    public init(parsing value: JSONValue) throws(JSONError) {
        let members = try Members(value, allowing: ["entities"])
        _ = try members.required("entities")
        entities =
            try members.list("entities", in: 0...Limits.entitiesPerGetMax) {
                (value, place) throws(JSONError) in try EntityName(value, at: place)
            } ?? []
    }

    /// The document.
    public var json: JSONValue { .object(["entities": .array(entities.map(\.json))]) }
}

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

/// The body of `intent.open`.
public struct OpenRequest: JSONBody {
    /// The entity to open.
    public var entity: EntityName

    /// From the entity to open.
    public init(entity: EntityName) { self.entity = entity }

    /// Reads the body from a document.
    ///
    /// - Throws: `JSONError` that names the member and what is allowed.
    public init(parsing value: JSONValue) throws(JSONError) {
        entity = try EntityName(parsing: value)
    }

    /// The document.
    public var json: JSONValue { entity.json }
}
