import Catalog
import Foundation
public import Messages

/// One entity to import: a line of a JSON Lines file, or a picture of a folder.
public struct ImportRow: Sendable {
    /// Where the row stands, such as `line 12` or a file's name.
    public let place: String
    /// The entity's id.
    public let id: String
    /// Its properties, as `entity.put` takes them.
    public let properties: [String: JSONValue]
    /// Its labels.
    public let labels: [String]
    /// Paths of its pictures.
    public let pictures: [String]
}

/// A row that cannot be imported.
public struct BadRow: Error, Sendable, CustomStringConvertible {
    /// Where it stands.
    public let place: String
    /// What is wrong and what is allowed.
    public let reason: String
    /// Both.
    public var description: String { "\(place): \(reason)" }
}

/// Reads rows from a file or a folder; bad ones are reported and skipped.
public enum ImportSource {
    /// Rows of a JSON Lines file, one object a line:
    /// `{"id": …, "properties": {…}, "pictures": ["file.jpg"], "labels": […]}`.
    ///
    /// Relative picture paths begin at `pictureFolder`, or at the file's own folder.
    public static func lines(
        of bytes: [UInt8], pictureFolder: String
    ) -> (rows: [ImportRow], bad: [BadRow]) {
        var rows: [ImportRow] = []
        var bad: [BadRow] = []
        var places: [String: String] = [:]
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            guard line.contains(where: { $0 > 0x20 }) else { continue }
            let place = "line \(index + 1)"
            do {
                let row = try row(Array(line), place: place, pictureFolder: pictureFolder)
                if let earlier = places.updateValue(place, forKey: row.id) {
                    throw JSONError("the id '\(row.id)' stands in \(earlier) already")
                }
                rows.append(row)
            } catch {
                bad.append(BadRow(place: place, reason: "\(error)"))
            }
        }
        return (rows, bad)
    }

    private static func row(
        _ line: [UInt8], place: String, pictureFolder: String
    ) throws -> ImportRow {
        guard let members = try JSONValue(parsing: line).object else {
            throw JSONError("is no JSON object")
        }
        let known = ["id", "properties", "pictures", "picture", "labels"]
        if let unknown = members.keys.sorted().first(where: { !known.contains($0) }) {
            throw JSONError(
                "has an unknown member '\(unknown)'; allowed are \(known.joined(separator: ", "))")
        }
        guard let id = members["id"]?.text, !id.isEmpty else { throw JSONError("has no 'id' text") }
        let names =
            try texts(members["pictures"], "pictures")
            + (members["picture"]?.text.map { [$0] } ?? [])
        return ImportRow(
            place: place, id: id, properties: members["properties"]?.object ?? [:],
            labels: try texts(members["labels"], "labels"),
            pictures: names.map { $0.hasPrefix("/") ? $0 : pictureFolder + "/" + $0 })
    }

    private static func texts(_ value: JSONValue?, _ name: String) throws -> [String] {
        guard let value else { return [] }
        guard let elements = value.array, elements.allSatisfy({ $0.text != nil }) else {
            throw JSONError("'\(name)' takes a list of texts")
        }
        return elements.compactMap(\.text)
    }

    /// One row for each PNG or JPEG picture of a folder, in the order of their names.
    ///
    /// The id is the file's name without its ending. A name such as `Artist - Title.jpg` fills
    /// the properties of the subtitle and of the title, any other name the title's alone.
    public static func pictures(
        in folder: String, titleProperty: String?, subtitleProperty: String?
    ) throws -> [ImportRow] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { name in
            ["png", "jpg", "jpeg"].contains((name as NSString).pathExtension.lowercased())
        }
        return names.sorted().map { name in
            let stem = (name as NSString).deletingPathExtension
            var properties: [String: JSONValue] = [:]
            let parts = stem.split(separator: " - ", maxSplits: 1).map(String.init)
            if parts.count == 2, let titleProperty, let subtitleProperty {
                properties[subtitleProperty] = .string(parts[0])
                properties[titleProperty] = .string(parts[1])
            } else if let titleProperty {
                properties[titleProperty] = .string(stem)
            }
            return ImportRow(
                place: name, id: stem, properties: properties, labels: [],
                pictures: [folder + "/" + name])
        }
    }
}
