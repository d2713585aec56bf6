/// The body of `entity.put`: an entity as its producer states it.
///
/// Only the shape is checked here; whether the properties are those of the entity's type is for
/// the catalog to say.
public struct EntityPut: JSONBody {
    /// One picture of an entity: its source copy, prints of it, or both.
    public struct Picture: Sendable, Equatable {
        /// The bounded source copy, from which later prints can be made.
        public var picture: ContentHash?
        /// Prints by their version, at most `Limits.printVersionsMax`.
        public var prints: [String: ContentHash]
        /// The thumbnail.
        public var thumbnail: ContentHash?

        /// From its parts.
        public init(
            picture: ContentHash?, prints: [String: ContentHash] = [:],
            thumbnail: ContentHash? = nil
        ) {
            self.picture = picture
            self.prints = prints
            self.thumbnail = thumbnail
        }
    }

    /// Type and id.
    public var entity: EntityName
    /// Values by property name, at most `Limits.propertiesMax`.
    public var properties: [String: JSONValue]
    /// General terms for which the entity may be added to results.
    public var labels: [String]
    /// At most `Limits.picturesPerEntityMax`.
    public var pictures: [Picture]
    /// The producer's mark of this state of the entity, such as a digest of its source; opaque.
    public var revision: String?

    /// From its parts.
    public init(
        entity: EntityName, properties: [String: JSONValue], labels: [String] = [],
        pictures: [Picture] = [], revision: String? = nil
    ) {
        self.revision = revision
        self.entity = entity
        self.properties = properties
        self.labels = labels
        self.pictures = pictures
    }

    /// Reads the body from a document.
    ///
    /// - Throws: `JSONError` that names the member and what is allowed.
    public init(parsing value: JSONValue) throws(JSONError) {
        let members = try Members(
            value, allowing: ["type", "id", "properties", "labels", "pictures", "revision"])
        entity = try EntityName(members)
        revision = try members.name("revision")
        guard let properties = try members.required("properties").object else {
            throw JSONError("properties must be an object")
        }
        guard properties.count <= Limits.propertiesMax else {
            throw JSONError("properties has more than \(Limits.propertiesMax) members")
        }
        guard properties.keys.allSatisfy({ Members.isName($0) }) else {
            throw JSONError("a property's name must be 1 to \(Limits.nameBytesMax) bytes")
        }
        self.properties = properties
        labels =
            try members.names(
                "labels", in: 0...Limits.labelsMax, bytesMax: Limits.labelBytesMax) ?? []
        pictures =
            try members.list("pictures", in: 0...Limits.picturesPerEntityMax) {
                (value, place) throws(JSONError) in try Picture(value, at: place)
            } ?? []
    }

    /// The document.
    public var json: JSONValue {
        var members = MemberList()
        members.add("type", text: entity.type)
        members.add("id", text: entity.id)
        members.add("properties", .object(properties))
        members.add("labels", names: labels)
        members.add("pictures", pictures.isEmpty ? nil : .array(pictures.map(\.json)))
        members.add("revision", text: revision)
        return .object(members.json)
    }

    /// The blobs that the pictures name, each once, by role and hash.
    public var blobs: [BlobReference] {
        var blobs: Set<BlobReference> = []
        for picture in pictures {
            if let hash = picture.picture {
                blobs.insert(BlobReference(role: .picture, hash: hash))
            }
            for hash in picture.prints.values {
                blobs.insert(BlobReference(role: .print, hash: hash))
            }
            if let hash = picture.thumbnail {
                blobs.insert(BlobReference(role: .thumbnail, hash: hash))
            }
        }
        return blobs.sorted { ($0.role.rawValue, $0.hash) < ($1.role.rawValue, $1.hash) }
    }
}

extension EntityPut.Picture {
    init(_ value: JSONValue, at path: String) throws(JSONError) {
        let members = try Members(value, at: path, allowing: ["picture", "prints", "thumbnail"])
        picture = try members.hash("picture")
        thumbnail = try members.hash("thumbnail")
        prints = [:]
        if let value = members.value("prints") {
            prints = try Self.prints(value, at: members.place("prints"))
        }
        guard picture != nil || !prints.isEmpty else {
            throw JSONError("\(path) must have a picture or a print")
        }
    }

    static func prints(
        _ value: JSONValue, at place: String
    ) throws(JSONError) -> [String: ContentHash] {
        guard let entries = value.object, entries.count <= Limits.printVersionsMax else {
            throw JSONError(
                "\(place) must be an object of at most \(Limits.printVersionsMax) versions")
        }
        var prints: [String: ContentHash] = [:]
        let order = entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        for (version, value) in order {
            guard Members.isName(version) else {
                throw JSONError("a version in \(place) must be 1 to \(Limits.nameBytesMax) bytes")
            }
            prints[version] = try Members.hash(value, at: "\(place).\(version)")
        }
        return prints
    }

    var json: JSONValue {
        var members = MemberList()
        members.add("picture", hash: picture)
        if !prints.isEmpty {
            members.add("prints", .object(prints.mapValues { .string($0.description) }))
        }
        members.add("thumbnail", hash: thumbnail)
        return .object(members.json)
    }
}
