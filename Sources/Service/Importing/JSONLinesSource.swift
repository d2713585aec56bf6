import Foundation
import Messages

/// Rows of a JSON Lines file, one object a line:
/// `{"id": …, "properties": {…}, "pictures": ["file.jpg"], "labels": […]}`.
public struct JSONLinesSource: ImportSource {
    /// Lines that are not blank.
    public let count: Int
    /// The file's own folder.
    public let folder: String
    private let pictureFolder: String
    private var file: LineFile

    /// Relative picture paths begin at `pictureFolder`, or at the file's own folder.
    ///
    /// - Throws: `ConfigurationError` if there is no such file.
    public init(path: String, pictureFolder: String? = nil) throws {
        folder = (path as NSString).deletingLastPathComponent.orHere
        self.pictureFolder = pictureFolder ?? folder
        var counting = try LineFile(path)
        var count = 0
        while let line = try counting.next() { count += line.isBlank ? 0 : 1 }
        self.count = count
        file = try LineFile(path)
    }

    /// The next row.
    public mutating func next() throws -> Result<ImportRow, BadRow>? {
        while let line = try file.next() {
            guard !line.isBlank else { continue }
            let place = "line \(file.number)"
            do {
                return .success(try row(line, place: place))
            } catch {
                return .failure(BadRow(place: place, reason: "\(error)"))
            }
        }
        return nil
    }

    private func row(_ line: LineFile.Line, place: String) throws -> ImportRow {
        guard case .bytes(let bytes) = line else {
            throw JSONError("has more than \(Limits.importRowBytesMax) bytes")
        }
        guard let members = try JSONValue(parsing: bytes).object else {
            throw JSONError("is no JSON object")
        }
        let known = ["id", "properties", "pictures", "picture", "labels"]
        if let unknown = members.keys.sorted().first(where: { !known.contains($0) }) {
            throw JSONError(
                "has an unknown member '\(unknown)'; allowed are \(known.joined(separator: ", "))")
        }
        guard let id = members["id"]?.text, !id.isEmpty else { throw JSONError("has no 'id' text") }
        let properties = members["properties"] ?? .object([:])
        guard let properties = properties.object else {
            throw JSONError("'properties' takes an object")
        }
        let names =
            try Self.texts(members["pictures"], "pictures")
            + (members["picture"]?.text.map { [$0] } ?? [])
        return ImportRow(
            place: place, id: id, properties: properties,
            labels: try Self.texts(members["labels"], "labels"),
            pictures: names.map { Self.path($0, in: pictureFolder) })
    }

    private static func texts(_ value: JSONValue?, _ name: String) throws -> [String] {
        guard let value else { return [] }
        guard let elements = value.array, elements.allSatisfy({ $0.text != nil }) else {
            throw JSONError("'\(name)' takes a list of texts")
        }
        return elements.compactMap(\.text)
    }
}

extension LineFile.Line {
    fileprivate var isBlank: Bool {
        guard case .bytes(let bytes) = self else { return false }
        return !bytes.contains { $0 > 0x20 }
    }
}

extension String {
    /// The folder itself, or the working folder for none.
    var orHere: String { isEmpty ? "." : self }
}
