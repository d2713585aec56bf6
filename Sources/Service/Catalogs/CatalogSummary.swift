import Catalog
import Matching
public import Messages

/// What a catalog holds, in figures.
public struct CatalogSummary: Sendable, Equatable {
    /// The catalog's name.
    public let name: String
    /// Entities by type.
    public private(set) var entities: [String: Int] = [:]
    /// The version of each type.
    public private(set) var typeVersions: [String: Int] = [:]
    /// Pictures of entities.
    public private(set) var pictures = 0
    /// Pictures whose source copy is kept, so that prints can be made of it.
    public private(set) var sources = 0
    /// Prints by print version.
    public private(set) var prints: [String: Int] = [:]

    init(_ name: String, of stored: StoredCatalogs) throws {
        self.name = name
        let catalog = try stored.catalog(name)
        for type in stored.content.types.all {
            let count = catalog.count(ofType: type.name)
            guard count > 0 else { continue }
            entities[type.name] = count
            typeVersions[type.name] = type.version
        }
        var after: EntityKey?
        while let page = catalog.page(after: after) {
            for picture in page.flatMap(\.pictures) { add(picture) }
            after = page.last?.key
        }
    }

    private mutating func add(_ picture: EntityPicture) {
        pictures += 1
        if picture.picture != nil { sources += 1 }
        for version in picture.prints.keys { prints[version, default: 0] += 1 }
    }

    /// One JSON object.
    public var json: JSONValue {
        .object([
            "catalog": .string(name),
            "entities": .object(entities.mapValues { .integer($0) }),
            "typeVersions": .object(typeVersions.mapValues { .integer($0) }),
            "pictures": .integer(pictures), "sources": .integer(sources),
            "prints": .object(prints.mapValues { .integer($0) }),
        ])
    }
}

extension StoredCatalogs {
    /// What a catalog holds.
    ///
    /// - Throws: `ConfigurationError` if there is no such catalog.
    public func summary(of catalog: String) throws -> CatalogSummary {
        try CatalogSummary(catalog, of: self)
    }
}

extension CatalogContent {
    /// The next entities by type and id; nil behind the last.
    func page(type: String? = nil, after: EntityKey?) -> [Entity]? {
        let page = list(type: type, after: after, limit: 1_000)
        return page.isEmpty ? nil : page
    }
}
