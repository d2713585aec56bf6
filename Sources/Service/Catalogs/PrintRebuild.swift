import Catalog
import Foundation
import Journal
import Matching
public import Messages
import Raster
import Search
import Sodium

/// Makes prints of the version that this program compares, beside those that there are, from the
/// source copies that the journal keeps; then lets the deployment compare them, from one position
/// on. Searches go on meanwhile. Stopped, it goes on where it was when it is run again.
public struct PrintRebuild: Sendable {
    /// What is done.
    public struct Options: Sendable {
        /// Pictures under way at a time.
        public var inFlight = 2
        /// Milliseconds that a change may take.
        public var budgetMilliseconds: UInt32 = 30_000
        /// The deployment goes over to the version once all pictures have a print of it.
        public var switches = true
        /// Prints of other versions are dropped once the deployment compares this one.
        public var dropsOthers = false
        /// Prints of the version are made anew even where there are some.
        public var remakesAll = false

        /// The defaults.
        public init() {}
    }

    /// How it went.
    public struct Summary: Sendable, Equatable {
        /// The version that was made.
        public let version = FeaturePrint.version
        /// Pictures that got a print.
        public internal(set) var made = 0
        /// Pictures that have no print of the version, because their source copy is not there or
        /// cannot be read.
        public internal(set) var without = 0
        /// Entities whose other prints were dropped.
        public internal(set) var dropped = 0
        /// Where the deployment went over to the version; nil if it did before, or does not yet.
        public internal(set) var switched: Position?
        /// It was stopped before all was made.
        public internal(set) var isStopped = false
    }

    /// Pictures may be put while others are made; so often is looked again.
    private static let passesMax = 8

    private let data: String
    private let connection: RouterConnection
    private let options: Options
    private let runID = Hex.encode(SecureRandom.bytes(8))

    /// For the journal of a data folder, with a connection for what changes.
    public init(data: String, connection: RouterConnection, options: Options = Options()) {
        self.data = data
        self.connection = connection
        self.options = options
    }

