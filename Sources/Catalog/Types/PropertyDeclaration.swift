public import Messages

/// What an entity type says about one of its properties.
public struct PropertyDeclaration: Sendable, Equatable {
    /// What it holds.
    public let kind: PropertyKind
    /// Whether every entity must have it.
    public let isRequired: Bool
    /// How the names that it holds are looked for in calendars; nil if it holds none.
    public let calendarName: CalendarNameMode?

    init(_ node: DocumentNode) throws(CatalogError) {
        let members = try node.members(allowed: ["kind", "required", "calendarName"])
        let kindNode = try node.member("kind", of: members)
        guard let kind = kindNode.value.text.flatMap(PropertyKind.init) else {
            let kinds = PropertyKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw kindNode.fault("must be one of \(kinds)")
        }
        self.kind = kind
        isRequired = try members["required"]?.bool() ?? false
        if let node = members["calendarName"] {
            calendarName = try CalendarNameMode(node)
        } else {
            calendarName = nil
        }
        guard calendarName == nil || kind.holdsNames else {
            throw node.fault(
                "holds no names to look for in calendars: its kind is \(kind.rawValue)")
        }
    }

    /// The document; what has its default is left out.
    public var json: JSONValue {
        var members: [String: JSONValue] = ["kind": .string(kind.rawValue)]
        if isRequired { members["required"] = .bool(true) }
        switch calendarName {
        case .names: members["calendarName"] = .bool(true)
        case .contains: members["calendarName"] = .string(CalendarNameMode.contains.rawValue)
        case nil: break
        }
        return .object(members)
    }
}

/// How names are looked for in the titles of calendars.
public enum CalendarNameMode: String, Sendable, CaseIterable {
    /// As whole words, whatever their diacritics and punctuation.
    case names
    /// Anywhere in the title, whatever their case alone.
    case contains

    /// From `true`, which is `names`, `false`, which is nil, or the mode's name.
    init?(_ node: DocumentNode) throws(CatalogError) {
        guard let text = node.value.text else {
            guard try node.bool() else { return nil }
            self = .names
            return
        }
        guard let mode = CalendarNameMode(rawValue: text) else {
            throw node.fault("must be true, false, names or contains")
        }
        self = mode
    }
}
