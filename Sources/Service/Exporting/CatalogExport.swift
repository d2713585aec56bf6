import Catalog
import Foundation
import Messages

/// Writes a catalog out in the formats that an import reads.
///
/// ```
/// album.json            the type's declaration
/// album.jsonl           its entities, or album.csv
/// pictures/3f0a….jpg    the source copies by hash
/// stored/               prints and thumbnails, see `StoredPrints`
/// ```
/// Importing that gives an equal catalog, with the same pictures and prints.
public struct CatalogExport: Sendable {
    /// How entities are written.
    public enum Format: String, Sendable, CaseIterable {
        /// One JSON object a line.
        case jsonl
        /// A table.
        case csv
        /// Pictures alone, named after their entities: properties beyond titles are lost.
        case pictures
    }

    /// What was written of one type.
    public struct Summary: Sendable, Equatable {
        /// Entities.
        public internal(set) var entities = 0
        /// Pictures.
        public internal(set) var pictures = 0
        /// Pictures of which no source copy is kept, or whose copy is damaged.
        public internal(set) var missing = 0
    }

    let stored: StoredCatalogs
    private let catalog: CatalogContent
    let folder: String
    private let format: Format

    /// An export of a catalog into a folder, which is made if need be.
    ///
    /// - Throws: `ConfigurationError` if there is no such catalog; what the file system refuses.
    public init(
        of stored: StoredCatalogs, catalog: String, to folder: String, format: Format
    ) throws {
        self.stored = stored
        self.catalog = try stored.catalog(catalog)
        self.folder = folder
        self.format = format
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
    }

    /// The types that the catalog has entities of, by name.
    public var types: [String] {
        stored.types.filter { catalog.count(ofType: $0) > 0 }
    }

    /// Writes the entities of a type; `progress` hears how many of how many are done.
    ///
    /// - Throws: `ConfigurationError` if there are none; what the disk refuses.
    public func write(
        _ name: String, progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) throws -> Summary {
        let count = catalog.count(ofType: name)
        guard let type = stored.content.types[name], count > 0 else {
            throw ConfigurationError("the catalog has no entity of the type '\(name)'")
        }
        var summary = Summary()
        var writer = try writer(for: type)
        if format != .pictures {
            try Data(type.json.canonical() + [UInt8(ascii: "\n")]).write(
                to: URL(fileURLWithPath: "\(folder)/\(name).json"))
        }
        try forEach(type) { entity in
            let pictures = try pictures(of: entity)
            summary.missing += entity.pictures.count - pictures.count
            if format != .pictures { for picture in pictures { try write(picture) } }
            try writer.add(entity, pictures: pictures)
            summary.entities += 1
            summary.pictures += pictures.count
            progress(summary.entities, count)
        }
        try writer.finish()
        return summary
    }

    private func writer(for type: EntityType) throws -> any EntityWriter {
        switch format {
        case .jsonl: return try JSONLinesWriter(path: "\(folder)/\(type.name).jsonl")
        case .csv:
            var columns = TableColumns(type)
            try forEach(type) { columns.notice($0) }
            return try CSVWriter(path: "\(folder)/\(type.name).csv", columns: columns.list)
        case .pictures: return PictureFolderWriter(folder: folder, type: type)
        }
    }

    private func forEach(_ type: EntityType, _ body: (Entity) throws -> Void) throws {
        var after: EntityKey?
        while let page = catalog.page(type: type.name, after: after) {
            for entity in page { try body(entity) }
            after = page.last?.key
        }
    }

    /// Those of an entity's pictures whose source copy is there.
    private func pictures(of entity: Entity) throws -> [ExportedPicture] {
        try entity.pictures.compactMap { picture in
            guard let hash = picture.picture, let bytes = try stored.blob(hash) else { return nil }
            return ExportedPicture(hash: hash, bytes: bytes, picture: picture)
        }
    }

    private func write(_ picture: ExportedPicture) throws {
        var entry = StoredPrints.Entry()
        for (version, print) in picture.picture.prints {
            if let bytes = try stored.blob(print) { entry.prints[version] = bytes }
        }
        if let hash = picture.picture.thumbnail { entry.thumbnail = try stored.blob(hash) }
        try StoredPrints(in: folder).write(entry, of: picture.hash)
        let place = "\(folder)/\(picture.path)"
        guard !FileManager.default.fileExists(atPath: place) else { return }
        try FileManager.default.createDirectory(
            atPath: "\(folder)/pictures", withIntermediateDirectories: true)
        try Data(picture.bytes).write(to: URL(fileURLWithPath: place), options: .atomic)
    }
}

/// A picture on its way into a folder.
struct ExportedPicture {
    let hash: ContentHash
    let bytes: [UInt8]
    let picture: EntityPicture
    /// Where it stands in the folder.
    var path: String { "pictures/\(hash).jpg" }
}
