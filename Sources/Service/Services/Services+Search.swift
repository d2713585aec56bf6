import Catalog
import Matching
import Messages
import Queue

extension Services {
    /// `image.search`: match, join related entities, union.
    func search(_ call: ServiceCall) throws -> JobOutput {
        let request = try SearchRequest(parsing: call.body)
        let print = try queryPrint(request, call)
        let catalog = call.catalog
        let types = wantedTypes(request)
        var matches: [UnionMatch] = []
        if let print {
            let found = catalog.prints.search(
                print, maxDistance: request.maxDistance,
                accepts: { entry in
                    guard let types else { return true }
                    return catalog.content.entity(entry: entry).map {
                        types.contains($0.key.type)
                    } ?? false
                },
                shouldStop: { call.stop.isStopped })
            guard found.isComplete else {
                throw ServiceFailure(
                    .deadlineExceeded, "stopped after \(found.checked) comparisons")
            }
            matches = found.matches.compactMap { UnionMatch($0, in: catalog.content) }
        }
        let items = Union.items(
            matches: matches, request: unionRequest(request, call), content: catalog.content,
            types: call.content.types, calendarHas: CalendarLookup(call).has)
        var output = call.output(items, attachments: try thumbnails(of: items))
        output.printVersion = FeaturePrint.version
        return output
    }

    /// The print of the request's picture, or the one that the client made.
    private func queryPrint(
        _ request: SearchRequest, _ call: ServiceCall
    ) throws -> FeaturePrint? {
        if case .print(let hash) = request.subject {
            let version = call.request.fields.text(.printVersion)
            guard version == FeaturePrint.version else {
                throw ServiceFailure(
                    .printVersion,
                    "the print is of version '\(version ?? "")'; this worker compares "
                        + "'\(FeaturePrint.version)'")
            }
            return try FeaturePrint(decoding: call.attachment(hash))
        }
        guard let source = try call.pictureSource(request.subject) else { return nil }
        let picture = try call.decode(
            source, region: request.region, maxSide: FeaturePrint.workingSide)
        return try call.featurePrint(of: picture)
    }

    /// The types that the request and this worker's part leave; nil for all.
    private func wantedTypes(_ request: SearchRequest) -> Set<String>? {
        switch (request.types, settings.types) {
        case (nil, nil): nil
        case (let wanted?, nil): Set(wanted)
        case (nil, let mine?): Set(mine)
        case (let wanted?, let mine?): Set(wanted).intersection(mine)
        }
    }

    private func unionRequest(_ request: SearchRequest, _ call: ServiceCall) -> UnionRequest {
        UnionRequest(
            asOf: call.asOf,
            near: request.near.map { GeoPoint(latitude: $0.latitude, longitude: $0.longitude) },
            locale: request.locale, types: request.types, labels: request.labels,
            wantsThumbnails: request.thumbnails, limit: call.limit)
    }

    /// The thumbnails that the items name.
    private func thumbnails(of items: [MergeItem]) throws -> [(ContentHash, [UInt8])] {
        var found: [(ContentHash, [UInt8])] = []
        var seen: Set<ContentHash> = []
        for hash in items.flatMap(\.attachments) where seen.insert(hash).inserted {
            guard let bytes = try store.blob(hash) else {
                throw ServiceFailure(.internalFault, "thumbnail \(hash) is not here")
            }
            found.append((hash, bytes))
        }
        return found
    }
}
