import Foundation
import Matching
import Service

/// One collection that grows, and what a search costs at each size.
final class MatchGrowth {
    private(set) var collection: PrintCollection
    private let set: MatchSet
    private let fill: CatalogFill
    private let folder: String
    private static let log = Log(threshold: .error)
    private static let catalog = "main"

    /// A collection of the set's pictures, its large segments in files.
    ///
    /// - Parameter folder: Where the files are; removed when the benchmark ends.
    init(set: MatchSet, prints: [FeaturePrint], folder: String) throws {
        self.set = set
        fill = CatalogFill(prints)
        self.folder = folder
        collection = PrintCollection(
            keeper: CatalogIndexKeeper(
                folder: try IndexFolder(path: folder, log: Self.log), catalog: Self.catalog))
        for (number, print) in prints.enumerated() {
            collection.put(
                [print], names: [IndexStart.printName(number)], for: number, order: UInt64(number))
        }
    }

    /// Fills the collection up.
    ///
    /// - Returns: Processor milliseconds of each put.
    @discardableResult
    func grow(to size: Int) throws -> Double {
        var total = 0.0
        let added = max(1, size - collection.count)
        for number in collection.count..<max(size, collection.count) {
            let print = fill.print(number)
            let start = ProcessorTime.ofSelf()
            collection.put(
                [print], names: [IndexStart.printName(number)], for: number, order: UInt64(number))
            total += ProcessorTime.ofSelf() - start
        }
        let kept = collection.keptSegments.compactMap { ($0 as? IndexFile)?.name }
        try IndexFolder(path: folder, log: Self.log).sweep(keeping: Set(kept))
        return total * 1_000 / Double(added)
    }

    /// The table from a thousand entries on, ten times as many in each row.
    ///
    /// - Parameter body: What else is to be done at each size.
    func measure(
        upTo entries: Int, body: (PrintCollection) throws -> Void = { _ in }
    ) throws {
        var table = MarkdownTable(
            "entries", "put ms", "search CPU ms p50", "p99", "shortlist ms", "found", "checked",
            "resident B each", "index files B each", "ready ms", "first search ms", "later")
        var size = 1_000
        while size <= entries {
            if collection.count < size * 10 {
                try addRow(max(size, collection.count), to: &table)
                try body(collection)
            }
            size *= 10
        }
        print(table.text + "\n")
    }

    private func addRow(_ size: Int, to table: inout MarkdownTable) throws {
        let put = try grow(to: size)
        let queries = try set.queries.map {
            try FeaturePrint(of: WorkingPictures.picture($0.path))
        }
        var (times, shortlists, found, checked) = ([Double](), [Double](), 0, 0)
        for (query, print) in zip(set.queries, queries) {
            var start = ProcessorTime.ofSelf()
            let outcome = collection.search(print, maxDistance: 1_000_000)
            times.append((ProcessorTime.ofSelf() - start) * 1_000)
            start = ProcessorTime.ofSelf()
            _ = collection.shortlist(for: print)
            shortlists.append((ProcessorTime.ofSelf() - start) * 1_000)
            checked = max(checked, outcome.checked)
            found += outcome.matches.first.map { query.targets.contains($0.entry) } == true ? 1 : 0
        }
        let started = try IndexStart.report(
            index: folder, entries: collection.count, query: set.queries[0].path)
        let held = Double(started.anonymousBytes + started.mappedBytes)
        // A small collection has no files yet.
        let hasFiles = started.entries > 0
        let each = { (bytes: Double) in
            hasFiles ? Figure.of(bytes / Double(started.entries), digits: 0) : "–"
        }
        let time = { (milliseconds: Double) in hasFiles ? Figure.of(milliseconds) : "–" }
        table.add(
            Figure.of(Double(collection.count), digits: 0), Figure.of(put, digits: 2),
            Figure.of(Measures.median(times)), Figure.of(Measures.percentile(0.99, of: times)),
            Figure.of(Measures.median(shortlists)), "\(found) of \(queries.count)", "\(checked)",
            each(held), each(Double(fileBytes)), time(started.milliseconds),
            time(started.firstSearch), time(started.laterSearch))
    }

    private var fileBytes: Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.reduce(0) { total, name in
            let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
            return total + (attributes?[.size] as? Int ?? 0)
        }
    }
}
