public import Messages

/// A change that is to be stored, with the blobs that it brings.
public struct JournalEntry: Sendable, Equatable {
    /// The change, without position and recorded time.
    public var record: Record
    /// Each must be one of the record's blobs by its hash; they may come in any order.
    public var blobs: [[UInt8]]
    /// When the journal received the change.
    public var recordedTime: Timestamp

    /// From its parts.
    public init(record: Record, blobs: [[UInt8]] = [], recordedTime: Timestamp) {
        self.record = record
        self.blobs = blobs
        self.recordedTime = recordedTime
    }
}

/// What became of a change.
public enum AppendOutcome: Sendable, Equatable {
    /// Stored and synced.
    case stored(Position)
    /// The same source and change id were stored here before; nothing was stored again.
    case duplicate(Position)
    /// Not stored, and why; the changes beside it are not affected.
    case refused(String)
    /// Not stored, since the owner of the store does not allow it, with what is allowed.
    case accessRequired(StoreKind, AccessStatus)
}

/// Where the records, blobs, keys and snapshots of a journal are kept.
///
/// Payloads that belong to an account are encrypted under its key before they are stored; see
/// `SealedRecord`. `read` gives them back as they are stored.
///
/// Any thread may call: `append` from one thread at a time, everything else beside it. What is
/// particular to one backend stays behind this protocol.
public protocol JournalBackend: AnyObject, Sendable {
    /// The journal that the positions belong to.
    var epoch: UInt64 { get }
    /// The position of the last record that is stored and synced.
    var head: Position { get }

    /// Stores a group of changes in order and returns once they are synced.
    ///
    /// A change that is larger than allowed, lacks source or change id, brings a blob that it
    /// does not name, or names one that is neither brought nor stored is refused by itself.
    ///
    /// - Returns: One outcome for each entry, in order.
    /// - Throws: `JournalError`; then none of the group counts as stored, and no later append
    ///   succeeds until the journal is opened again.
    func append(_ entries: [JournalEntry]) throws(JournalError) -> [AppendOutcome]

    /// The records behind a sequence, in order, each with its position.
    ///
    /// - Parameters:
    ///   - sequence: The last record that the caller has; 0 for none.
    ///   - recordsMax: Records at most.
    ///   - bytesMax: Bytes of the records at most, but always one record if there is one.
    /// - Throws: `JournalError` with `compacted` if the first of them was removed, or if it cannot
    ///   be read; records before damage come.
    func read(
        after sequence: UInt64, recordsMax: Int, bytesMax: Int
    ) throws(JournalError) -> [Record]

    /// A stored blob; nil if there is none.
    ///
    /// - Throws: `JournalError` with `damaged` if its bytes no longer have this hash.
    func blob(_ hash: ContentHash) throws(JournalError) -> [UInt8]?

    /// Whether a blob is stored.
    func hasBlob(_ hash: ContentHash) -> Bool

    /// The keys of all accounts, as they are.
    var keyring: Keyring { get }

    /// The time zone data that the last `zone.declare` names; nil if none is among the changes that
    /// are remembered.
    var zoneData: String? { get }

    /// The sequence of the first record that is kept; one more than the head's if none is.
    var firstSequence: UInt64 { get }

    /// Snapshots that are kept, oldest first.
    var snapshots: [Snapshot] { get }

    /// A chunk of a snapshot; nil if there is no such snapshot or chunk.
    ///
    /// Who takes the chunk checks its hash.
    ///
    /// - Throws: `JournalError` with `damaged` if it is cut off, or as the system says.
    func chunk(_ index: Int, of id: ContentHash) throws(JournalError) -> [UInt8]?

    /// Begins a snapshot of the state at a position of this journal.
    ///
    /// - Throws: `JournalError` with `busy` while another one is being made, `outOfRange` if the
    ///   records behind the position are not all there, or as `append` does.
    func beginSnapshot(at position: Position) throws(JournalError) -> any SnapshotWriter

    /// Removes what a policy does not keep: records, snapshots, and blobs that nothing kept
    /// refers to. Nothing but such blobs is removed if there is no snapshot.
    ///
    /// A change whose record is removed is still known as a duplicate.
    ///
    /// - Throws: As `append` does; then only a part may have been removed.
    func compact(_ policy: RetentionPolicy, now: Timestamp) throws(JournalError) -> CompactionResult
}
