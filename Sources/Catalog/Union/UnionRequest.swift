public import Messages

/// What a search asks of the catalog, beside the matches of its picture.
public struct UnionRequest: Sendable {
    /// The instant that the request is answered for.
    public var asOf: Timestamp
    /// Where the caller is; nil if the request does not say.
    public var near: GeoPoint?
    /// The language of display texts, such as "de_AT"; English if nil.
    public var locale: String?
    /// The entity types wanted, for matches, related entities and label additions alike; all if
    /// nil. What a match of another type would have brought along is left out with it.
    public var types: [String]?
    /// General terms that describe the picture; those that carry one may be added.
    public var labels: [String]
    /// Whether items name a thumbnail to be attached.
    public var wantsThumbnails: Bool
    /// Results that the caller wants; none if below 1.
    public var limit: Int

    /// From its parts.
    public init(
        asOf: Timestamp, near: GeoPoint? = nil, locale: String? = nil, types: [String]? = nil,
        labels: [String] = [], wantsThumbnails: Bool = false, limit: Int = Limits.resultsDefault
    ) {
        self.asOf = asOf
        self.near = near
        self.locale = locale
        self.types = types
        self.labels = labels
        self.wantsThumbnails = wantsThumbnails
        self.limit = limit
    }

    func wants(type: String) -> Bool { types?.contains(type) ?? true }
}
