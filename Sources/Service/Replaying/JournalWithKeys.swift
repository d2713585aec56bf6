import Journal
import Messages

/// A journal that is only read, with the keys of accounts from somewhere else: a backup has none.
final class JournalWithKeys: JournalBackend {
    private let journal: SegmentJournal
    let keyring: Keyring

    /// Adds keys to those that the journal has itself.
    init(_ journal: SegmentJournal, keys: Keyring) {
        self.journal = journal
        var keyring = journal.keyring
        for key in keys.all where keyring[key.id] == nil { keyring.add(key) }
        self.keyring = keyring
    }

    var epoch: UInt64 { journal.epoch }
    var head: Position { journal.head }
    var zoneData: String? { journal.zoneData }
    var firstSequence: UInt64 { journal.firstSequence }
    var snapshots: [Snapshot] { journal.snapshots }

    func append(_ entries: [JournalEntry]) throws(JournalError) -> [AppendOutcome] {
        try journal.append(entries)
    }

    func read(
        after sequence: UInt64, recordsMax: Int, bytesMax: Int
    ) throws(JournalError) -> [Record] {
        try journal.read(after: sequence, recordsMax: recordsMax, bytesMax: bytesMax)
    }

    func blob(_ hash: ContentHash) throws(JournalError) -> [UInt8]? { try journal.blob(hash) }

    func hasBlob(_ hash: ContentHash) -> Bool { journal.hasBlob(hash) }

    func chunk(_ index: Int, of id: ContentHash) throws(JournalError) -> [UInt8]? {
        try journal.chunk(index, of: id)
    }

    func beginSnapshot(at position: Position) throws(JournalError) -> any SnapshotWriter {
        try journal.beginSnapshot(at: position)
    }

    func compact(
        _ policy: RetentionPolicy, now: Timestamp
    ) throws(JournalError) -> CompactionResult {
        try journal.compact(policy, now: now)
    }
}
