import Catalog
import Matching
import Messages

extension ReplicaContent {
    /// Puts prints of a further version beside those that an entity's pictures have.
    ///
    /// An entity or picture that is gone is left out, since the prints were made in the background.
    mutating func putPrints(
        _ change: PrintPut, in catalog: String, blob: (ContentHash) -> [UInt8]?
    ) throws {
        let key = EntityKey(type: change.entity.type, id: change.entity.id)
        guard let type = types[key.type], let entity = catalogs[catalog]?.content[key] else {
            return
        }
        var drop = Set(change.drop)
        // What is compared is never dropped.
        if let printVersion { drop.remove(printVersion) }
        let changed = try entity.adding(
            Dictionary(change.pictures.map { ($0.picture, $0.prints) }) { first, _ in first },
            dropping: drop)
        guard changed != entity, let entry = catalogs[catalog]?.put(changed, type) else { return }
        let hashes = changed.printHashes
        guard keepsPrints, hashes != entity.printHashes else { return }
        let prints = try hashes.map { hash in
            guard let bytes = blob(hash) else { throw Unappliable("print \(hash) is not here") }
            return try FeaturePrint(decoding: bytes)
        }
        catalogs[catalog]?.prints.put(
            prints, names: hashes.map(\.printName), for: entry, order: key.order)
    }
}
