import Calendar
package import Catalog
import Journal
package import Matching
package import Messages
import Queue

/// What a replica holds at one position, as a value: a job takes a copy and works on that,
/// whatever is applied meanwhile.
package struct ReplicaContent: Sendable {
    /// The last record applied; nil before the first.
    var position: Position?
    /// The entity types of the deployment.
    var types = EntityTypes()
    /// Catalogs by name.
    package var catalogs: [String: CatalogState] = [:]
    /// The version of prints that the deployment compares; nil until one is stated.
    var printVersion: String?
    /// What is kept of accounts, by the kind of store and the account.
    package var stores: [StoreKind: [String: AccountStore]] = [:]
    /// Calendars by account.
    package var accounts: [String: AccountCalendars] { stores[.calendar] ?? [:] }
    /// The time zone data that occurrences are computed with; nil for whatever there is.
    package var zoneData: String?
    /// The keys of accounts; nowhere but in memory.
    var keyring = Keyring()
    /// What the disk does not have yet.
    var unsavedRows: [AccountRowChange] = []
    /// Accounts whose key ended and of which nobody was told yet.
    var endedAccounts: [String] = []
    /// What lists may depend on that changed since anybody was told.
    var changed = WorkerChange()
    /// Prints are kept to be compared with; without them the content is only good for being
    /// written down.
    var keepsPrints = true
    /// Where large parts of the index are kept; nil for memory.
    var indexFolder: IndexFolder?
    /// The schemes that routes of types declared from now on may have; nil for any.
    var routeSchemes: RouteSchemes?
    /// Records that could not be applied, oldest first.
    package var putAside: [PutAside] = []

    /// One catalog: its entities, and the prints to compare with.
    package struct CatalogState: Sendable {
        package var content = CatalogContent()
        package var prints = PrintCollection()
        /// The names to look for in calendars.
        private(set) var names = CalendarNames()

        /// Puts an entity of a type and gives its entry number.
        mutating func put(_ entity: Entity, _ type: EntityType) -> Int {
            if let old = content[entity.key] {
                names.replace(old, by: entity, type)
            } else {
                names.add(entity, type)
            }
            return content.put(entity)
        }

        /// Removes an entity and gives the entry number that it had; nil if it is not there.
        mutating func remove(_ key: EntityKey, _ type: EntityType?) -> Int? {
            if let old = content[key], let type { names.remove(old, type) }
            return content.remove(key)
        }

        /// Gathers the names anew: a type may say otherwise which properties hold some.
        mutating func renewNames(_ types: EntityTypes) {
            names = CalendarNames()
            for entity in content.list(limit: .max) {
                if let type = types[entity.key.type] { names.add(entity, type) }
            }
        }
    }

    /// A record that could not be applied, and why.
    package struct PutAside: Sendable, Equatable {
        /// Its place in the journal.
        let sequence: UInt64
        /// Its kind, as the record names it.
        let kind: String
        /// What is wrong.
        let reason: String
        /// The key that it was sealed under, if it is of an account.
        var keyID: KeyID?
    }
}

extension ReplicaContent {
    /// Whether the deployment compares prints of the version that this program compares.
    var comparesPrints: Bool { printVersion == nil || printVersion == FeaturePrint.version }

    /// A catalog of a name, without entities.
    func emptyCatalog(_ name: String) -> CatalogState {
        guard let indexFolder else { return CatalogState() }
        return CatalogState(
            prints: PrintCollection(
                keeper: CatalogIndexKeeper(folder: indexFolder, catalog: name),
                mergesWhenPutting: false))
    }

    /// The names of the prints that no index file has.
    var unkeptNames: Set<PrintName> {
        catalogs.values.reduce(into: []) { $0.formUnion($1.prints.unkeptNames) }
    }

    /// Removes the index files that the catalogs do not use.
    func sweepIndexFiles() {
        let kept = catalogs.values.flatMap(\.prints.keptSegments).compactMap {
            ($0 as? IndexFile)?.name
        }
        indexFolder?.sweep(keeping: Set(kept))
    }
}
