import Catalog
import Matching
import Messages

/// Brings the print collections of a replica back: from index files what they have, from prints the
/// rest.
struct IndexRestoration {
    private struct Missing {
        let catalog: String
        let entry: Int
        let order: UInt64
        let hashes: [ContentHash]
    }

    private var stored: [String: PrintRestoration] = [:]
    private var missing: [Missing] = []

    /// A restoration from the files of a folder; nil for none.
    init(_ folder: IndexFolder?) {
        for (catalog, segments) in folder?.open() ?? [] {
            stored[catalog] = PrintRestoration(segments)
        }
    }

    /// Gives an entity its stored pictures.
    mutating func claim(_ entity: Entity, of catalog: String, for entry: Int) {
        let hashes = entity.printHashes
        guard !hashes.isEmpty else { return }
        let isStored = stored[IndexFolder.part(of: catalog)]?.claim(
            hashes.map(\.printName), for: entry, order: entity.key.order)
        guard isStored != true else { return }
        missing.append(
            Missing(catalog: catalog, entry: entry, order: entity.key.order, hashes: hashes))
    }

    /// Gives the catalogs their collections.
    ///
    /// - Parameter print: Finds a print that no index file has.
    /// - Returns: The prints that no index file has.
    /// - Throws: What `print` throws; `ReplicaFault` if a print is nowhere, or cannot be read.
    consuming func finish(
        _ content: inout ReplicaContent, print: (ContentHash) throws -> [UInt8]?
    ) throws -> Set<ContentHash> {
        for catalog in content.catalogs.keys {
            let prints = collection(of: catalog, in: content)
            content.catalogs[catalog]?.prints = prints
        }
        for entity in missing {
            let prints = try entity.hashes.map { hash in
                guard let bytes = try print(hash) else {
                    throw ReplicaFault("print \(hash) is in no index file")
                }
                return try FeaturePrint(decoding: bytes)
            }
            content.catalogs[entity.catalog]?.prints.put(
                prints, names: entity.hashes.map(\.printName), for: entity.entry,
                order: entity.order)
        }
        return Set(missing.flatMap(\.hashes))
    }

    private mutating func collection(
        of catalog: String, in content: ReplicaContent
    ) -> PrintCollection {
        let empty = content.emptyCatalog(catalog).prints
        guard let folder = content.indexFolder,
            let restoration = stored.removeValue(forKey: IndexFolder.part(of: catalog))
        else { return empty }
        return restoration.collection(
            keeper: CatalogIndexKeeper(folder: folder, catalog: catalog),
            mergesWhenPutting: false)
    }
}

extension Entity {
    /// The hashes of the prints that are compared, in the order of the pictures.
    var printHashes: [ContentHash] { pictures.compactMap { $0.prints[FeaturePrint.version] } }
}

extension ContentHash {
    /// What a collection knows the print of this hash by.
    var printName: PrintName { PrintName(bytes: bytes) }

    /// The hash of a print of a name; nil for no name.
    init?(_ name: PrintName) {
        guard name != .none else { return nil }
        self.init(bytes: name.bytes)
    }
}
