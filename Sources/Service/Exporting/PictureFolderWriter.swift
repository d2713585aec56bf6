import Catalog
import Foundation
import Messages

/// Pictures alone, named so that an import of the folder gives the titles back: `Artist - Title.jpg`,
/// or a folder of that name for an entity with several.
struct PictureFolderWriter: EntityWriter {
    private static let nameBytesMax = 200

    private let folder: String
    private let type: EntityType
    private var names: Set<String> = []

    init(folder: String, type: EntityType) {
        self.folder = folder
        self.type = type
    }

    mutating func add(_ entity: Entity, pictures: [ExportedPicture]) throws {
        guard let first = pictures.first else { return }
        let name = freeName(for: entity)
        guard pictures.count > 1 else {
            return try Data(first.bytes).write(
                to: URL(fileURLWithPath: "\(folder)/\(name).jpg"))
        }
        try FileManager.default.createDirectory(
            atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
        for (index, picture) in pictures.enumerated() {
            try Data(picture.bytes).write(
                to: URL(fileURLWithPath: "\(folder)/\(name)/\(index + 1).jpg"))
        }
    }

    mutating func finish() {}

    /// A name that no earlier entity has, whatever the case of its letters.
    private mutating func freeName(for entity: Entity) -> String {
        let wanted = name(of: entity)
        var name = wanted
        var number = 2
        while !names.insert(name.lowercased()).inserted {
            name = "\(wanted) (\(number))"
            number += 1
        }
        return name
    }

    private func name(of entity: Entity) -> String {
        func text(_ property: String?) -> String? {
            property.flatMap { entity.properties[$0]?.display(locale: nil) }
        }
        let title = text(type.titleProperty) ?? entity.key.id
        let whole = text(type.subtitleProperty).map { "\($0) - \(title)" } ?? title
        var name = ""
        for character in whole.replacing("/", with: "∕") {
            guard name.utf8.count + character.utf8.count <= Self.nameBytesMax else { break }
            let isControl = character.unicodeScalars.contains { $0.value < 0x20 }
            name.append(isControl ? "_" : character)
        }
        return name.hasPrefix(".") ? "_" + name.dropFirst() : name
    }
}
