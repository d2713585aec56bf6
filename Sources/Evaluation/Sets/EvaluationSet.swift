import Foundation

/// One named set of queries with known answers.
public struct EvaluationSet: Sendable {
    /// Its name, as in the files.
    public let name: String
    /// Pictures to index.
    public var catalog: [String] = []
    /// Queries in the order of the file, each with the catalog pictures that it shows.
    public var queries: [(picture: String, targets: [String])] = []
    /// Queries that must find nothing.
    public var negatives: [String] = []

    /// In such a set each target of a query is another object to be found; elsewhere they are
    /// alternatives.
    public var wantsAll: Bool { name.hasSuffix("-full") }

    /// The objects that a query's targets are: all of them one, or one each.
    public func objects(of targets: [String]) -> [[String]] {
        wantsAll ? targets.map { [$0] } : [targets]
    }

    /// A set without pictures.
    public init(name: String) { self.name = name }

    /// One set, called `pictures`, whose catalog is a folder.
    ///
    /// - Throws: `EvaluationError` if there is no such folder.
    public init(picturesOf folder: String) throws(EvaluationError) {
        self.init(name: "pictures")
        catalog = try PictureFolder.files(of: folder)
    }

    /// Reads sets from tab-separated files with a header line: set and picture; set, query and
    /// target; set and query.
    ///
    /// - Throws: `EvaluationError` for a file that cannot be read or a set that is not there.
    public static func read(
        catalog: String, pairs: String, negatives: String?, named wanted: [String]
    ) throws -> [EvaluationSet] {
        var sets: [String: EvaluationSet] = [:]
        var order: [String] = []
        for row in try rows(of: catalog, columns: 2) {
            sets[row[0], default: EvaluationSet(name: row[0])].catalog.append(row[1])
            if !order.contains(row[0]) { order.append(row[0]) }
        }
        for row in try rows(of: pairs, columns: 3) { sets[row[0]]?.add(row[1], target: row[2]) }
        for row in try negatives.map({ try rows(of: $0, columns: 2) }) ?? [] {
            sets[row[0]]?.negatives.append(row[1])
        }
        if let unknown = wanted.first(where: { sets[$0] == nil }) {
            throw EvaluationError(
                "no set '\(unknown)' in '\(catalog)'; it has \(order.joined(separator: ", "))")
        }
        return (wanted.isEmpty ? order : wanted).compactMap { sets[$0] }
    }

    private mutating func add(_ query: String, target: String) {
        if let index = queries.firstIndex(where: { $0.picture == query }) {
            queries[index].targets.append(target)
        } else {
            queries.append((query, [target]))
        }
    }

    private static func rows(of path: String, columns: Int) throws -> [[String]] {
        guard let data = FileManager.default.contents(atPath: path),
            let text = String(data: data, encoding: .utf8)
        else { throw EvaluationError("cannot read '\(path)'") }
        let lines = text.split(whereSeparator: \.isNewline).dropFirst()
        return try lines.enumerated().map { index, line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard cells.count >= columns else {
                throw EvaluationError(
                    "'\(path)' line \(index + 2) has fewer than \(columns) columns")
            }
            return cells.map(String.init)
        }
    }
}
