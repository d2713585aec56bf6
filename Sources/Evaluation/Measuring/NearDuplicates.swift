import Matching

/// Which entries show the same as others, so that a view of one is no stranger to them.
package struct NearDuplicates: Sendable {
    /// By entry: those that its undistorted picture matches.
    private let neighbors: [Int: [Int]]

    /// Compares all entries with files with one another; nothing generated is looked at.
    static func find(
        in catalog: EvaluationCatalog, cut: Int, cores: Int,
        progress: @escaping @Sendable (Int, Int) -> Void
    ) async throws -> NearDuplicates {
        var files = PrintCollection()
        for (number, print) in catalog.filePrints.enumerated() {
            guard let print else { continue }
            files.put([print], for: number, order: UInt64(number))
        }
        let prints = catalog.filePrints
        let collection = files
        let found = try await Parallel.map(
            prints.count, cores: cores, progress: { progress($0, prints.count) },
            { number -> [Int] in
                guard let print = prints[number] else { return [] }
                return collection.search(print, maxDistance: cut).matches
                    .filter { $0.outline != nil && $0.entry != number }.map(\.entry)
            })
        return NearDuplicates(neighbors: found)
    }

    /// From the neighbours of each entry, by number.
    package init(neighbors found: [[Int]]) {
        neighbors = Dictionary(uniqueKeysWithValues: found.enumerated().map { ($0, $1) })
    }

    /// The entries that an entry's undistorted picture matches.
    package func direct(of entry: Int) -> [Int] { neighbors[entry] ?? [] }

    /// An entry, its near-duplicates and theirs.
    package func group(of entry: Int) -> Set<Int> {
        let first = neighbors[entry] ?? []
        return Set([entry] + first + first.flatMap { neighbors[$0] ?? [] })
    }
}
