import Calendar
public import Messages

/// What the roles of a process are started with; the command fills it from flags, environment
/// and configuration file.
public struct ServerOptions: Sendable {
    /// The router's client endpoint; workers reach it one port further, the journal two.
    public var listen = Endpoint(port: Endpoint.clientPort)
    /// A router's worker endpoint, for a worker process.
    public var routers = [Endpoint(port: Endpoint.workerPort)]
    /// The journal, for router and worker processes.
    public var journal = Endpoint(port: Endpoint.journalPort)
    /// The folder of the journal and of replicas.
    public var data: String
    /// Where a router keeps detached requests so that they outlive it; nil for nowhere.
    public var jobs: String?
    /// Where requests and replies are recorded; nil for nowhere.
    public var record: String?
    /// What is recorded there, and how much of it is kept.
    public var recording = RecordingOptions()
    /// Threads that compute in a worker.
    public var lanes = 2
    /// A worker's name for people; unique within the deployment.
    public var name = "worker"
    /// The only types that a worker matches; nil for all.
    public var types: [String]?
    /// The only slots of a catalog whose entities a worker matches; nil for all. Not together with
    /// `types`.
    public var slots: SlotRange?
    /// The only services that a worker offers; nil for all. Its replica follows only the streams
    /// that they need.
    public var services: [String]?
    /// Schemes that routes may have besides the standard ones.
    public var routeSchemes: [String] = []
    /// Records behind the newest snapshot after which a journal makes the next one.
    public var snapshotRecords = Limits.snapshotRecords
    /// Days of the past that a journal keeps when it removes what a snapshot holds.
    public var historyDays = Int(Limits.historyMilliseconds / 86_400_000)
    /// Second attempts beside the first for 1,000 requests; 0 for none.
    public var hedgesPerThousand = Limits.hedgesPerThousand
    /// Turns of a fairness key where others have one.
    public var fairnessWeights: [String: UInt32] = [:]
    /// Addresses that other machines reach are allowed.
    public var trustsNetwork = false
    /// What the endpoints of a router or journal show and whom they let in; nil without keys.
    public var serverKeys: ServerKeys?
    /// What a worker shows to its routers; nil without keys.
    public var routerKeys: ConnectionKeys?
    /// What a router or worker shows to the journal; nil without keys.
    public var journalKeys: ConnectionKeys?
    /// The deployment's key for continue tokens; empty for a random one.
    public var key: [UInt8] = []
    /// The version of the time zone data of this build; a test may state another.
    package var zoneData = ICalendar.zoneDataVersion

    /// Defaults for a data folder.
    public init(data: String) { self.data = data }

    /// Refuses an endpoint that strangers can reach and that lets them in.
    func checkMayBind(_ endpoint: Endpoint) throws {
        try endpoint.checkMayBind(hasKeys: serverKeys != nil, trustingNetwork: trustsNetwork)
    }

    var journalFolder: String { data + "/journal" }
    func replicaFolder(_ name: String) -> String { data + "/replicas/" + name }
}
