import Catalog
import Journal
public import Messages

/// The catalogs of a journal as they stand at its head, read beside a running server: entities from
/// the records, pictures and prints from the blobs.
public struct StoredCatalogs: Sendable {
    let backend: any JournalBackend
    let content: ReplicaContent

    /// Reads the journal of a data folder, or of a backup; memory holds the entities, never the
    /// pictures.
    ///
    /// - Throws: `ConfigurationError` if there is none, or what the folder refuses.
    public init(data: String) throws {
        backend = try ReplayJournal(data: data, keys: Keyring()).backend
        content = try SnapshotMaker(backend).contentOfHead { false } ?? ReplicaContent()
    }

    /// The last record read; nil if there is none.
    public var position: Position? { content.position }
    /// The catalogs that have entities, by name.
    public var names: [String] { content.catalogs.keys.sorted() }
    /// The types that are declared, by name.
    public var types: [String] { content.types.all.map(\.name) }

    /// The content of a catalog.
    ///
    /// - Throws: `ConfigurationError` that names those that there are.
    func catalog(_ name: String) throws -> CatalogContent {
        guard let catalog = content.catalogs[name] else {
            let known = names.isEmpty ? "there are none" : names.joined(separator: ", ")
            throw ConfigurationError("there is no catalog '\(name)': \(known)")
        }
        return catalog.content
    }

    /// A blob; nil if it is not there or not what its hash says.
    func blob(_ hash: ContentHash) throws -> [UInt8]? {
        do throws(JournalError) {
            return try backend.blob(hash)
        } catch {
            guard error.code == .damaged else { throw error }
            return nil
        }
    }
}
