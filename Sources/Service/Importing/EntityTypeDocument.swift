import Catalog
import Foundation
public import Messages

/// An entity type read from its JSON file.
public struct EntityTypeDocument: Sendable {
    let type: EntityType

    /// Reads a type from a file, or by name from a folder of types.
    ///
    /// - Throws: `ConfigurationError` that names the file and what is wrong.
    public init(named name: String, folder: String?) throws {
        let folders = folder.map { [$0] } ?? Self.standardFolders
        let paths = name.hasSuffix(".json") ? [name] : folders.map { "\($0)/\(name).json" }
        guard let path = paths.first(where: { FileManager.default.fileExists(atPath: $0) }),
            let data = FileManager.default.contents(atPath: path)
        else {
            throw ConfigurationError(
                "no entity type '\(name)': looked for \(paths.joined(separator: ", ")); name a folder with --entities"
            )
        }
        do {
            type = try EntityType(parsing: JSONValue(parsing: Array(data)))
        } catch {
            throw ConfigurationError("'\(path)': \(error)")
        }
    }

    /// The type's name.
    public var name: String { type.name }
    /// The property that is the whole display title, if there is one.
    public var titleProperty: String? { type.titleProperty }
    /// The property that is the whole display subtitle, if there is one.
    public var subtitleProperty: String? { type.subtitleProperty }

    /// A row to start from, for `sightline import`.
    public var exampleRow: JSONValue {
        .object([
            "id": .string("\(name)-1"), "properties": type.exampleProperties,
            "pictures": .array([.string("\(name)-1.jpg")]), "labels": .array([]),
        ])
    }

    /// `deploy/entities` beside the built command, or where a package puts it.
    private static var standardFolders: [String] {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        if let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
            folder = URL(fileURLWithPath: path)  // the working folder does not matter then
        }
        var folders: [String] = []
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            folders.append(folder.appendingPathComponent("deploy/entities").path)
            folders.append(folder.appendingPathComponent("share/sightline/entities").path)
        }
        return folders
    }
}
