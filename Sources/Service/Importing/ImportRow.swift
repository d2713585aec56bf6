public import Messages

/// One entity to import: a line of a file, or what a folder of pictures holds of it.
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

    /// From its parts.
    public init(
        place: String, id: String, properties: [String: JSONValue], labels: [String] = [],
        pictures: [String] = []
    ) {
        self.place = place
        self.id = id
        self.properties = properties
        self.labels = labels
        self.pictures = pictures
    }
}

/// A row that cannot be imported.
public struct BadRow: Error, Sendable, Equatable, CustomStringConvertible {
    /// Where it stands.
    public let place: String
    /// What is wrong and what is allowed.
    public let reason: String

    /// From its parts.
    public init(place: String, reason: String) {
        self.place = place
        self.reason = reason
    }

    /// Both.
    public var description: String { "\(place): \(reason)" }
    /// `{"place":…,"reason":…}`, a line of a report.
    public var json: JSONValue {
        .object(["place": .string(place), "reason": .string(reason)])
    }
}

/// Where rows come from, one after another, in bounded memory.
public protocol ImportSource {
    /// Rows that there are, bad ones too.
    var count: Int { get }
    /// The folder in which `stored` may hold prints of the pictures; see `StoredPrints`.
    var folder: String { get }
    /// The next row, or why it is none; nil at the end.
    ///
    /// - Throws: What the file system refuses.
    mutating func next() throws -> Result<ImportRow, BadRow>?
}

extension ImportSource {
    /// A picture's path; a relative one begins at a folder.
    static func path(_ name: String, in folder: String) -> String {
        name.hasPrefix("/") ? name : folder + "/" + name
    }
}

/// Rows that are in memory already.
public struct ImportRows: ImportSource {
    private let rows: [ImportRow]
    private var index = 0
    /// No prints are stored beside them.
    public let folder = ""

    /// From rows.
    public init(_ rows: [ImportRow]) { self.rows = rows }

    /// Their number.
    public var count: Int { rows.count }

    /// The next of them; nil at the end.
    public mutating func next() -> Result<ImportRow, BadRow>? {
        guard index < rows.count else { return nil }
        defer { index += 1 }
        return .success(rows[index])
    }
}
