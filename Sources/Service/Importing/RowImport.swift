import Catalog
import Foundation
import Journal
import Matching
import Messages
import Raster
import Search

/// Imports one row.
struct RowImport: Sendable {
    let importer: Importer
    /// Where prints may be stored already; nil for nowhere.
    let stored: StoredPrints?

    private typealias Blobs = [(role: BlobReference.Role, bytes: [UInt8])]

    /// - Throws: What would make every further row fail, too.
    func outcome(of known: KnownRow) async throws -> RowOutcome {
        do {
            return try await put(known)
        } catch let failure as RequestFailure
            where failure.code == nil || failure.code == .journalUnavailable
        {
            throw failure
        } catch {
            return .bad(BadRow(place: known.row.place, reason: "\(error)"))
        }
    }

    private func put(_ known: KnownRow) async throws -> RowOutcome {
        let row = known.row
        let type = importer.type
        guard row.pictures.count <= Limits.picturesPerEntityMax else {
            throw JSONError(
                "has \(row.pictures.count) pictures; at most \(Limits.picturesPerEntityMax) are "
                    + "allowed")
        }
        var entity = EntityPut(
            entity: EntityName(type: type.name, id: row.id), properties: row.properties,
            labels: row.labels, pictures: [])
        // The type is checked here, before anything is read, computed or sent.
        _ = try Entity(parsing: entity.json, type: type)
        let files = try row.pictures.map { try read($0) }
        let revision = revision(of: row, files)
        guard revision != known.revision else { return .unchanged }
        guard !importer.options.isDryRun else {
            for file in files { try look(at: file) }
            return .put(nil, isNew: !known.isThere, hasContent: true)
        }
        entity.revision = revision
        var blobs: Blobs = []
        var hasContent = true
        for file in files {
            let made = try await picture(of: file)
            entity.pictures.append(made.picture)
            blobs += made.blobs
            hasContent = hasContent && made.hasContent
        }
        let position = try await importer.change(
            .entityPut, entity.json, "\(type.name)/\(row.id)", blobs: blobs)
        return .put(position, isNew: !known.isThere, hasContent: hasContent)
    }

    private func read(_ path: String) throws -> [UInt8] {
        guard let handle = FileHandle(forReadingAtPath: path),
            let data = try? handle.read(upToCount: Limits.pictureBytesMax + 1)
        else { throw JSONError("the picture '\(path)' cannot be read") }
        guard data.count <= Limits.pictureBytesMax else {
            throw JSONError("the picture '\(path)' has more than \(Limits.pictureBytesMax) bytes")
        }
        return Array(data)
    }

    /// Decodes a picture as a worker would.
    private func look(at file: [UInt8]) throws {
        _ = try Picture.decode(
            .encoded(file), maxSide: FeaturePrint.workingSide, limits: .sightline)
    }

    /// Changes with anything that would make the stored entity another one.
    private func revision(of row: ImportRow, _ files: [[UInt8]]) -> String {
        let parts: [JSONValue] = [
            .object(row.properties), .array(row.labels.map { .string($0) }),
            .array(files.map { .string("\(ContentHash.of($0))") }),
            .integer(importer.type.version),
        ]
        return "\(ContentHash.of(JSONValue.array(parts).canonical()))"
    }

    private func picture(
        of file: [UInt8]
    ) async throws -> (picture: EntityPut.Picture, blobs: Blobs, hasContent: Bool) {
        let hash = ContentHash.of(file)
        if let entry = stored?.entry(of: hash) { return try picture(of: file, hash, entry) }
        let request = PrintRequest(
            subject: .picture(hash), region: nil, source: true, thumbnail: true)
        let reply = try await importer.connection.request(
            .request(
                ServiceName.printMake, request.json, attachments: [file],
                budgetMilliseconds: importer.options.budgetMilliseconds))
        guard let item = reply.items.first, let version = item["printVersion"]?.text else {
            throw RequestFailure.unexpected
        }
        var blobs: Blobs = []
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

    /// The picture as the catalog had it that it was exported from.
    private func picture(
        of file: [UInt8], _ hash: ContentHash, _ entry: StoredPrints.Entry
    ) throws -> (picture: EntityPut.Picture, blobs: Blobs, hasContent: Bool) {
        var blobs: Blobs = [(.picture, file)]
        for (_, print) in entry.prints.sorted(by: { $0.key < $1.key }) {
            blobs.append((.print, print))
        }
        if let thumbnail = entry.thumbnail { blobs.append((.thumbnail, thumbnail)) }
        let picture = EntityPut.Picture(
            picture: hash, prints: entry.prints.mapValues { ContentHash.of($0) },
            thumbnail: entry.thumbnail.map { ContentHash.of($0) })
        let print = try entry.prints[FeaturePrint.version].map {
            try FeaturePrint(decoding: $0)
        }
        return (picture, blobs, print?.hasEnoughContent ?? false)
    }
}
