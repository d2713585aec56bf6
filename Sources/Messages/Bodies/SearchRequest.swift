/// The body of `image.search`.
public struct SearchRequest: JSONBody {
    /// What is searched for.
    public enum Subject: Sendable, Equatable {
        /// Nothing; labels alone may still find something.
        case none
        /// An encoded picture.
        case picture(ContentHash)
        /// A pixel buffer.
        case pixels(PixelDescription)
        /// A feature print that the client made; its version is a field of the message.
        case print(ContentHash)
    }

    /// What is searched for.
    public var subject: Subject
    /// The selected part of the picture; nil for the whole.
    public var region: RegionDescription?
    /// General terms such as `building`, which add results and never filter.
    public var labels: [String]
    /// Where the caller is.
    public var near: Coordinates?
    /// The caller's language and region, such as `en_US`.
    public var locale: String?
    /// The caller's platform, such as `iOS`.
    public var platform: String?
    /// The cut, in millionths: 0 to `Limits.distanceMax`.
    public var maxDistance: Int
    /// The entity types wanted; nil for all.
    public var types: [String]?
    /// Whether the reply brings thumbnails.
    public var thumbnails: Bool

    /// From its parts.
    public init(
        subject: Subject, region: RegionDescription? = nil, labels: [String] = [],
        near: Coordinates? = nil, locale: String? = nil, platform: String? = nil,
        maxDistance: Int = Limits.distanceDefault, types: [String]? = nil,
        thumbnails: Bool = false
    ) {
        self.subject = subject
        self.region = region
        self.labels = labels
        self.near = near
        self.locale = locale
        self.platform = platform
        self.maxDistance = maxDistance
        self.types = types
        self.thumbnails = thumbnails
    }

    /// Reads the body from a document.
    ///
    /// - Throws: `JSONError` that names the member and what is allowed.
    public init(parsing value: JSONValue) throws(JSONError) {
        let members = try Members(
            value,
            allowing: [
                "picture", "pixels", "print", "region", "labels", "near", "locale", "platform",
                "maxDistance", "types", "thumbnails",
            ])
        let parts = try SubjectMembers(members)
        subject =
            switch (parts.source, parts.print) {
            case (.picture(let hash), _): .picture(hash)
            case (.pixels(let pixels), _): .pixels(pixels)
            case (nil, let print?): .print(print)
            case (nil, nil): .none
            }
        region = parts.region
        labels =
            try members.names(
                "labels", in: 0...Limits.labelsMax, bytesMax: Limits.labelBytesMax) ?? []
        near = nil
        if let value = members.value("near") { near = try Coordinates(value, at: "near") }
        locale = try members.name("locale")
        platform = try members.name("platform")
        maxDistance =
            try members.integer("maxDistance", in: 0...Limits.distanceMax)
            ?? Limits.distanceDefault
        types = try members.names("types", in: 1...Limits.typesMax)
        thumbnails = try members.flag("thumbnails")
    }

    /// The document.
    public var json: JSONValue {
        var members = MemberList()
        switch subject {
        case .none: break
        case .picture(let hash): members.add(.picture(hash))
        case .pixels(let pixels): members.add(.pixels(pixels))
        case .print(let hash): members.add("print", hash: hash)
        }
        members.add("region", region?.json)
        members.add("labels", names: labels)
        members.add("near", near?.json)
        members.add("locale", text: locale)
        members.add("platform", text: platform)
        members.add("maxDistance", .integer(maxDistance))
        members.add("types", names: types ?? [])
        members.add("thumbnails", flag: thumbnails)
        return .object(members.json)
    }
}
