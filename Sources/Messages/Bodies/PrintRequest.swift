/// The body of `print.make`.
public struct PrintRequest: JSONBody {
    /// The picture that a print is made of.
    public var subject: PictureSource
    /// The part of the picture; nil for the whole.
    public var region: RegionDescription?
    /// Whether the reply brings a bounded source copy of the picture.
    public var source: Bool
    /// Whether the reply brings a thumbnail.
    public var thumbnail: Bool

    /// From its parts.
    public init(
        subject: PictureSource, region: RegionDescription? = nil, source: Bool = false,
        thumbnail: Bool = false
    ) {
        self.subject = subject
        self.region = region
        self.source = source
        self.thumbnail = thumbnail
    }

    /// Reads the body from a document.
    ///
    /// - Throws: `JSONError` that names the member and what is allowed.
    public init(parsing value: JSONValue) throws(JSONError) {
        let members = try Members(
            value, allowing: ["picture", "pixels", "region", "source", "thumbnail"])
        let parts = try SubjectMembers(members)
        guard let source = parts.source else { throw JSONError("picture or pixels is missing") }
        subject = source
        region = parts.region
        self.source = try members.flag("source")
        thumbnail = try members.flag("thumbnail")
    }

    /// The document.
    public var json: JSONValue {
        var members = MemberList()
        members.add(subject)
        members.add("region", region?.json)
        members.add("source", flag: source)
        members.add("thumbnail", flag: thumbnail)
        return .object(members.json)
    }
}
