public import Messages

extension EntityType {
    /// The properties that hold names to look for in calendars, by name.
    public var calendarNameProperties: [String] {
        properties.filter { $0.value.calendarName != nil }.keys.sorted(by: utf8Precedes)
    }

    /// The properties whose names are looked for in this way, by name.
    public func calendarNameProperties(_ mode: CalendarNameMode) -> [String] {
        properties.filter { $0.value.calendarName == mode }.keys.sorted(by: utf8Precedes)
    }

    /// The properties that hold dates, by name.
    public var dateProperties: [String] {
        properties.filter { $0.value.kind == .date }.keys.sorted(by: utf8Precedes)
    }

    /// The names to look for in calendars that an entity of the type holds, collapsed to single
    /// spaces; a name may come more than once.
    public func calendarNames(of entity: Entity) -> [String] {
        calendarNameProperties.flatMap { entity.properties[$0]?.names ?? [] }.map(\.collapsed)
    }

    /// Those of the names that are looked for in this way.
    public func calendarNames(of entity: Entity, _ mode: CalendarNameMode) -> [String] {
        calendarNameProperties(mode).flatMap { entity.properties[$0]?.names ?? [] }
            .map(\.collapsed)
    }

    /// The form in which names are compared: without difference of case, and of white space.
    public static func folded(_ name: String) -> String { name.folded }

    /// The dates that an entity of the type holds.
    public func dates(of entity: Entity) -> [ZonedDate] {
        dateProperties.compactMap {
            guard case .date(let date) = entity.properties[$0] else { return nil }
            return date
        }
    }

    /// The property that is the whole title, such as `name` for `{name}`: what a picture's file
    /// name can stand for. Nil if the title is made of more, or not of a text.
    public var titleProperty: String? { onlyProperty(of: title) }

    /// The property that is the whole subtitle, such as `artistName`; nil as for the title.
    public var subtitleProperty: String? { subtitle.flatMap(onlyProperty) }

    private func onlyProperty(of template: Template) -> String? {
        guard template.parts.count == 1, let name = template.placeholders.first,
            let kind = properties[name]?.kind, kind == .string || kind == .localizedString
        else { return nil }
        return name
    }

    /// Made-up properties of an entity of the type, to start a document of one's own from.
    public var exampleProperties: JSONValue {
        .object(
            Dictionary(
                uniqueKeysWithValues: properties.map { name, property in
                    (name, Self.example(of: property.kind, name: name))
                }))
    }

    private static func example(of kind: PropertyKind, name: String) -> JSONValue {
        switch kind {
        case .string: .string("some \(name)")
        case .localizedString: .object(["en": .string("some \(name)")])
        case .number: .integer(1)
        case .date: .string("2026-12-05T20:00:00+01:00")
        case .geoPoint: .object(["latitude": .number(52.5), "longitude": .number(13.4)])
        case .stringList: .array([.string("some \(name)")])
        }
    }
}
