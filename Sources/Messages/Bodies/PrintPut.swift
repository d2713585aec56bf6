/// The body of `print.put`: prints of a further version for pictures that an entity has.
///
/// It changes nothing else of the entity, whatever was put meanwhile, and says nothing of a picture
/// that the entity no longer has. Prints of versions that are no longer compared can be dropped
/// with it.
public struct PrintPut: JSONBody {
    /// Prints of one picture.
    public struct Picture: Sendable, Equatable {
        /// The source copy that they are made of.
        public var picture: ContentHash
        /// By version, 1 to `Limits.printVersionsMax`.
        public var prints: [String: ContentHash]

        /// From its parts.
        public init(picture: ContentHash, prints: [String: ContentHash]) {
            self.picture = picture
            self.prints = prints
        }
    }

    /// Type and id.
    public var entity: EntityName
    /// At most `Limits.picturesPerEntityMax`.
    public var pictures: [Picture]
    /// Versions whose prints the entity's pictures no longer need, at most
    /// `Limits.printVersionsMax`.
    public var drop: [String]

    /// From its parts.
    public init(entity: EntityName, pictures: [Picture], drop: [String] = []) {
        self.entity = entity
        self.pictures = pictures
        self.drop = drop
    }

    /// Reads the body from a document.
    ///
    /// - Throws: `JSONError` that names the member and what is allowed.
    public init(parsing value: JSONValue) throws(JSONError) {
        let members = try Members(value, allowing: ["type", "id", "pictures", "drop"])
        entity = try EntityName(members)
        _ = try members.required("pictures")
        drop = try members.names("drop", in: 0...Limits.printVersionsMax) ?? []
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
        members.add("pictures", .array(pictures.map(\.json)))
        members.add("drop", names: drop)
        return .object(members.json)
    }

    /// The prints, each once, by hash.
    public var blobs: [BlobReference] {
        Set(pictures.flatMap(\.prints.values)).sorted().map {
            BlobReference(role: .print, hash: $0)
        }
    }
}

extension PrintPut.Picture {
    init(_ value: JSONValue, at path: String) throws(JSONError) {
        let members = try Members(value, at: path, allowing: ["picture", "prints"])
        picture = try members.requiredHash("picture")
        prints = try EntityPut.Picture.prints(
            members.required("prints"), at: members.place("prints"))
        guard !prints.isEmpty else { throw JSONError("\(members.place("prints")) is empty") }
    }

    var json: JSONValue {
        .object([
            "picture": .string(picture.description),
            "prints": .object(prints.mapValues { .string($0.description) }),
        ])
    }
}
