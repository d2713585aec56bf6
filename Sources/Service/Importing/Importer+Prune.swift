import Catalog
import Messages

extension Importer {
    /// Removes the entities of the type that no row has any more.
    ///
    /// Nothing is removed if a row was refused, since that may be the entity's, nor if the import
    /// was stopped or had no row at all.
    func prune(keeping seen: SeenIDs, _ summary: inout ImportSummary) async throws {
        if summary.isStopped {
            summary.whyNotPruned = "the import was stopped"
        } else if summary.refused > 0 {
            summary.whyNotPruned =
                summary.refused == 1 ? "a row was refused" : "\(summary.refused) rows were refused"
        } else if seen.count == 0 {
            summary.whyNotPruned = "there are no rows"
        }
        guard summary.whyNotPruned == nil else { return }
        for id in try await ids(notIn: seen, at: summary.position) {
            summary.pruned += 1
            guard !options.isDryRun else { continue }
            let name = EntityName(type: type.name, id: id)
            summary.move(
                to: try await change(
                    .entityRemove, EntityRemove(entity: name).json, "\(type.name)/\(id)"))
        }
    }

    private func ids(
        notIn seen: SeenIDs, at position: Position?
    ) async throws -> [String] {
        var missing: [String] = []
        var after: EntityName?
        while true {
            var request = Message.request(
                ServiceName.entityList, EntityListRequest(type: type.name, after: after).json,
                catalog: catalog, budgetMilliseconds: options.budgetMilliseconds)
            request.fields.set(.limit, integer: 1_000 as UInt32)
            request.fields.leastPosition = position
            let reply = try await connection.request(request)
            guard reply.isComplete else { throw RequestFailure.timedOut }
            let page = reply.items.compactMap { $0["id"]?.text }
            guard let last = page.last else { return missing }
            missing += page.filter { !seen.contains($0) }
            after = EntityName(type: type.name, id: last)
        }
    }
}
