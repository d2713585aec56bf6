import Journal
import Messages
import Queue

/// The parts that all simulated processes share.
protocol SimulatedProcess {
    var generation: Int { get set }
    var isUp: Bool { get set }
}

struct RouterProcess: SimulatedProcess {
    var machine: Router
    var generation = 0
    var isUp = true
    /// Detached requests that outlive it.
    var disk: [RequestID: DetachedRequest] = [:]
    /// When everything that its folder was told has been done.
    var folderIsBusyUntil: UInt64 = 0
}

struct JournalProcess: SimulatedProcess {
    var machine: JournalServer
    var generation = 0
    var isUp = true
    var disk = SimulatedDisk()
    /// What the disk is writing.
    var group: [(ticket: Int, entry: JournalEntry)]?
}

struct WorkerProcess: SimulatedProcess {
    let identity: Identity
    let offers: [ServiceOffer]
    let streams: [String]
    var machine: Worker
    var replica: Replica
    var store = SimulatedStore()
    var generation = 0
    var isUp = true
    var jobs: [JobID: SimulatedJob] = [:]
    var isCaughtUp = false
}

/// A job, and where the store stood when it began.
struct SimulatedJob {
    let job: Job
    let position: Position?
}

struct ClientProcess: SimulatedProcess {
    let identity: Identity
    let router: Int
    var machine: Client
    var generation = 0
    var isUp = true
    var lastAcknowledged: Position?
}

/// Records that survive the journal's crashes.
struct SimulatedDisk {
    var epoch: UInt64 = 1
    var records: [Record] = []
    private var places: [String: UInt64] = [:]
    /// The records up to the newest one can no longer be read.
    var snapshots: [Snapshot] = []

    var holdings: JournalHoldings {
        JournalHoldings(
            firstSequence: (snapshots.last?.position.sequence ?? 0) + 1,
            snapshot: snapshots.last.map { SnapshotOffer($0) })
    }

    /// Keeps each record in a chunk of its own, and can read only those behind them.
    mutating func compact() {
        let chunks = records.enumerated().map { index, record in
            Snapshot.Chunk(
                stream: record.kind?.stream ?? "", byteCount: 1 + index,
                hash: [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: 16))
        }
        snapshots = snapshots.suffix(1) + [Snapshot(position: head, chunks: chunks, blobs: [])]
    }

    func fetched(_ id: ContentHash, from first: Int, _ streams: Set<String>) -> FetchedChunk? {
        guard let snapshot = snapshots.last(where: { $0.id == id }) else { return nil }
        let index = snapshot.firstChunk(from: first, in: streams)
        let part = snapshot.chunks.indices.contains(index) ? [records[index]] : []
        return FetchedChunk(snapshot: snapshot, index: index, bytes: Record.encodeList(part))
    }

    var head: Position { Position(epoch: epoch, sequence: UInt64(records.count)) }

    mutating func append(_ entry: JournalEntry) -> AppendOutcome {
        let change = SimulatedDisk.change(of: entry.record)
        if let sequence = places[change] {
            return .duplicate(Position(epoch: epoch, sequence: sequence))
        }
        var record = entry.record
        let position = Position(epoch: epoch, sequence: head.sequence + 1)
        record.fields.position = position
        record.fields.set(.recordedTime, timestamp: entry.recordedTime)
        record.fields.set(.stream, text: record.kind?.stream)
        records.append(record)
        places[change] = position.sequence
        return .stored(position)
    }

    /// A backup is put in place: fewer records, another epoch.
    mutating func restore(keeping count: Int, epoch: UInt64) {
        self.epoch = epoch
        snapshots = []
        records = records.prefix(count).map { record in
            var record = record
            let sequence = record.position?.sequence ?? 0
            record.fields.position = Position(epoch: epoch, sequence: sequence)
            return record
        }
        places = places.filter { $0.value <= UInt64(count) }
    }

    static func change(of record: Record) -> String {
        (record.fields.text(.source) ?? "") + "/" + (record.fields.text(.changeID) ?? "")
    }
}

/// What a replica has applied; survives the worker's crashes.
struct SimulatedStore {
    var position: Position?
    var partialSnapshot: PartialSnapshot?
    var changes: [String] = []
    var sequences: [UInt64] = []
}
