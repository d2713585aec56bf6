import Catalog
import Foundation
import Messages

/// Writes entities one after another.
protocol EntityWriter {
    /// - Throws: What the file system refuses.
    mutating func add(_ entity: Entity, pictures: [ExportedPicture]) throws
    /// Everything is written.
    mutating func finish() throws
}

/// A file that is written piece by piece.
struct ExportFile {
    private let handle: FileHandle
    private var waiting: [UInt8] = []

    /// - Throws: `ConfigurationError` if it cannot be written.
    init(_ path: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw ConfigurationError("cannot write '\(path)'") }
        self.handle = handle
    }

    mutating func write(_ bytes: some Collection<UInt8>) throws {
        waiting += bytes
        if waiting.count >= 1 << 16 { try flush() }
    }

    mutating func flush() throws {
        try handle.write(contentsOf: Data(waiting))
        waiting = []
    }
}

/// One JSON object a line, as an import reads it.
struct JSONLinesWriter: EntityWriter {
    private var file: ExportFile

    init(path: String) throws { file = try ExportFile(path) }

    mutating func add(_ entity: Entity, pictures: [ExportedPicture]) throws {
        let row: [String: JSONValue] = [
            "id": .string(entity.key.id),
            "properties": .object(entity.properties.mapValues(\.json)),
            "labels": .array(entity.labels.map { .string($0) }),
            "pictures": .array(pictures.map { .string($0.path) }),
        ]
        try file.write(JSONValue.object(row).canonical() + [UInt8(ascii: "\n")])
    }

    mutating func finish() throws { try file.flush() }
}

/// A table with the columns that its entities need.
struct CSVWriter: EntityWriter {
    private var file: ExportFile
    private let columns: [TableColumn]

    init(path: String, columns: [TableColumn]) throws {
        file = try ExportFile(path)
        self.columns = columns
        try write(columns.map(\.name))
    }

    mutating func add(_ entity: Entity, pictures: [ExportedPicture]) throws {
        try write(columns.map { $0.field(of: entity, pictures: pictures) })
    }

    mutating func finish() throws { try file.flush() }

    private mutating func write(_ fields: [String]) throws {
        let line = fields.map(Self.quoted).joined(separator: ",") + "\r\n"
        try file.write(line.utf8)
    }

    private static func quoted(_ field: String) -> String {
        guard field.utf8.contains(where: { ",;\t\"\r\n".utf8.contains($0) }) else { return field }
        return "\"" + field.replacing("\"", with: "\"\"") + "\""
    }
}

extension TableColumn {
    /// What the column holds of an entity; empty for nothing.
    func field(of entity: Entity, pictures: [ExportedPicture]) -> String {
        switch self {
        case .id: return entity.key.id
        case .pictures:
            return pictures.isEmpty ? "" : ListText.join(pictures.map(\.path))
        case .labels: return entity.labels.isEmpty ? "" : ListText.join(entity.labels)
        case .property(let name, _):
            switch entity.properties[name] {
            case .string(let text), .localizedString(.plain(let text)): return text
            case .date(let date): return date.text
            case .number(let number):
                return String(decoding: JSONValue.number(number).canonical(), as: UTF8.self)
            case .stringList(let texts): return ListText.join(texts)
            case .localizedString, .geoPoint, nil: return ""
            }
        case .language(let name, let tag):
            guard case .localizedString(.byLanguage(let texts)) = entity.properties[name] else {
                return ""
            }
            return texts[tag] ?? ""
        case .coordinate(let name, let member):
            guard case .geoPoint(let point) = entity.properties[name] else { return "" }
            let number = member == "latitude" ? point.latitude : point.longitude
            return String(decoding: JSONValue.number(number).canonical(), as: UTF8.self)
        }
    }
}

/// The columns that a table of some entities needs.
struct TableColumns {
    private let type: EntityType
    private var hasPlainText: Set<String> = []
    private var tags: [String: Set<String>] = [:]

    init(_ type: EntityType) { self.type = type }

    /// Takes note of the languages of an entity.
    mutating func notice(_ entity: Entity) {
        for (name, value) in entity.properties {
            guard case .localizedString(let text) = value else { continue }
            switch text {
            case .plain: hasPlainText.insert(name)
            case .byLanguage(let texts): tags[name, default: []].formUnion(texts.keys)
            }
        }
    }

    /// The entity's own columns, then its properties by name.
    var list: [TableColumn] {
        [.id, .pictures, .labels]
            + type.properties.sorted { $0.key < $1.key }.flatMap { name, property in
                switch property.kind {
                case .geoPoint:
                    ["latitude", "longitude"].map { TableColumn.coordinate(name, member: $0) }
                case .localizedString:
                    (hasPlainText.contains(name) ? [.property(name, .localizedString)] : [])
                        + (tags[name] ?? []).sorted().map { TableColumn.language(name, tag: $0) }
                default: [TableColumn.property(name, property.kind)]
                }
            }
    }
}
