import Catalog
import Messages
import Queue

extension Services {
    /// Bytes of one page of entities; one of them may exceed it.
    private static let pageBytesMax = 8 << 20

    /// `entity.get`: fresh entities in the order asked for; unknown ids are listed as such.
    func getEntities(_ call: ServiceCall) throws -> JobOutput {
        let request = try EntityGetRequest(parsing: call.body)
        return call.output(
            EntityView.items(
                get: request.entities.map { EntityKey(type: $0.type, id: $0.id) },
                content: call.catalog.content, types: call.content.types, locale: nil))
    }

    /// `entity.list`: entities by type and id, from a place on.
    func listEntities(_ call: ServiceCall) throws -> JobOutput {
        let request = try EntityListRequest(parsing: call.body)
        let entities = call.catalog.content.list(
            type: request.type, after: request.after.map { EntityKey(type: $0.type, id: $0.id) },
            limit: call.limit)
        // A page of large entities ends early; the next one begins behind its last.
        var room = Self.pageBytesMax
        let items = EntityView.items(list: entities, types: call.content.types, locale: nil)
        let page = items.prefix { item in
            defer { room -= item.json.count }
            return room > 0
        }
        return call.output(Array(page))
    }

    /// `type.check`: the entities of all catalogs that a declaration does not fit.
    func checkType(_ call: ServiceCall) throws -> JobOutput {
        let type = try EntityType(parsing: TypeCheckRequest(parsing: call.body).declaration)
        try call.content.routeSchemes?.check(type)
        var declared = call.content.types
        try declared.declare(type)
        var items: [MergeItem] = []
        for (catalog, state) in call.content.catalogs.sorted(by: { $0.key < $1.key }) {
            for misfit in state.content.misfits(with: type, limit: call.limit - items.count) {
                let key = Array(catalog.utf8) + [0] + misfit.key.unionKey
                items.append(
                    MergeItem(
                        sortKey: key, unionKey: key,
                        json: misfit.json(catalog: catalog).canonical()))
            }
        }
        return call.output(items)
    }

    /// `intent.open`: an id to a route.
    func openIntent(_ call: ServiceCall) throws -> JobOutput {
        let name = try OpenRequest(parsing: call.body).entity
        guard let (entity, type) = call.find(EntityKey(type: name.type, id: name.id)) else {
            throw ServiceFailure(.notFound, "no entity of type '\(name.type)' has this id")
        }
        let json = EntityView.openItem(of: entity, type: type)
        return call.output([MergeItem(sortKey: [0], unionKey: [0], json: json.canonical())])
    }
}

extension ServiceCall {
    /// The entity of a key, with its type.
    func find(_ key: EntityKey) -> (Entity, EntityType)? {
        guard let entity = catalog.content[key], let type = content.types[key.type] else {
            return nil
        }
        return (entity, type)
    }
}
