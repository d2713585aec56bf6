/// What a reading of everything in a journal's folder found.
public struct VerificationReport: Sendable, Equatable {
    /// Records that were read.
    public internal(set) var records: UInt64 = 0
    /// Records whose account's key is destroyed or not there, so that nobody can read them.
    public internal(set) var erasedRecords: UInt64 = 0
    /// Snapshots that were read.
    public internal(set) var snapshots = 0
    /// Their chunks.
    public internal(set) var chunks = 0
    /// Blobs that were read.
    public internal(set) var blobs = 0
    /// Keys of accounts.
    public internal(set) var keys = 0
    /// The last record that can be read.
    public internal(set) var lastSequence: UInt64 = 0
    /// What stands behind the last record and is no whole record: a write under way, or one that
    /// a crash tore, which was never acknowledged.
    public internal(set) var unfinished: SegmentDamage?
    /// Everything that is not as it was written, in the order in which it was found.
    public internal(set) var faults: [SegmentDamage] = []

    /// Nothing read yet.
    init() {}

    mutating func add(_ error: JournalError, _ path: String) {
        faults.append(
            error.damage ?? SegmentDamage(file: path, offset: 0, reason: error.description))
    }
}
