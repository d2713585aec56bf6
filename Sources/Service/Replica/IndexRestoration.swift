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
    /// - Parameter blob: Finds a print; one that is not there is left out.
    /// - Throws: What `blob` throws, or the fault of a print that cannot be read.
    consuming func finish(
        _ content: inout ReplicaContent, blob: (ContentHash) throws -> [UInt8]?
    ) throws {
        for catalog in content.catalogs.keys {
            let prints = collection(of: catalog, in: content)
            content.catalogs[catalog]?.prints = prints
        }
        for entity in missing {
            var prints: [FeaturePrint] = []
            var names: [PrintName] = []
            for hash in entity.hashes {
                guard let bytes = try blob(hash) else { continue }
                prints.append(try FeaturePrint(decoding: bytes))
                names.append(hash.printName)
            }
            content.catalogs[entity.catalog]?.prints.put(
                prints, names: names, for: entity.entry, order: entity.order)
        }
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
}
