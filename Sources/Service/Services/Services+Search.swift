import Catalog
import Journal
import Locking
import Matching
import Messages
import Queue
import Raster
import Search

extension Services {
    /// `image.search`: match, join related entities, union.
    func search(_ call: ServiceCall) throws -> JobOutput {
        let request = try SearchRequest(parsing: call.body)
        guard call.content.comparesPrints else {
            // The deployment has just gone over to another version: another worker answers.
            throw ServiceFailure(
                .handedBack, "the deployment compares '\(call.content.printVersion ?? "")'")
        }
        if call.request.fields.text(.account) != nil { try requireZoneData(call.content) }
        var watch = StageWatch()
        let query = try query(request, call, &watch)
        let catalog = call.catalog
        var matches: [UnionMatch] = []
        var known: [UnionMatch] = []
        let union = unionRequest(request, call)
        var stopped: CheckedCandidates?
        if let query {
            let (stop, begin) = (call.stop, call.stop.begin)
            let end = searchMargin.withLock { $0.end(from: begin, to: stop.deadline) }
            var search = CatalogSearch(
                query: query, catalog: catalog, maxDistance: request.maxDistance,
                types: wantedTypes(request), shouldStop: { stop.isStopped(at: end) })
            matches = try search.matches(in: settings.slots)
            known = try search.matches(
                relatedTo: matches, outside: settings.slots, union, call.content.types)
            stopped = search.stopped
        }
        watch.end("match")
        let compared = SystemClock.monotonic()
        let items = Union.items(
            matches: matches, known: known, request: union, content: catalog.content,
            types: call.content.types, calendarHas: CalendarLookup(call).has)
        var output = call.output(items, attachments: try thumbnails(of: items))
        output.printVersion = FeaturePrint.version
        output.checked = stopped
        watch.end("union")
        let took = SystemClock.monotonic().nanoseconds - compared.nanoseconds
        searchMargin.withLock { $0.note(took) }
        output.stages = watch.text
        return output
    }

    /// The request's picture, or the print that the client made.
    private func query(
        _ request: SearchRequest, _ call: ServiceCall, _ watch: inout StageWatch
    ) throws -> PictureQuery? {
        if let value = call.request.fields[.preparedQuery], let hash = ContentHash(bytes: value) {
            return try PictureQuery(decoding: call.attachment(hash))
        }
        let named: Messages.PictureSource
        switch request.subject {
        case .none: return nil
        case .picture(let hash): named = .picture(hash)
        case .pixels(let pixels): named = .pixels(pixels)
        case .print(let hash):
            let version = call.request.fields.text(.printVersion)
            guard version == FeaturePrint.version else {
                throw ServiceFailure(
                    .printVersion,
                    "the print is of version '\(version ?? "")'; this worker compares "
                        + "'\(FeaturePrint.version)'")
            }
            return PictureQuery(try FeaturePrint(decoding: call.attachment(hash)))
        }
        return try PictureQuery(
            of: call.pictureSource(named), region: request.region.map(PixelRegion.init),
            shouldStop: { call.stop.isStopped }, didEnd: { watch.end($0) })
    }

    /// `search.prepare`: what the parts of a split search search with.
    func prepareSearch(_ call: ServiceCall) throws -> JobOutput {
        let request = try SearchRequest(parsing: call.body)
        var watch = StageWatch()
        var output = call.output([])
        if let query = try query(request, call, &watch) {
            let bytes = query.encoded()
            output.attachments = [(ContentHash.of(bytes), bytes)]
        }
        output.stages = watch.text
        return output
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
            near: request.near.flatMap { GeoPoint(latitude: $0.latitude, longitude: $0.longitude) },
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
