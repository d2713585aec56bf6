public import Messages

/// Something that a search can return: an album, a concert.
public struct Entity: Sendable, Equatable {
    /// Type and id.
    public let key: EntityKey
    /// By name; each of the kind that its type declares.
    public let properties: [String: PropertyValue]
    /// General terms, in the order given.
    public let labels: [String]
    /// In the order given, at most `Limits.picturesPerEntityMax`.
    public let pictures: [EntityPicture]

    /// The producer's mark of this state of the entity; opaque.
    public let revision: String?

    /// Reads the body of an `entity.put` and checks it against the entity's type.
    ///
    /// - Throws: `CatalogError` with `badEntity`, which names the place and what is allowed there.
    public init(parsing body: JSONValue, type: EntityType) throws(CatalogError) {
        let node = DocumentNode(body, code: .badEntity)
        let members = try node.members(
            allowed: ["type", "id", "properties", "labels", "pictures", "revision"])
        let typeNode = try node.member("type", of: members)
        guard typeNode.value.text == type.name else {
            throw typeNode.fault("must be \(type.name)")
        }
        let id = try node.member("id", of: members).identifier()
        key = EntityKey(type: type.name, id: id)
        properties = try Self.properties(try node.member("properties", of: members), type: type)
        labels = try members["labels"]?.labels() ?? []
        revision = try members["revision"]?.identifier()
        var pictures: [EntityPicture] = []
        for element in try members["pictures"]?.elements(max: Limits.picturesPerEntityMax) ?? [] {
            pictures.append(try EntityPicture(element))
        }
        self.pictures = pictures
    }

    /// The body of the `entity.put` that gives this entity.
    public var json: JSONValue {
        var members: [String: JSONValue] = [
            "type": .string(key.type), "id": .string(key.id), "properties": propertiesJSON,
        ]
        if !labels.isEmpty { members["labels"] = .array(labels.map { .string($0) }) }
        if !pictures.isEmpty { members["pictures"] = .array(pictures.map(\.json)) }
        if let revision { members["revision"] = .string(revision) }
        return .object(members)
    }

    /// The entity with prints of further versions for those of its pictures that are named by their
    /// source copy, and without the prints of some versions.
    ///
    /// - Throws: `CatalogError` with `badEntity` if a picture has too many prints then, or nothing.
    public func adding(
        _ prints: [ContentHash: [String: ContentHash]], dropping dropped: Set<String>
    ) throws(CatalogError) -> Entity {
        var pictures: [EntityPicture] = []
        for picture in self.pictures {
            let added = picture.picture.flatMap { prints[$0] } ?? [:]
            pictures.append(try picture.adding(added, dropping: dropped))
        }
        return Entity(
            key: key, properties: properties, labels: labels, pictures: pictures,
            revision: revision)
    }

    private init(
        key: EntityKey, properties: [String: PropertyValue], labels: [String],
        pictures: [EntityPicture], revision: String?
    ) {
        self.key = key
        self.properties = properties
        self.labels = labels
        self.pictures = pictures
        self.revision = revision
    }

    /// The first thumbnail of its pictures; nil if none has one.
    public var thumbnail: ContentHash? { pictures.lazy.compactMap(\.thumbnail).first }

    var propertiesJSON: JSONValue { .object(properties.mapValues(\.json)) }

    private static func properties(
        _ node: DocumentNode, type: EntityType
    ) throws(CatalogError) -> [String: PropertyValue] {
        let names = type.properties.keys.sorted(by: utf8Precedes)
        let members = try node.members(allowed: names)
        var values: [String: PropertyValue] = [:]
        for name in names {
            guard let declaration = type.properties[name] else { continue }
            if let member = members[name] {
                values[name] = try PropertyValue(member, kind: declaration.kind)
            } else if declaration.isRequired {
                throw node.fault("lacks the required property \"\(name)\"")
            }
        }
        return values
    }
}
