import Catalog
import Matching
import Messages

/// Something in a catalog that is not as it should be.
public struct CatalogFault: Sendable, Equatable, CustomStringConvertible {
    /// Which entity, or which declaration.
    public let place: String
    /// What is wrong.
    public let reason: String
    /// Both.
    public var description: String { "\(place): \(reason)" }
}

/// Checks that every blob of a catalog is there and what it should be.
public struct CatalogVerification: Sendable {
    /// Entities checked.
    public private(set) var entities = 0
    /// Blobs checked.
    public private(set) var blobs = 0
    /// What is wrong, at most `Limits.badRowsShown`.
    public private(set) var faults: [CatalogFault] = []
    /// What leads nowhere yet and is no fault: a relation to a type that nothing was imported of.
    public private(set) var notes: [CatalogFault] = []
    /// How much is wrong.
    public private(set) var faultCount = 0
    private var checked: Set<ContentHash> = []

    /// Checks a catalog; `progress` hears how many entities of how many are done.
    ///
    /// - Throws: `ConfigurationError` if there is no such catalog; what the disk refuses.
    public init(
        of name: String, in stored: StoredCatalogs,
        progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) throws {
        let catalog = try stored.catalog(name)
        let misfits = stored.content.types.misfitRelations
        for misfit in misfits { add("types", misfit.context) }
        notes = stored.content.types.openRelations.filter { !misfits.contains($0) }.map {
            CatalogFault(place: "types", reason: $0.context)
        }
        for aside in stored.content.putAside {
            add("record \(aside.sequence)", "put aside: \(aside.reason)")
        }
        var after: EntityKey?
        while let page = catalog.page(after: after) {
            for entity in page {
                for picture in entity.pictures { try check(picture, of: entity, stored) }
                entities += 1
                progress(entities, catalog.count)
            }
            after = page.last?.key
        }
    }

    private mutating func add(_ place: String, _ reason: String) {
        faultCount += 1
        guard faults.count < Limits.badRowsShown else { return }
        faults.append(CatalogFault(place: place, reason: reason))
    }

    private mutating func check(
        _ picture: EntityPicture, of entity: Entity, _ stored: StoredCatalogs
    ) throws {
        let place = "\(entity.key)"
        if picture.picture == nil {
            add(place, "has a picture without its source copy: no new print can be made of it")
        }
        if picture.prints[FeaturePrint.version] == nil {
            add(place, "has a picture without a print of version \(FeaturePrint.version)")
        }
        var blobs: [(what: String, hash: ContentHash)] = []
        if let hash = picture.picture { blobs.append(("source copy", hash)) }
        if let hash = picture.thumbnail { blobs.append(("thumbnail", hash)) }
        for (version, hash) in picture.prints.sorted(by: { $0.key < $1.key }) {
            blobs.append(("print of version \(version)", hash))
        }
        for (what, hash) in blobs where checked.insert(hash).inserted {
            self.blobs += 1
            guard let bytes = try stored.blob(hash) else {
                add(place, "its \(what), \(hash), is missing or damaged")
                continue
            }
            guard hash == picture.prints[FeaturePrint.version] else { continue }
            do {
                _ = try FeaturePrint(decoding: bytes)
            } catch {
                add(place, "its \(what) cannot be read: \(error)")
            }
        }
    }
}
