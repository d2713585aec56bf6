public import Messages

/// One picture of an entity: which blobs belong to it.
public struct EntityPicture: Sendable, Equatable {
    /// The bounded copy of the source, from which a new print version can be built.
    public let picture: ContentHash?
    /// Feature prints by print version.
    public let prints: [String: ContentHash]
    /// About `Limits.thumbnailSide` pixels on its longer side.
    public let thumbnail: ContentHash?

    init(_ node: DocumentNode) throws(CatalogError) {
        let members = try node.members(allowed: ["picture", "prints", "thumbnail"])
        picture = try members["picture"]?.hash()
        thumbnail = try members["thumbnail"]?.hash()
        var prints: [String: ContentHash] = [:]
        if let node = members["prints"] {
            for (version, print) in try node.members(
                "hashes by print version", max: Limits.printVersionsMax)
            {
                guard !version.isEmpty, version.utf8.count <= Limits.nameBytesMax else {
                    throw node.fault("has a print version of no or too many bytes")
                }
                prints[version] = try print.hash()
            }
        }
        self.prints = prints
        guard picture != nil || thumbnail != nil || !prints.isEmpty else {
            throw node.fault("must have a picture, prints or a thumbnail")
        }
    }

    /// The picture with prints of further versions and without those of others.
    ///
    /// - Throws: `CatalogError` with `badEntity` above `Limits.printVersionsMax` versions, or if
    ///   nothing of the picture is left.
    func adding(
        _ added: [String: ContentHash], dropping dropped: Set<String>
    ) throws(CatalogError) -> EntityPicture {
        var prints = prints.filter { !dropped.contains($0.key) }
        prints.merge(added) { $1 }
        guard prints.count <= Limits.printVersionsMax else {
            throw CatalogError(
                .badEntity, "a picture has prints of at most \(Limits.printVersionsMax) versions")
        }
        guard picture != nil || thumbnail != nil || !prints.isEmpty else {
            throw CatalogError(.badEntity, "nothing of the picture is left")
        }
        return EntityPicture(picture: picture, prints: prints, thumbnail: thumbnail)
    }

    private init(
        picture: ContentHash?, prints: [String: ContentHash], thumbnail: ContentHash?
    ) {
        self.picture = picture
        self.prints = prints
        self.thumbnail = thumbnail
    }

    /// The document; what is missing is left out.
    public var json: JSONValue {
        var members: [String: JSONValue] = [:]
        if let picture { members["picture"] = .string(picture.description) }
        if let thumbnail { members["thumbnail"] = .string(thumbnail.description) }
        if !prints.isEmpty {
            members["prints"] = .object(prints.mapValues { .string($0.description) })
        }
        return .object(members)
    }
}
