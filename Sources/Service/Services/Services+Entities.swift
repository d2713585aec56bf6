import Catalog
import Messages
import Queue

extension Services {
    /// `entity.get`: fresh entities in the order asked for; unknown ids are listed as such.
    func getEntities(_ call: ServiceCall) throws -> JobOutput {
        let request = try EntityGetRequest(parsing: call.body)
        let items = request.entities.enumerated().map { index, name in
            item(for: name, at: index, call)
        }
        return call.output(items)
    }

    /// `entity.list`: entities by type and id, from a place on.
    func listEntities(_ call: ServiceCall) throws -> JobOutput {
        let request = try EntityListRequest(parsing: call.body)
        let after = request.after.map { EntityKey(type: $0.type, id: $0.id) }
        let entities = call.catalog.content.list(
            type: request.type, after: after, limit: call.limit)
        let items = entities.enumerated().map { index, entity in
            item(for: EntityName(type: entity.key.type, id: entity.key.id), at: index, call)
        }
        return call.output(items)
    }

    /// `intent.open`: an id to a route.
    func openIntent(_ call: ServiceCall) throws -> JobOutput {
        let name = try OpenRequest(parsing: call.body).entity
        guard let (entity, type) = call.find(name) else {
            throw ServiceFailure(.notFound, "no entity of type '\(name.type)' has this id")
        }
        let json = EntityView.open(entity, type: type)
        return call.output([MergeItem(sortKey: [0], unionKey: [0], json: json.canonical())])
    }

    private func item(for name: EntityName, at index: Int, _ call: ServiceCall) -> MergeItem {
        let place = bigEndianBytes(UInt32(index))
        let locale = call.body["locale"]?.text
        let json: JSONValue =
            call.find(name).map { EntityView.full($0, type: $1, locale: locale) }
            ?? EntityView.unknown(EntityKey(type: name.type, id: name.id))
        return MergeItem(sortKey: place, unionKey: place, json: json.canonical())
    }
}

extension ServiceCall {
    /// The entity of a name, with its type.
    func find(_ name: EntityName) -> (Entity, EntityType)? {
        guard let entity = catalog.content[EntityKey(type: name.type, id: name.id)],
            let type = content.types[name.type]
        else { return nil }
        return (entity, type)
    }
}
