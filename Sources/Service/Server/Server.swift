import Calendar
import Catalog
import Foundation
import Journal
import Messages
import Queue
import Sodium
import ZeroMQ

/// The roles of one process, started and stoppable.
public final class Server: Sendable {
    private let context: Context
    private let loop: EventLoop
    private let keys: KeyKeeper?
    private let beginDraining: @Sendable () -> Void

    init(
        context: Context, loop: EventLoop, keys: KeyKeeper? = nil,
        beginDraining: @escaping @Sendable () -> Void
    ) {
        self.context = context
        self.loop = loop
        self.keys = keys
        self.beginDraining = beginDraining
    }

    /// Takes no new requests, lets those in flight end, and then stops; returns at once.
    public func drain() { beginDraining() }

    /// Reads the list of allowed keys again; returns at once. Nothing without keys.
    public func reloadKeys() { keys?.reload() }

    /// Waits until everything has stopped and is closed.
    public func join() {
        loop.join()
        keys?.stop()
        context.terminate()
    }

    /// A connection inside the process, for an embedded server; close it before draining.
    public func connect(name: String, log: Log = Log()) throws -> RouterConnection {
        try RouterConnection(url: Inproc.clients, context: context, owns: false, name: name, log)
    }
}

/// The endpoints that join the roles of one process.
enum Inproc {
    static let clients = "inproc://router-clients"
    static let workers = "inproc://router-workers"
    static let journal = "inproc://journal"
}

/// Builds the settings of the roles; randomness and clocks are read here and nowhere below.
struct RoleBuilder {
    let options: ServerOptions
    let log: Log

    func router(clients: [String], workers: [String], journal: String) throws -> RouterSettings {
        var random = SecureGenerator()
        var machine = RouterConfiguration(
            identity: Identity(using: &random), incarnation: incarnation)
        // Strangers cannot reach a loopback address, nor one that lets in known keys only; there a
        // client may say what "now" is.
        machine.allowsClientAsOf = options.listen.isLoopback || options.serverKeys != nil
        machine.records = options.record != nil
        machine.hedgesPerThousand = options.hedgesPerThousand
        machine.fairnessWeights = options.fairnessWeights
        let keeper = try options.jobs.map { try JobKeeper(folder: $0, log: log) }
        machine.keepsJobs = keeper != nil
        machine.jobs = keeper?.jobs ?? []
        let key = keeper?.key ?? SecureRandom.bytes(32)
        return RouterSettings(
            machine: machine, key: options.key.isEmpty ? key : options.key,
            clientURLs: clients, workerURLs: workers, journalURL: journal,
            serverKeys: options.serverKeys, journalKeys: options.journalKeys, keeper: keeper)
    }

    func journal(urls: [String]) -> JournalSettings {
        var random = SecureGenerator()
        var machine = JournalServerConfiguration(
            identity: Identity(using: &random), incarnation: incarnation,
            validate: { record in
                do {
                    guard record.kind != .zoneDeclare else {
                        return "only the journal itself declares time zone data"
                    }
                    try RecordCheck.check(record)
                    return nil
                } catch {
                    return "\(error)"
                }
            })
        machine.parts = { RefusedParts.names(of: $0, countMax: $1) }
        return JournalSettings(
            machine: machine, urls: urls, snapshotRecords: options.snapshotRecords,
            retention: RetentionPolicy(
                historyMilliseconds: Int64(options.historyDays) * 86_400_000),
            zoneData: options.zoneData, serverKeys: options.serverKeys)
    }

    func worker(routers: [String], journal: String) -> WorkerSettings {
        var random = SecureGenerator()
        let part =
            options.types.map { "types=" + $0.sorted().joined(separator: ",") }
            ?? options.slots?.part ?? ""
        let services = ServiceName.all.filter { service in
            service != ServiceName.searchContinue
                && (service == ServiceName.status || options.services?.contains(service) ?? true)
        }
        let offers = services.map { service in
            switch service {
            case ServiceName.imageSearch: ServiceOffer(service: service, part: part)
            case ServiceName.status: ServiceOffer(service: service, part: options.name)
            default: ServiceOffer(service: service)
            }
        }
        let prepares = services.contains(ServiceName.imageSearch)
        let prepare = prepares ? [ServiceOffer(service: ServiceName.searchPrepare)] : []
        return WorkerSettings(
            machine: WorkerConfiguration(
                identity: Identity(using: &random), incarnation: incarnation, name: options.name,
                offers: offers + prepare, credit: UInt32(options.lanes * 4),
                concurrency: options.lanes),
            routerURLs: routers, journalURL: journal, lanes: options.lanes, types: options.types,
            zoneData: options.zoneData, slots: options.slots, routerKeys: options.routerKeys,
            journalKeys: options.journalKeys)
    }

    func openJournal(readOnly: Bool = false) throws -> SegmentJournal {
        let unfinished = options.journalFolder + ".restoring"
        guard readOnly || access(unfinished, F_OK) != 0 else {
            throw ConfigurationError(
                "'\(unfinished)' is of a restore that did not end: run it again, or remove it")
        }
        var random = SecureGenerator()
        let journal = try SegmentJournal(
            folder: options.journalFolder, mode: readOnly ? .readOnly : .readWrite,
            newEpoch: random.next())
        if let cut = journal.cut { log.warning("journal cut a torn write", ["place": "\(cut)"]) }
        if let damage = journal.damage {
            log.error("journal is damaged and stores nothing", ["place": "\(damage)"])
        }
        return journal
    }

    /// The same for a role of another name.
    func named(_ name: String) -> RoleBuilder {
        var options = options
        options.name = name
        return RoleBuilder(options: options, log: log)
    }

    func openStore() throws -> ReplicaStore {
        try ReplicaStore(
            folder: options.replicaFolder(options.name),
            routeSchemes: RouteSchemes(more: options.routeSchemes), log: log)
    }

    /// Begins to judge handshakes, if there are keys; before the sockets are bound.
    func keepKeys(
        of domains: [HandshakeDomain], at endpoint: Endpoint?, _ context: Context,
        whenReloaded: @escaping @Sendable (Set<String>) -> Void
    ) throws -> KeyKeeper? {
        guard let keys = options.serverKeys, let endpoint else { return nil }
        return try KeyKeeper(
            keys, domains: domains, isLoopback: endpoint.isLoopback, context: context, log: log,
            whenReloaded: whenReloaded)
    }

    /// The recorder that the options ask for; nil if they ask for none.
    func openRecorder(keys: ExchangeRecorder.Keys) throws -> ExchangeRecorder? {
        try options.record.map {
            try ExchangeRecorder(
                folder: $0, options: options.recording, keys: keys, log: log)
        }
    }

    private var incarnation: UInt64 { UInt64(SystemClock.wall().milliseconds) }
}
