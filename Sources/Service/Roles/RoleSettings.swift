import Journal
import Messages
import Queue
import Sodium

/// What a router role is started with.
struct RouterSettings: Sendable {
    var machine: RouterConfiguration
    /// The deployment's key for continue tokens.
    var key: [UInt8]
    /// Where clients connect.
    var clientURLs: [String]
    /// Where workers connect.
    var workerURLs: [String]
    /// The journal.
    var journalURL: String
    /// What the endpoints show and whom they let in; nil without keys.
    var serverKeys: ServerKeys?
    /// What is shown to the journal.
    var journalKeys: ConnectionKeys?
    /// Where detached requests outlive the router; nil for nowhere.
    var keeper: JobKeeper?

    /// Hashes under the deployment's key.
    var keyedHash: @Sendable ([UInt8]) -> ContentHash {
        { [key] bytes in ContentHash.keyed(bytes, key: key) }
    }
}

/// What a journal role is started with.
struct JournalSettings: Sendable {
    var machine: JournalServerConfiguration
    /// Where routers and replicas connect.
    var urls: [String]
    /// Records behind the newest snapshot after which the next one is made.
    var snapshotRecords = Limits.snapshotRecords
    /// What a compaction keeps of the past.
    var retention = RetentionPolicy()
    /// The time zone data of this build, which a record declares; nil to declare none.
    var zoneData: String?
    /// What the endpoint shows and whom it lets in; nil without keys.
    var serverKeys: ServerKeys?
}

/// What a worker role is started with.
struct WorkerSettings: Sendable {
    var machine: WorkerConfiguration
    /// The routers' worker endpoints.
    var routerURLs: [String]
    /// The journal.
    var journalURL: String
    /// Threads that compute.
    var lanes: Int
    /// The only types to match, if this worker covers a part; nil for all.
    var types: [String]?
    /// The version of the time zone data of this build.
    var zoneData: String
    /// The only slots whose entities are matched, if this worker covers a part; nil for all.
    var slots: SlotRange?
    /// What is shown to the routers.
    var routerKeys: ConnectionKeys?
    /// What is shown to the journal.
    var journalKeys: ConnectionKeys?

    /// How the worker's replica follows the journal, from the position of its store.
    func replica(
        from position: Position?, _ partialSnapshot: PartialSnapshot?
    ) -> ReplicaConfiguration {
        ReplicaConfiguration(
            identity: machine.identity, incarnation: machine.incarnation, name: machine.name,
            streams: streams, position: position, partialSnapshot: partialSnapshot)
    }

    /// The streams that the offered services need.
    private var streams: [String] {
        let stores = Set(machine.offers.flatMap { ServiceName.stores(of: $0.service) })
        let personal = stores.isEmpty ? [] : ["account"] + stores.map(\.rawValue)
        return (personal + ["catalog"]).sorted()
    }
}
