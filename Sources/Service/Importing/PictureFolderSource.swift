import Foundation
import Messages

/// One row for each picture of a folder, and for each folder of pictures in it, by name.
///
/// The id is the name without its ending. A name such as `Artist - Title.jpg` fills the properties
/// of the subtitle and of the title, any other name the title's alone. The pictures of a folder
/// are those of one entity, in the order of their names: `Kettle/1 front.jpg`, `Kettle/2 back.jpg`.
public struct PictureFolderSource: ImportSource {
    /// The folder.
    public let folder: String
    private let titleProperty: String?
    private let subtitleProperty: String?
    /// Names of files and folders.
    private let names: [String]
    private var index = 0

    /// - Throws: What the file system refuses.
    public init(folder: String, type: EntityTypeDocument) throws {
        self.folder = folder
        titleProperty = type.titleProperty
        subtitleProperty = type.subtitleProperty
        names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { name in
            Self.isPicture(name)
                || name != StoredPrints.folder && Self.isFolder("\(folder)/\(name)")
                    && !Self.pictures(in: "\(folder)/\(name)").isEmpty
        }.sorted()
    }

    /// Entities.
    public var count: Int { names.count }

    /// The next row.
    public mutating func next() -> Result<ImportRow, BadRow>? {
        guard index < names.count else { return nil }
        let name = names[index]
        index += 1
        let path = "\(folder)/\(name)"
        guard Self.isFolder(path) else {
            return .success(row(name, (name as NSString).deletingPathExtension, [path]))
        }
        return .success(row(name, name, Self.pictures(in: path)))
    }

    private func row(_ place: String, _ title: String, _ pictures: [String]) -> ImportRow {
        var properties: [String: JSONValue] = [:]
        let parts = title.split(separator: " - ", maxSplits: 1).map(String.init)
        if parts.count == 2, let titleProperty, let subtitleProperty {
            properties[subtitleProperty] = .string(parts[0])
            properties[titleProperty] = .string(parts[1])
        } else if let titleProperty {
            properties[titleProperty] = .string(title)
        }
        return ImportRow(place: place, id: title, properties: properties, pictures: pictures)
    }

    private static let endings = ["png", "jpg", "jpeg", "webp", "heic", "heif", "avif"]

    private static func isPicture(_ name: String) -> Bool {
        !name.hasPrefix(".") && endings.contains((name as NSString).pathExtension.lowercased())
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            && isFolder.boolValue
    }

    /// Paths of a folder's pictures; none if it cannot be read.
    private static func pictures(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter(isPicture).sorted().map { "\(folder)/\($0)" }
    }
}
