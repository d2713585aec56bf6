public import Messages

/// What an entity type says about one of its properties.
public struct PropertyDeclaration: Sendable, Equatable {
    /// What it holds.
    public let kind: PropertyKind
    /// Whether every entity must have it.
    public let isRequired: Bool
    /// Whether it holds names to look for in calendars.
    public let isCalendarName: Bool

    init(_ node: DocumentNode) throws(CatalogError) {
        let members = try node.members(allowed: ["kind", "required", "calendarName"])
        let kindNode = try node.member("kind", of: members)
        guard let kind = kindNode.value.text.flatMap(PropertyKind.init) else {
            let kinds = PropertyKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw kindNode.fault("must be one of \(kinds)")
        }
        self.kind = kind
        isRequired = try members["required"]?.bool() ?? false
        isCalendarName = try members["calendarName"]?.bool() ?? false
        guard !isCalendarName || kind.holdsNames else {
            throw node.fault(
                "holds no names to look for in calendars: its kind is \(kind.rawValue)")
        }
    }

    /// The document; what has its default is left out.
    public var json: JSONValue {
        var members: [String: JSONValue] = ["kind": .string(kind.rawValue)]
        if isRequired { members["required"] = .bool(true) }
        if isCalendarName { members["calendarName"] = .bool(true) }
        return .object(members)
    }
}
