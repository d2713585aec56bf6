public import Foundation
import Journal
import Messages
import Service

/// What a picture is searched for with.
public struct PictureSearch: Sendable {
    enum Subject: Sendable {
        case picture(Data)
        case print(Data, version: String)
        case labels
    }
    let subject: Subject

    /// General terms such as `building`, which add results and never filter.
    public var labels: [String] = []
    /// The part of the upright picture to search, in pixels; nil for the whole.
    public var region: (x: Int, y: Int, width: Int, height: Int)?
    /// Where the caller is, in degrees, for relations within a distance.
    public var near: (latitude: Double, longitude: Double)?
    /// The cut: 0 (the same picture) to 2.
    public var maxDistance = 1.0
    /// The entity types wanted; nil for all.
    public var types: [String]?
    /// The caller's language and region, such as `en_US`.
    public var locale: String?
    /// The reply brings thumbnails.
    public var thumbnails = false
    /// The account whose calendar says which concerts it has already; nil for none.
    public var account: String?
    /// The catalog; `main` unless stated.
    public var catalog = CatalogName.main
    /// Results at most.
    public var limit = Limits.resultsDefault

    /// An encoded picture: PNG, JPEG, WebP, HEIC or AVIF.
    public init(picture: Data) { subject = .picture(picture) }
    /// A feature print that was made before, and its version.
    public init(print: Data, version: String) { subject = .print(print, version: version) }
    /// Labels alone.
    public init(labels: [String]) {
        subject = .labels
        self.labels = labels
    }

    /// The question.
    ///
    /// - Throws: `SightlineError` with `badRequest` for a region or place that there is not.
    public func request<Properties: Decodable & Sendable>(
        as _: Properties.Type = Properties.self
    ) throws(SightlineError) -> ServiceRequest<SearchResult<Properties>> {
        var attachments: [[UInt8]] = []
        var printVersion: String?
        let wanted: SearchRequest.Subject
        switch subject {
        case .picture(let data):
            attachments = [Array(data)]
            wanted = .picture(ContentHash.of(attachments[0]))
        case .print(let data, let version):
            attachments = [Array(data)]
            wanted = .print(ContentHash.of(attachments[0]))
            printVersion = version
        case .labels: wanted = .none
        }
        let body = SearchRequest(
            subject: wanted, region: try part(), labels: labels, near: try place(),
            locale: locale, maxDistance: Int((maxDistance * 1_000_000).rounded()), types: types,
            thumbnails: thumbnails)
        var request = ServiceRequest<SearchResult<Properties>>(
            ServiceName.imageSearch, json: body.json, attachments: attachments)
        request.printVersion = printVersion
        request.account = account
        request.catalog = catalog
        request.limit = limit
        return request
    }

    private func part() throws(SightlineError) -> RegionDescription? {
        guard let region else { return nil }
        guard
            let part = RegionDescription(
                x: region.x, y: region.y, width: region.width, height: region.height)
        else { throw SightlineError(.badRequest, "region \(region) is no part of a picture") }
        return part
    }

    private func place() throws(SightlineError) -> Coordinates? {
        guard let near else { return nil }
        guard let place = Coordinates(latitude: near.latitude, longitude: near.longitude) else {
            throw SightlineError(.badRequest, "\(near) is no place: degrees, north and east")
        }
        return place
    }
}

/// How a result came into the list.
public enum SearchResultKind: String, Sendable, Decodable {
    /// The picture shows it.
    case match
    /// It follows from the match before it.
    case related
    /// It carries a label that was asked for.
    case label
}

/// One result of a search, with the properties of its entity in the caller's type.
///
/// Where several entity types are wanted, `Properties` has what they have in common, with
/// optionals for the rest.
public struct SearchResult<Properties: Decodable & Sendable>: Decodable, Sendable {
    /// How it came into the list.
    public let kind: SearchResultKind
    /// The entity's type.
    public let type: String
    /// The entity's id within its type.
    public let id: String
    /// What people read.
    public let display: Display
    /// Opens it in the app.
    public let route: String
    /// 0 is the same picture; nil for what is no match.
    public let distance: Double?
    /// The match that a related entity follows from.
    public let parent: EntityReference?
    /// The relation that it follows by.
    public let relation: String?
    /// The account's calendar has it already.
    public let isInCalendar: Bool
    /// Names the thumbnail among the attachments; nil if there is none.
    public let thumbnail: String?
    /// What the entity's type declares.
    public let properties: Properties

    private enum Member: String, CodingKey {
        case kind, type, id, display, route, distance, parent, relation, inCalendar, thumbnail
        case properties
    }

    /// Reads an item of a reply.
    ///
    /// - Throws: `DecodingError` where the properties are not of the caller's type.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Member.self)
        kind = try members.decode(SearchResultKind.self, forKey: .kind)
        type = try members.decode(String.self, forKey: .type)
        id = try members.decode(String.self, forKey: .id)
        display = try members.decode(Display.self, forKey: .display)
        route = try members.decode(String.self, forKey: .route)
        distance = try members.decodeIfPresent(Int.self, forKey: .distance)
            .map { Double($0) / 1_000_000 }
        parent = try members.decodeIfPresent(EntityReference.self, forKey: .parent)
        relation = try members.decodeIfPresent(String.self, forKey: .relation)
        isInCalendar = try members.decodeIfPresent(Bool.self, forKey: .inCalendar) ?? false
        thumbnail = try members.decodeIfPresent(String.self, forKey: .thumbnail)
        properties = try members.decode(Properties.self, forKey: .properties)
    }
}

/// What people read of an entity.
public struct Display: Decodable, Sendable, Equatable {
    /// The name of the entity's type.
    public let type: String?
    /// The title.
    public let title: String
    /// What stands under it.
    public let subtitle: String?
}

/// An entity's type and its id within the type.
public struct EntityReference: Decodable, Sendable, Hashable {
    /// The type.
    public let type: String
    /// The id.
    public let id: String
}

/// Takes any properties, for callers that need none.
public struct AnyProperties: Decodable, Sendable {
    /// Reads nothing.
    public init(from decoder: any Decoder) {}
}

extension SightlineClient {
    /// Searches for what a picture shows; the properties of each result are read as `Properties`.
    ///
    /// - Throws: `SightlineError`, with `unreadable` where they are of another shape.
    public func search<Properties: Decodable & Sendable>(
        _ search: PictureSearch, as _: Properties.Type = AnyProperties.self
    ) async throws(SightlineError) -> Results<SearchResult<Properties>> {
        try await send(try search.request())
    }

    /// Searches for what an encoded picture shows.
    ///
    /// - Throws: `SightlineError`, with `badPicture` where it cannot be read.
    public func search<Properties: Decodable & Sendable>(
        _ picture: Data, as properties: Properties.Type = AnyProperties.self
    ) async throws(SightlineError) -> Results<SearchResult<Properties>> {
        try await search(PictureSearch(picture: picture), as: properties)
    }
}
