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
