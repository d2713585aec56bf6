import Catalog
import Foundation
import Journal
import Matching
public import Messages

/// Brings rows into a catalog: prints are made by a worker, then the entity is put through the
/// journal. Rows that are there already, unchanged, are left alone.
public struct Importer: Sendable {
    private let connection: RouterConnection
    private let catalog: String
    private let type: EntityType
    private let inFlight: Int
    private let budgetMilliseconds: UInt32

    /// How an import went.
    public struct Summary: Sendable {
        /// Entities put.
        public var imported = 0
        /// Entities that were there already.
        public var unchanged = 0
        /// Entities whose pictures have too little content to be recognised.
        public var withoutContent = 0
        /// Rows that could not be imported.
        public var bad: [BadRow] = []
        /// The position of the last change; nil if there was none.
        public var position: Position?
    }

    /// Imports entities of a declared type into a catalog.
    public init(
        connection: RouterConnection, catalog: String, type: EntityTypeDocument,
        inFlight: Int = 4, budgetMilliseconds: UInt32 = 30_000
    ) {
        self.connection = connection
        self.catalog = catalog
        self.type = type.type
        self.inFlight = inFlight
        self.budgetMilliseconds = budgetMilliseconds
    }

    /// Declares the type, then imports the rows; `progress` hears how many are done.
    ///
    /// - Throws: `RequestFailure` if the type is refused or the server goes away; calling again
    ///   goes on where it stopped.
    public func run(
        _ rows: [ImportRow], progress: @Sendable (Int) -> Void = { _ in }
    ) async throws -> Summary {
        var summary = Summary()
        summary.position = try await connection.change(
            .change(
                .typeDeclare, type.json, source: "sightline import",
                id: "\(type.name)/\(ContentHash.of(type.json.canonical()))",
                partitionKey: type.name, budgetMilliseconds: budgetMilliseconds))
        var done = 0
        for start in stride(from: 0, to: rows.count, by: Self.batch) {
            let batch = Array(rows[start..<min(start + Self.batch, rows.count)])
            let (known, position) = try await revisions(of: batch, at: summary.position)
            summary.move(to: position)
            try await withThrowingTaskGroup(of: RowOutcome.self) { group in
                var waiting = batch[...]
                for _ in 0..<inFlight {
                    guard let row = waiting.popFirst() else { break }
                    group.addTask { try await put(row, known: known[row.id]) }
                }
                while let outcome = try await group.next() {
                    summary.add(outcome)
                    done += 1
                    progress(done)
                    if let row = waiting.popFirst() {
                        group.addTask { try await put(row, known: known[row.id]) }
                    }
                }
            }
        }
        return summary
    }

    private static let batch = 64

    enum RowOutcome: Sendable {
        case imported(Position, hasContent: Bool)
        case unchanged
        case bad(BadRow)
    }

    /// The revisions of those rows that the catalog has already, and where that was seen.
    private func revisions(
        of rows: [ImportRow], at position: Position?
    ) async throws -> (known: [String: String], position: Position?) {
        let names = rows.map { EntityName(type: type.name, id: $0.id) }
        var request = Message.request(
            ServiceName.entityGet, EntityGetRequest(entities: names).json, catalog: catalog,
            budgetMilliseconds: budgetMilliseconds)
        request.fields.set(.limit, integer: UInt32(Limits.resultsMax))
        request.fields.leastPosition = position
        var known: [String: String] = [:]
        let reply = try await connection.request(request)
        for item in reply.items {
            if let id = item["id"]?.text { known[id] = item["revision"]?.text }
        }
        return (known, reply.position)
    }

    private func put(_ row: ImportRow, known: String?) async throws -> RowOutcome {
        do {
            let files = try row.pictures.map { try read($0) }
            let revision = revision(of: row, files)
            guard revision != known else { return .unchanged }
            var entity = EntityPut(
                entity: EntityName(type: type.name, id: row.id), properties: row.properties,
                labels: row.labels, pictures: [])
            entity.revision = revision
            // The type is checked here, before anything is computed or sent.
            _ = try Entity(parsing: entity.json, type: type)
            var blobs: [(role: BlobReference.Role, bytes: [UInt8])] = []
            var hasContent = true
            for file in files {
                let made = try await makePrint(file)
                entity.pictures.append(made.picture)
                blobs += made.blobs
                hasContent = hasContent && made.hasContent
            }
            let position = try await connection.change(
                .change(
                    .entityPut, entity.json, source: "sightline import",
                    id: "\(catalog)/\(type.name)/\(row.id)/\(ContentHash.of(entity.bytes))",
                    partitionKey: "\(catalog)/\(type.name)/\(row.id)", catalog: catalog,
                    blobs: blobs, budgetMilliseconds: budgetMilliseconds))
            return .imported(position, hasContent: hasContent)
        } catch let failure as RequestFailure
            where failure.code == nil || failure.code == .journalUnavailable
        {
            // Whatever comes behind it would fail, too.
            throw failure
        } catch {
            return .bad(BadRow(place: row.place, reason: "\(error)"))
        }
    }

    private func read(_ path: String) throws -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw JSONError("the picture '\(path)' cannot be read")
        }
        guard data.count <= Limits.pictureBytesMax else {
            throw JSONError("the picture '\(path)' has more than \(Limits.pictureBytesMax) bytes")
        }
        return Array(data)
    }

    /// Changes with anything that would make the stored entity another one.
    private func revision(of row: ImportRow, _ files: [[UInt8]]) -> String {
        let parts: [JSONValue] = [
            .object(row.properties), .array(row.labels.map { .string($0) }),
            .array(files.map { .string("\(ContentHash.of($0))") }),
            .string(FeaturePrint.version), .integer(type.version),
        ]
        return "\(ContentHash.of(JSONValue.array(parts).canonical()))"
    }

    private func makePrint(
        _ file: [UInt8]
    ) async throws -> (
        picture: EntityPut.Picture, blobs: [(role: BlobReference.Role, bytes: [UInt8])],
        hasContent: Bool
    ) {
        let request = PrintRequest(
            subject: .picture(ContentHash.of(file)), region: nil, source: true, thumbnail: true)
        let reply = try await connection.request(
            .request(
                ServiceName.printMake, request.json, attachments: [file],
                budgetMilliseconds: budgetMilliseconds))
        guard let item = reply.items.first, let version = item["printVersion"]?.text else {
            throw RequestFailure.unexpected
        }
        var blobs: [(role: BlobReference.Role, bytes: [UInt8])] = []
        func take(_ name: String, _ role: BlobReference.Role) throws -> ContentHash {
            guard let text = item[name]?.text, let hash = ContentHash(hex: text),
                let bytes = reply.attachment(hash)
            else { throw RequestFailure.unexpected }
            blobs.append((role, bytes))
            return hash
        }
        let picture = EntityPut.Picture(
            picture: try take("picture", .picture), prints: [version: try take("print", .print)],
            thumbnail: try take("thumbnail", .thumbnail))
        return (picture, blobs, item["enough"]?.bool ?? false)
    }
}

extension Importer.Summary {
    mutating func add(_ outcome: Importer.RowOutcome) {
        switch outcome {
        case .imported(let at, let hasContent):
            imported += 1
            if !hasContent { withoutContent += 1 }
            move(to: at)
        case .unchanged: unchanged += 1
        case .bad(let row): bad.append(row)
        }
    }

    mutating func move(to place: Position?) {
        guard let place, place.sequence > position?.sequence ?? 0 else { return }
        position = place
    }
}
