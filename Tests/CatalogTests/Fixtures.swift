import Catalog
import Messages
import TestSupport
import Testing

/// Small makers for types, entities and catalogs.
enum Fixtures {
    /// 2026-11-01T00:00:00Z.
    static let asOf = Timestamp(milliseconds: 1_793_491_200_000)
    static let berlin = GeoPoint(latitude: 52.52, longitude: 13.405)

    static func json(_ text: String) throws -> JSONValue {
        try JSONValue(parsing: Array(text.utf8))
    }

    static func shippedType(_ name: String) throws -> EntityType {
        let bytes = try PackageRoot.bytes("deploy/entities/\(name).json")
        return try EntityType(parsing: JSONValue(parsing: bytes))
    }

    /// The names of all types that are shipped, from the music, film and commerce packs.
    static let shippedNames = [
        "album", "concert", "movie", "product", "showtime", "soundtrack", "theater",
    ]

    static func shippedTypes() throws -> EntityTypes {
        var types = EntityTypes()
        for name in shippedNames { try types.declare(shippedType(name)) }
        return types
    }

    /// Types from documents.
    static func types(_ documents: [String]) throws -> EntityTypes {
        var types = EntityTypes()
        for document in documents { try types.declare(EntityType(parsing: json(document))) }
        return types
    }

    static func entity(
        _ type: String, _ id: String, _ properties: [String: JSONValue], types: EntityTypes,
        labels: [String] = [], pictures: [JSONValue] = []
    ) throws -> Entity {
        let declared = try #require(types[type])
        return try Entity(
            parsing: .object([
                "type": .string(type), "id": .string(id), "properties": .object(properties),
                "labels": .array(labels.map { .string($0) }), "pictures": .array(pictures),
            ]), type: declared)
    }

    static func album(
        _ id: String, by artist: String, types: EntityTypes, labels: [String] = []
    ) throws -> Entity {
        try entity(
            "album", id, ["name": .string("Album \(id)"), "artistName": .string(artist)],
            types: types, labels: labels)
    }

    /// A concert, by default two weeks after as-of, in Berlin.
    static func concert(
        _ id: String, by artist: String, date: String = "2026-11-15T20:00:00+01:00",
        at point: GeoPoint? = berlin, types: EntityTypes
    ) throws -> Entity {
        var properties: [String: JSONValue] = [
            "name": .string("Concert \(id)"), "artistName": .string(artist),
            "date": .string(date),
        ]
        properties["location"] = point?.json
        return try entity("concert", id, properties, types: types)
    }

    static func content(_ entities: [Entity]) -> CatalogContent {
        var content = CatalogContent()
        for entity in entities { content.put(entity) }
        return content
    }
}

extension MergeItem {
    /// `type/id`, read from the union key.
    var name: String {
        String(decoding: unionKey.map { $0 == 0 ? UInt8(ascii: "/") : $0 }, as: UTF8.self)
    }
    func document() throws -> JSONValue { try JSONValue(parsing: json) }
}
