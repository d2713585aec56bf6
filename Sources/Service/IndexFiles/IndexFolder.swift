import Foundation
import Journal
import Locking
package import Matching
import Messages
import XXHash

/// The index files of a worker: segments of its catalogs' print collections, which a restart begins
/// with instead of making them again.
///
/// All of it can be made again from the replica, so that a file which is damaged, of another version
/// or not wanted any more is removed.
package final class IndexFolder: Sendable {
    private static let suffix = ".index"

    /// Where the files are.
    package let path: String
    private let log: Log
    private let next = Locked(0)

    /// The folder of a path, made if it does not exist.
    ///
    /// - Throws: `JournalError` as the system says.
    package init(path: String, log: Log) throws {
        try OwnerFolder.make(path)
        self.path = path
        self.log = log
        let last = names().compactMap { name in
            name.hasSuffix(Self.suffix)
                ? name.dropLast(Self.suffix.count).split(separator: "-").last.flatMap { Int($0) }
                : nil
        }.max()
        next.withLock { $0 = (last ?? -1) + 1 }
    }

    /// The segments of each catalog's files; those that cannot be used are removed.
    package func open() -> [(catalog: String, segments: [IndexFile])] {
        let names = names().filter { $0.hasSuffix(Self.suffix) }.sorted()
        let found = Locked([String: IndexFile]())
        DispatchQueue.concurrentPerform(iterations: names.count) { number in
            do throws(IndexFileFault) {
                let file = try IndexFile(checking: names[number], in: path)
                found.withLock { $0[names[number]] = file }
            } catch {
                log.warning(
                    "index file is made anew",
                    ["file": names[number], "error": error.description])
            }
        }
        let files = found.withLock { $0 }
        sweep(keeping: Set(files.keys))
        var catalogs: [(catalog: String, segments: [IndexFile])] = []
        for name in names {
            guard let file = files[name] else { continue }
            let catalog = Self.catalogPart(of: name)
            if catalogs.last?.catalog != catalog { catalogs.append((catalog, [])) }
            catalogs[catalogs.count - 1].segments.append(file)
        }
        return catalogs
    }

    /// What a catalog's files have in their names.
    package static func part(of catalog: String) -> String {
        Hex.encode(XXHash.of(Array(catalog.utf8)))
    }

    private static func catalogPart(of name: String) -> String {
        String(name.prefix { $0 != "-" })
    }

    /// What writes the next file of a catalog; nil if there are as many files as there may be.
    func writer(of catalog: String) -> IndexFileWriter? {
        guard names().count < Limits.indexFilesMax else {
            log.warning("index stays in memory", ["files": "\(Limits.indexFilesMax)"])
            return nil
        }
        let number = next.withLock { next in
            defer { next += 1 }
            return next
        }
        return IndexFileWriter(
            "\(Self.part(of: catalog))-\(number)\(Self.suffix)", in: path, log: log)
    }

    /// Removes all files but these; whoever uses one of them goes on.
    package func sweep(keeping kept: Set<String>) {
        for name in names() where !kept.contains(name) { unlink("\(path)/\(name)") }
    }

    private func names() -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }
}

/// Keeps the segments of one catalog in a worker's index files.
package struct CatalogIndexKeeper: SegmentKeeper {
    let folder: IndexFolder
    let catalog: String

    /// A keeper for the catalog of a name.
    package init(folder: IndexFolder, catalog: String) {
        self.folder = folder
        self.catalog = catalog
    }

    /// What takes the next segment; nil if there is no room.
    package func writer() -> (any SegmentWriter)? { folder.writer(of: catalog) }
}
