import Foundation

/// What is searched for, and where.
struct MatchSet {
    /// Paths of the catalog's pictures.
    let catalog: [String]
    /// Pictures to search with, and the places in `catalog` of those that they show.
    let queries: [(path: String, targets: Set<Int>)]

    /// The sets of a folder with `catalog.tsv` and `pairs.tsv` as `sightline evaluate` reads them;
    /// without these, every picture of the folder, and some of them as queries.
    init(folder: String, queries count: Int) throws {
        guard let rows = Self.rows("\(folder)/catalog.tsv"),
            let pairs = Self.rows("\(folder)/pairs.tsv")
        else {
            let all = try WorkingPictures.paths(below: folder)
            catalog = all
            queries = Self.some(count, of: Array(all.enumerated())).map { ($1, [$0]) }
            return
        }
        let isRead = { (path: String) in
            path.lowercased().hasSuffix(".jpg") && (try? WorkingPictures.picture(path)) != nil
        }
        let paths = Set(rows.map { "\(folder)/\($0[1])" }).sorted().filter(isRead)
        let places = Dictionary(uniqueKeysWithValues: paths.enumerated().map { ($1, $0) })
        var targets: [String: Set<Int>] = [:]
        for pair in pairs where pair[1].lowercased().hasSuffix(".jpg") {
            guard let place = places["\(folder)/\(pair[2])"] else { continue }
            targets["\(folder)/\(pair[1])", default: []].insert(place)
        }
        catalog = paths
        queries = Self.some(count, of: targets.sorted { $0.key < $1.key }).filter {
            isRead($0.key)
        }.map { ($0.key, $0.value) }
    }

    /// So many elements, evenly from the whole.
    private static func some<Element>(_ count: Int, of all: [Element]) -> [Element] {
        (0..<min(count, all.count)).map { all[$0 * all.count / min(count, all.count)] }
    }

    private static func rows(_ path: String) -> [[String]]? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).dropFirst()
            .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
            .filter { $0.count >= 2 }
    }
}
