import Catalog
import Foundation
import Journal
import Messages
import Sodium

/// Brings rows into a catalog: prints are made by a worker, then the entity is put through the
/// journal. Rows that are there already, unchanged, are left alone, so that an import which was
/// stopped goes on where it was if it is run again.
public struct Importer: Sendable {
    /// How rows are imported.
    public struct Options: Sendable {
        /// Rows under way at a time.
        public var inFlight = 4
        /// Milliseconds that each request and change may take.
        public var budgetMilliseconds: UInt32 = 30_000
        /// Nothing is changed; what would be is told.
        public var isDryRun = false
        /// Entities of the type that are in the catalog and no longer among the rows are removed,
        /// unless a row was refused or the import was stopped.
        public var prunes = false

        /// The defaults.
        public init() {}
    }

    let connection: RouterConnection
    let catalog: String
    let type: EntityType
    let options: Options
    /// Each run's changes are its own: an entity may go back to what it was before.
    private let runID = Hex.encode(SecureRandom.bytes(8))

    /// Imports entities of a declared type into a catalog.
    public init(
        connection: RouterConnection, catalog: String, type: EntityTypeDocument,
        options: Options = Options()
    ) {
        self.connection = connection
        self.catalog = catalog
        self.type = type.type
        self.options = options
    }

    /// Declares the type, then imports the rows; `progress` hears how many are done, `refused` of
    /// each row that could not be imported.
    ///
    /// - Parameter shouldStop: Asked before each row; those under way are ended.
    /// - Throws: `TypeMisfit` if entities that there are do not fit the type; `RequestFailure` if
    ///   the type is refused or the server goes away.
    public func run(
        _ source: some ImportSource, shouldStop: @Sendable () -> Bool = { false },
        progress: @Sendable (Int) -> Void = { _ in },
        refused: @Sendable (BadRow) -> Void = { _ in }
    ) async throws -> ImportSummary {
        var summary = ImportSummary()
        var source = source
        summary.position = try await declare()
        let work = RowImport(
            importer: self, stored: source.folder.isEmpty ? nil : StoredPrints(in: source.folder))
        var ids = SeenIDs()
        try await withThrowingTaskGroup(of: RowOutcome.self) { group in
            var underWay = 0
            var waiting: [KnownRow] = []
            while true {
                summary.isStopped = summary.isStopped || shouldStop()
                if waiting.isEmpty, !summary.isStopped {
                    let batch = try batch(&source, &ids, &summary, refused)
                    waiting = try await known(batch, at: &summary)
                }
                if !summary.isStopped, underWay < options.inFlight, let row = waiting.popLast() {
                    underWay += 1
                    group.addTask { try await work.outcome(of: row) }
                    continue
                }
                guard underWay > 0, let outcome = try await group.next() else { break }
                underWay -= 1
                if let bad = summary.add(outcome) { refused(bad) }
                progress(summary.done)
            }
        }
        if options.prunes { try await prune(keeping: ids, &summary) }
        return summary
    }

    /// A change of an entity in this run; sent again it is the same.
    func change(
        _ kind: RecordKind, _ body: JSONValue, _ name: String,
        blobs: [(role: BlobReference.Role, bytes: [UInt8])] = []
    ) async throws -> Position {
        try await connection.change(
            .change(
                kind, body, source: "sightline import",
                id: "\(runID)/\(ContentHash.of(Array("\(catalog)/\(name)".utf8)))",
                partitionKey: "\(catalog)/\(name)", catalog: catalog, blobs: blobs,
                budgetMilliseconds: options.budgetMilliseconds))
    }

    private func declare() async throws -> Position? {
        var request = Message.request(
            ServiceName.typeCheck, TypeCheckRequest(declaration: type.json).json,
            budgetMilliseconds: options.budgetMilliseconds)
        request.fields.set(.limit, integer: UInt32(TypeMisfit.shownMax + 1))
        let reply = try await connection.request(request)
        guard reply.items.isEmpty else { throw TypeMisfit(type: type, items: reply.items) }
        guard !options.isDryRun else { return reply.position }
        // Declared again it is the same change: a type never goes back to a lower version.
        return try await connection.change(
            .change(
                .typeDeclare, type.json, source: "sightline import",
                id: "\(type.name)/\(ContentHash.of(type.json.canonical()))",
                partitionKey: type.name, budgetMilliseconds: options.budgetMilliseconds))
    }

    private static let batchMax = 64

    /// The next rows; bad ones and repeated ones are told.
    private func batch(
        _ source: inout some ImportSource, _ ids: inout SeenIDs, _ summary: inout ImportSummary,
        _ refused: (BadRow) -> Void
    ) throws -> [ImportRow] {
        var rows: [ImportRow] = []
        while rows.count < Self.batchMax, let next = try source.next() {
            let bad: BadRow?
            switch next {
            case .success(let row):
                bad = ids.add(row)
                if bad == nil { rows.append(row) }
            case .failure(let fault): bad = fault
            }
            if let bad, let shown = summary.add(.bad(bad)) { refused(shown) }
        }
        return rows
    }

    /// The rows with the revisions that the catalog has of them, the last first.
    private func known(
        _ rows: [ImportRow], at summary: inout ImportSummary
    ) async throws -> [KnownRow] {
        guard !rows.isEmpty else { return [] }
        let names = rows.map { EntityName(type: type.name, id: $0.id) }
        var request = Message.request(
            ServiceName.entityGet, EntityGetRequest(entities: names).json, catalog: catalog,
            budgetMilliseconds: options.budgetMilliseconds)
        request.fields.set(.limit, integer: UInt32(Limits.resultsMax))
        request.fields.leastPosition = summary.position
        let reply = try await connection.request(request)
        summary.move(to: reply.position)
        var known: [String: JSONValue] = [:]
        for item in reply.items {
            if let id = item["id"]?.text, item["unknown"]?.bool != true { known[id] = item }
        }
        return rows.reversed().map { row in
            KnownRow(
                row: row, isThere: known[row.id] != nil, revision: known[row.id]?["revision"]?.text)
        }
    }
}

/// A row, and what the catalog has of it.
struct KnownRow: Sendable {
    let row: ImportRow
    let isThere: Bool
    /// Nil if it is not there, or has none.
    let revision: String?
}

/// How one row ended.
enum RowOutcome: Sendable {
    case put(Position?, isNew: Bool, hasContent: Bool)
    case unchanged
    case bad(BadRow)
}

/// A type that cannot be declared, since entities that there are do not fit it.
public struct TypeMisfit: Error, CustomStringConvertible {
    /// So many are named.
    static let shownMax = 20

    let type: EntityType
    let items: [JSONValue]

    /// The entities and their properties.
    public var description: String {
        let lines = items.prefix(Self.shownMax).map { item in
            "  \(item["type"]?.text ?? "") '\(item["id"]?.text ?? "")' in catalog "
                + "'\(item["catalog"]?.text ?? "")': \(item["reason"]?.text ?? "")"
        }
        let more = items.count > Self.shownMax ? ["  … and more"] : []
        return
            (["\(type.name) \(type.version) does not fit entities that there are:"] + lines
            + more).joined(separator: "\n")
    }
}
