import Catalog
import Foundation
import Messages

/// Rows of a file of separated values whose first line names the columns.
///
/// `id`, `pictures` and `labels` are the entity's own, every other column is a property, with
/// `title.de` for one language and `location.latitude` for a part of a place. Lists are joined by
/// bars. An empty field says nothing.
public struct CSVSource: ImportSource {
    /// Records behind the first line.
    public let count: Int
    /// The file's own folder.
    public let folder: String
    private let pictureFolder: String
    private let columns: [TableColumn]
    private var file: CSVFile

    /// Relative picture paths begin at `pictureFolder`, or at the file's own folder.
    ///
    /// - Throws: `ConfigurationError` if there is no such file, or its first line names a column
    ///   that the type does not have.
    public init(path: String, type: EntityTypeDocument, pictureFolder: String? = nil) throws {
        folder = (path as NSString).deletingLastPathComponent.orHere
        self.pictureFolder = pictureFolder ?? folder
        file = try CSVFile(path)
        guard let head = try file.next(), let names = head.fields else {
            throw ConfigurationError("'\(path)' has no first line that names its columns")
        }
        var columns: [TableColumn] = []
        for name in names {
            guard let column = TableColumn(name, type: type.type), !columns.contains(column) else {
                throw ConfigurationError(
                    "'\(path)' has the column '\(name)'; a table of \(type.name) has each once of "
                        + TableColumn.allowed(in: type.type))
            }
            columns.append(column)
        }
        guard columns.contains(.id) else {
            throw ConfigurationError("'\(path)' has no column 'id'")
        }
        self.columns = columns
        var counting = try CSVFile(path)
        var count = 0
        while try counting.next() != nil { count += 1 }
        self.count = count - 1
    }

    /// The next row.
    public mutating func next() throws -> Result<ImportRow, BadRow>? {
        guard let record = try file.next() else { return nil }
        let place = "line \(record.line)"
        guard let fields = record.fields else {
            return .failure(BadRow(place: place, reason: record.fault))
        }
        guard fields.count == columns.count else {
            return .failure(
                BadRow(
                    place: place,
                    reason: "has \(fields.count) fields; the first line has \(columns.count)"))
        }
        do {
            let row = try TableRow(fields, columns: columns)
            return .success(
                ImportRow(
                    place: place, id: row.id, properties: row.properties, labels: row.labels,
                    pictures: row.pictures.map { Self.path($0, in: pictureFolder) }))
        } catch {
            return .failure(BadRow(place: place, reason: error.description))
        }
    }
}
