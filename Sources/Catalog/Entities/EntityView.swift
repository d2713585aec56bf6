public import Messages

/// What of an entity goes into replies.
public enum EntityView {
    /// The display representation, in the language of a locale ("de_AT"; English if nil).
    ///
    /// - Parameter type: The entity's type.
    public static func display(of entity: Entity, type: EntityType, locale: String?) -> Display {
        func text(_ template: Template) -> String {
            template.display { name in
                name == "id"
                    ? entity.key.id : entity.properties[name]?.display(locale: locale)
            }.collapsed
        }
        let title = text(type.title)
        return Display(
            type: type.displayName.text(locale: locale),
            title: title.isEmpty ? entity.key.id : title,
            subtitle: type.subtitle.map(text) ?? "")
    }

    /// The open-intent route: the type's template with every value percent-encoded.
    ///
    /// - Parameter type: The entity's type.
    public static func route(of entity: Entity, type: EntityType) -> String {
        type.open.route { name in
            name == "id" ? entity.key.id : entity.properties[name]?.display(locale: nil)
        }
    }

    /// `{"type":…,"id":…}`.
    public static func name(_ key: EntityKey) -> JSONValue {
        .object(["type": .string(key.type), "id": .string(key.id)])
    }

    /// An item of `entity.get` and `entity.list`: type, id, display, route, properties, and
    /// labels, thumbnail and revision if there are any.
    public static func item(of entity: Entity, type: EntityType, locale: String?) -> JSONValue {
        var members = members(of: entity, type: type, locale: locale)
        if !entity.labels.isEmpty {
            members["labels"] = .array(entity.labels.map { .string($0) })
        }
        if let thumbnail = entity.thumbnail {
            members["thumbnail"] = .string(thumbnail.description)
        }
        if let revision = entity.revision { members["revision"] = .string(revision) }
        return .object(members)
    }

    /// An item of `entity.get` for an entity that is not there.
    public static func unknownItem(_ key: EntityKey) -> JSONValue {
        .object(["type": .string(key.type), "id": .string(key.id), "unknown": .bool(true)])
    }

    /// The item of `intent.open`: type, id, route.
    public static func openItem(of entity: Entity, type: EntityType) -> JSONValue {
        .object([
            "type": .string(entity.key.type), "id": .string(entity.key.id),
            "route": .string(route(of: entity, type: type)),
        ])
    }

    /// An entity as an item of `calendar.upcoming` names it: type, id, title, route.
    public static func reference(
        to entity: Entity, type: EntityType, locale: String?
    ) -> JSONValue {
        .object([
            "type": .string(entity.key.type), "id": .string(entity.key.id),
            "title": .string(display(of: entity, type: type, locale: locale).title),
            "route": .string(route(of: entity, type: type)),
        ])
    }

    /// The items of `entity.get`: in the order asked, unknown ones marked so.
    ///
    /// A key that is asked for twice is answered once, at its first place. An entity whose type is
    /// not declared is unknown.
    public static func items(
        get keys: [EntityKey], content: CatalogContent, types: EntityTypes, locale: String?
    ) -> [MergeItem] {
        var seen: Set<EntityKey> = []
        return keys.filter { seen.insert($0).inserted }.enumerated().map { index, key in
            var json = unknownItem(key)
            if let entity = content[key], let type = types[key.type] {
                json = item(of: entity, type: type, locale: locale)
            }
            return MergeItem(
                sortKey: bigEndianBytes(UInt32(index)), unionKey: key.unionKey,
                json: json.canonical())
        }
    }

    /// The items of `entity.list`, in the order of their types and ids.
    public static func items(
        list entities: [Entity], types: EntityTypes, locale: String?
    ) -> [MergeItem] {
        entities.compactMap { entity in
            guard let type = types[entity.key.type] else { return nil }
            return MergeItem(
                sortKey: entity.key.unionKey, unionKey: entity.key.unionKey,
                json: item(of: entity, type: type, locale: locale).canonical())
        }
    }

    /// What every item about an entity has.
    static func members(
        of entity: Entity, type: EntityType, locale: String?
    ) -> [String: JSONValue] {
        [
            "type": .string(entity.key.type), "id": .string(entity.key.id),
            "display": display(of: entity, type: type, locale: locale).json,
            "route": .string(route(of: entity, type: type)),
            "properties": entity.propertiesJSON,
        ]
    }
}
