import Catalog
import Foundation
import Messages

/// What one column of a table holds of an entity.
enum TableColumn: Equatable {
    case id
    case pictures
    case labels
    /// A property that one field can hold.
    case property(String, PropertyKind)
    /// A localised string in one language: `title.de`.
    case language(String, tag: String)
    /// A part of a place: `location.latitude`.
    case coordinate(String, member: String)

    /// Reads a column's name; nil if a type has no such property.
    init?(_ name: String, type: EntityType) {
        switch name {
        case "id":
            self = .id
            return
        case "pictures", "picture": self = .pictures
        case "labels": self = .labels
        default:
            let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
                .map(String.init)
            guard let kind = type.properties[parts[0]]?.kind else { return nil }
            switch (kind, parts.count) {
            case (.geoPoint, 2) where ["latitude", "longitude"].contains(parts[1]):
                self = .coordinate(parts[0], member: parts[1])
            case (.localizedString, 2): self = .language(parts[0], tag: parts[1])
            case (.geoPoint, _), (_, 2): return nil
            default: self = .property(parts[0], kind)
            }
        }
    }

    /// As the first line of a table names it.
    var name: String {
        switch self {
        case .id: "id"
        case .pictures: "pictures"
        case .labels: "labels"
        case .property(let name, _): name
        case .language(let name, let tag): "\(name).\(tag)"
        case .coordinate(let name, let member): "\(name).\(member)"
        }
    }

    /// The columns that a table of a type may have, for people.
    static func allowed(in type: EntityType) -> String {
        let properties = type.properties.sorted { $0.key < $1.key }.map { name, property in
            switch property.kind {
            case .geoPoint: "\(name).latitude, \(name).longitude"
            case .localizedString: "\(name), \(name).LANGUAGE"
            default: name
            }
        }
        return (["id", "pictures", "labels"] + properties).joined(separator: ", ")
    }
}

/// The properties that a record's fields give, put together column by column.
struct TableRow {
    private(set) var id = ""
    private(set) var pictures: [String] = []
    private(set) var labels: [String] = []
    private(set) var properties: [String: JSONValue] = [:]

    /// - Throws: `JSONError` that names the column and what is allowed.
    init(_ fields: [String], columns: [TableColumn]) throws(JSONError) {
        for (column, field) in zip(columns, fields) where !field.isEmpty {
            try take(field, column)
        }
        guard !id.isEmpty else { throw JSONError("has no 'id'") }
    }

    private mutating func take(_ field: String, _ column: TableColumn) throws(JSONError) {
        switch column {
        case .id: id = field
        case .pictures: pictures = ListText.split(field)
        case .labels: labels = ListText.split(field)
        case .property(let name, .number): properties[name] = try Self.number(field, column)
        case .property(let name, .stringList):
            properties[name] = .array(ListText.split(field).map { .string($0) })
        case .property(let name, _): try add(.string(field), name, column)
        case .language(let name, let tag): try addMember(tag, .string(field), name, column)
        case .coordinate(let name, let member):
            try addMember(member, try Self.number(field, column), name, column)
        }
    }

    private mutating func add(
        _ value: JSONValue, _ name: String, _ column: TableColumn
    ) throws(JSONError) {
        guard properties[name] == nil else {
            throw JSONError("column '\(column.name)': '\(name)' has texts by language too")
        }
        properties[name] = value
    }

    private mutating func addMember(
        _ member: String, _ value: JSONValue, _ name: String, _ column: TableColumn
    ) throws(JSONError) {
        guard var members = (properties[name] ?? .object([:])).object else {
            throw JSONError("column '\(column.name)': '\(name)' has a text for all languages too")
        }
        members[member] = value
        properties[name] = .object(members)
    }

    private static func number(
        _ field: String, _ column: TableColumn
    ) throws(JSONError) -> JSONValue {
        // As JSON writes numbers, whatever the language of the spreadsheet.
        guard let value = try? JSONValue(parsing: Array(field.utf8)), value.double != nil else {
            throw JSONError(
                "column '\(column.name)' takes a number such as 12 or 49.9, not '\(field.prefix(40))'"
            )
        }
        return value
    }
}
