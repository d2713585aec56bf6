internal import Locking
public import Messages

/// A journal that ends with its process: for tests, simulations and replays.
public final class MemoryJournal: JournalBackend {
    /// The journal that the positions belong to.
    public let epoch: UInt64
    let state: Locked<State>

    struct State: Sendable {
        /// Those that are kept.
        var records: [Record] = []
        var firstSequence: UInt64 = 1
        var snapshots: [(snapshot: Snapshot, chunks: [[UInt8]])] = []
        /// Where a snapshot that is being made stands.
        var pending: Position?
        var blobs: [ContentHash: [UInt8]] = [:]
        var window: ChangeWindow
        var keyring = Keyring()
        var zoneData: String?

        var lastSequence: UInt64 { firstSequence + UInt64(records.count) - 1 }
    }

    /// An empty journal.
    ///
    /// - Parameters:
    ///   - epoch: Random, so that positions of another journal are told apart.
    ///   - changeWindowMax: Changes whose source and id are remembered.
    public init(epoch: UInt64, changeWindowMax: Int = Limits.changeWindowMax) {
        self.epoch = epoch
        state = Locked(State(window: ChangeWindow(countMax: changeWindowMax)))
    }

    /// The position of the last record.
    public var head: Position {
        Position(epoch: epoch, sequence: state.withLock { $0.lastSequence })
    }

    /// Stores a group of changes in order; never throws.
    public func append(_ entries: [JournalEntry]) throws(JournalError) -> [AppendOutcome] {
        state.withLock { state in
            let head = Position(epoch: epoch, sequence: state.lastSequence)
            let plan = AppendPlan(
                entries, head: head, window: state.window, keyring: state.keyring
            ) { state.blobs[$0]?.count }
            for (hash, bytes) in plan.blobs { state.blobs[hash] = bytes }
            state.records += plan.records
            plan.remember(in: &state.window)
            state.keyring = plan.keyring
            state.zoneData = plan.zoneData ?? state.zoneData
            return plan.outcomes
        }
    }

    /// The time zone data that the last `zone.declare` names; nil if there is none.
    public var zoneData: String? { state.withLock { $0.zoneData } }

    /// The keys of all accounts, as they are.
    public var keyring: Keyring { state.withLock { $0.keyring } }

    /// The records behind a sequence.
    ///
    /// - Throws: `JournalError` with `compacted` if the first of them was removed.
    public func read(
        after sequence: UInt64, recordsMax: Int, bytesMax: Int
    ) throws(JournalError) -> [Record] {
        try state.withLock { (state) throws(JournalError) in
            let first = state.firstSequence
            guard sequence + 1 >= first else {
                throw JournalError(.compacted, "records before \(first) are in snapshots only")
            }
            let skipped = Int(min(sequence + 1 - first, UInt64(state.records.count)))
            var bytes = 0
            let run = state.records[skipped...].prefix(max(recordsMax, 0))
            let fitting = run.prefix { record in
                defer { bytes += record.encodedByteCount }
                return bytes == 0 || bytes + record.encodedByteCount <= bytesMax
            }
            return Array(fitting)
        }
    }

    /// A stored blob; never throws.
    public func blob(_ hash: ContentHash) throws(JournalError) -> [UInt8]? {
        state.withLock { $0.blobs[hash] }
    }

    /// Whether a blob is stored.
    public func hasBlob(_ hash: ContentHash) -> Bool { state.withLock { $0.blobs[hash] != nil } }
}