    /// Makes what is missing in all catalogs; `progress` hears how many pictures of how many are
    /// done.
    ///
    /// - Throws: `ConfigurationError` if the folder holds no journal; `RequestFailure` if the
    ///   server goes away.
    public func run(
        shouldStop: @Sendable () -> Bool = { false },
        progress: @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws -> Summary {
        var summary = Summary()
        var stored = try StoredCatalogs(data: data)
        try await stateComparedVersion(stored)
        var isFirst = true
        for _ in 0..<Self.passesMax {
            let work = try Self.work(in: stored, remakesAll: options.remakesAll && isFirst)
            isFirst = false
            summary.without = 0
            let before = summary.made
            try await make(work, stored, &summary, shouldStop, progress)
            guard !summary.isStopped else { return summary }
            if summary.made == before {
                guard options.switches, stored.content.printVersion != nil,
                    !stored.content.comparesPrints
                else { break }
                summary.switched = try await use(FeaturePrint.version)
            }
            stored = try StoredCatalogs(data: data)
        }
        if options.dropsOthers, stored.content.comparesPrints {
            try await dropOthers(stored, &summary)
        }
        return summary
    }

    // MARK: The compared version

    /// Before anything is made: states what the workers compare, so that those of the new version
    /// wait for the switch.
    private func stateComparedVersion(_ stored: StoredCatalogs) async throws {
        guard stored.content.printVersion == nil else { return }
        let reply = try await connection.request(
            .request(
                ServiceName.status, StatusRequest().json,
                budgetMilliseconds: options.budgetMilliseconds))
        let compared = Set(reply.items.compactMap { $0["printVersion"]?.text })
        guard let other = compared.subtracting([FeaturePrint.version]).min() else { return }
        try await use(other)
    }

    @discardableResult
    private func use(_ version: String) async throws -> Position {
        try await connection.change(
            .change(
                .printUse, PrintUse(version: version).json, source: "sightline catalog rebuild",
                id: "\(runID)/\(version)", partitionKey: "print.use",
                budgetMilliseconds: options.budgetMilliseconds))
    }

    // MARK: Prints

    /// An entity with pictures that need a print.
    private struct Work: Sendable {
        let catalog: String
        let key: EntityKey
        let pictures: [ContentHash]
        /// Pictures without a source copy.
        let without: Int
    }

    private static func work(in stored: StoredCatalogs, remakesAll: Bool) throws -> [Work] {
        var work: [Work] = []
        for name in stored.names {
            let catalog = try stored.catalog(name)
            var after: EntityKey?
            while let page = catalog.page(after: after) {
                for entity in page {
                    let wanted = entity.pictures.filter {
                        remakesAll || $0.prints[FeaturePrint.version] == nil
                    }
                    guard !wanted.isEmpty else { continue }
                    let sources = Set(wanted.compactMap(\.picture)).sorted()
                    work.append(
                        Work(
                            catalog: name, key: entity.key, pictures: sources,
                            without: wanted.count { $0.picture == nil }))
                }
                after = page.last?.key
            }
        }
        return work
    }

    private func make(
        _ work: [Work], _ stored: StoredCatalogs, _ summary: inout Summary,
        _ shouldStop: @Sendable () -> Bool, _ progress: @Sendable (Int, Int) -> Void
    ) async throws {
        let total = work.reduce(0) { $0 + $1.pictures.count + $1.without }
        var done = 0
        try await withThrowingTaskGroup(of: (made: Int, without: Int).self) { group in
            var waiting = work[...]
            var underWay = 0
            while true {
                summary.isStopped = summary.isStopped || shouldStop()
                if !summary.isStopped, underWay < options.inFlight, let next = waiting.popFirst() {
                    underWay += 1
                    group.addTask { try await make(next, stored) }
                    continue
                }
                guard underWay > 0, let outcome = try await group.next() else { break }
                underWay -= 1
                summary.made += outcome.made
                summary.without += outcome.without
                done += outcome.made + outcome.without
                progress(done, total)
            }
        }
    }

    /// Makes the prints of one entity and publishes them.
    private func make(
        _ work: Work, _ stored: StoredCatalogs
    ) async throws -> (made: Int, without: Int) {
        var pictures: [PrintPut.Picture] = []
        var blobs: [(role: BlobReference.Role, bytes: [UInt8])] = []
        for hash in work.pictures {
            guard let print = try Self.print(of: hash, stored) else { continue }
            blobs.append((.print, print))
            pictures.append(
                PrintPut.Picture(
                    picture: hash, prints: [FeaturePrint.version: ContentHash.of(print)]))
        }
        if !pictures.isEmpty {
            try await put(work.catalog, work.key, pictures, blobs: blobs)
        }
        return (pictures.count, work.without + work.pictures.count - pictures.count)
    }

    /// The print of a source copy as a worker makes it; nil if the copy is not there or cannot be
    /// read.
    private static func print(of hash: ContentHash, _ stored: StoredCatalogs) throws -> [UInt8]? {
        guard let bytes = try stored.blob(hash),
            let working = try? Picture.decode(
                .encoded(bytes), maxSide: FeaturePrint.workingSide, limits: .sightline)
        else { return nil }
        return try FeaturePrint(of: working.grayImage).encoded()
    }

    private func put(
        _ catalog: String, _ key: EntityKey, _ pictures: [PrintPut.Picture],
        blobs: [(role: BlobReference.Role, bytes: [UInt8])] = [], drop: [String] = []
    ) async throws {
        let body = PrintPut(
            entity: EntityName(type: key.type, id: key.id), pictures: pictures, drop: drop)
        let content = ContentHash.of(Array("\(catalog)/\(key)".utf8) + body.json.canonical())
        try await connection.change(
            .change(
                .printPut, body.json, source: "sightline catalog rebuild",
                id: "\(runID)/\(content)", partitionKey: "\(catalog)/\(key)", catalog: catalog,
                blobs: blobs, budgetMilliseconds: options.budgetMilliseconds))
    }

    private func dropOthers(_ stored: StoredCatalogs, _ summary: inout Summary) async throws {
        for name in stored.names {
            let catalog = try stored.catalog(name)
            var after: EntityKey?
            while let page = catalog.page(after: after) {
                for entity in page {
                    let others = Set(entity.pictures.flatMap(\.prints.keys))
                        .subtracting([FeaturePrint.version]).sorted()
                    guard !others.isEmpty else { continue }
                    try await put(name, entity.key, [], drop: others)
                    summary.dropped += 1
                }
                after = page.last?.key
            }
        }
    }
}
