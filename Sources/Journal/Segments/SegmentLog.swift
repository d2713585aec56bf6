internal import Locking
public import Messages

/// Records of bytes in append-only files, numbered from 1 without a gap.
///
/// The files are named `PREFIX-SEQUENCE.segment` after their first record; `SegmentFormat` says
/// what is in them. One process writes, kept alone by a lock on `PREFIX.lock`; others may read
/// beside it. Any thread may call: appends take their turns, reads run beside them.
///
/// A write that the last crash tore is cut off when the log is opened for writing. Anything else
/// that is not as written is damage: what stands before it is served, and nothing is appended.
public final class SegmentLog: Sendable {
    /// What may be done with a log.
    public enum Mode: Sendable {
        /// Nothing is written, locked or repaired.
        case readOnly
        /// The log is made if there is none.
        case readWrite
    }

    /// Random; told apart from the log that a backup of it becomes.
    public let epoch: UInt64
    /// What may be done with the log.
    public let mode: Mode
    let folder: Folder
    let prefix: String
    let segmentBytesMax: Int
    let recordBytesMax: Int
    let probe: DiskProbe
    let state: Locked<State>
    /// Held while a group is written and synced, so that groups take their turns.
    let appending = Locked<Void>(())
    /// Closing it at the last reference gives the lock back.
    private let lock: File?

    /// What readers and the writer share.
    struct State: Sendable {
        var segments: [Segment] = []
        var damage: SegmentDamage?
        var cut: SegmentDamage?
        /// What stands behind the last record is no whole one; for a reader only.
        var unfinished: SegmentDamage?
        /// Why nothing more is written.
        var failure: JournalError?
        /// Everything written is on the disk.
        var isSynced = true

        var first: UInt64 { segments.first?.firstSequence ?? 1 }
        var last: UInt64 { (segments.last?.nextSequence ?? 1) - 1 }
    }

    /// Opens the log in a folder.
    ///
    /// - Parameters:
    ///   - folder: Where the files are; made for writing if it does not exist.
    ///   - prefix: The beginning of the files' names.
    ///   - mode: What is to be done with the log.
    ///   - newEpoch: The epoch of a log that is made now; random.
    ///   - segmentBytesMax: Bytes of a file after which the next one begins; a file may be larger
    ///     by one group.
    ///   - recordBytesMax: Bytes of one record.
    /// - Throws: `JournalError` with `notFound` if there is nothing to read, `locked` if another
    ///   process writes, `damaged` if not even the epoch can be read, or as the system says.
    public convenience init(
        folder: String, prefix: String, mode: Mode, newEpoch: UInt64,
        segmentBytesMax: Int = Limits.segmentBytesMax, recordBytesMax: Int = Limits.recordBytesMax
    ) throws(JournalError) {
        try self.init(
            folder: folder, prefix: prefix, mode: mode, newEpoch: newEpoch,
            segmentBytesMax: segmentBytesMax, recordBytesMax: recordBytesMax, probe: .none)
    }

    /// The same, with a seam for tests.
    package convenience init(
        folder path: String, prefix: String, mode: Mode, newEpoch: UInt64, segmentBytesMax: Int,
        recordBytesMax: Int, probe: DiskProbe
    ) throws(JournalError) {
        try self.init(
            folder: path, prefix: prefix, mode: mode, newEpoch: newEpoch,
            segmentBytesMax: segmentBytesMax, recordBytesMax: recordBytesMax, probe: probe,
            expecting: { () throws(JournalError) in .none })
    }

    /// The same, with what is known of the log; asked for once nobody else can write.
    init(
        folder path: String, prefix: String, mode: Mode, newEpoch: UInt64, segmentBytesMax: Int,
        recordBytesMax: Int, probe: DiskProbe,
        expecting expectation: () throws(JournalError) -> SegmentExpectation
    ) throws(JournalError) {
        precondition(recordBytesMax <= SegmentFormat.recordBytesMax, "a length has 31 bits")
        self.prefix = prefix
        self.mode = mode
        self.segmentBytesMax = segmentBytesMax
        self.recordBytesMax = recordBytesMax
        self.probe = probe
        folder = Folder(path, probe)
        switch mode {
        case .readWrite:
            try folder.make()
            try folder.syncName()
            let file = try folder.file("\(prefix).lock", .write)
            guard try file.lock() else {
                throw JournalError(.locked, "another process writes to \(path)")
            }
            lock = file
        case .readOnly:
            guard folder.exists() else { throw JournalError(.notFound, "no folder \(path)") }
            lock = nil
        }
        let opening = SegmentOpening(
            folder: folder, prefix: prefix, mode: mode, expectation: try expectation())
        let opened = try opening.open(newEpoch: newEpoch)
        epoch = opened.epoch
        state = Locked(opened.state)
    }

    deinit {
        guard mode == .readWrite else { return }
        let last = state.withLock { state in
            state.damage == nil && state.failure == nil
                ? state.segments.last.map { ($0.file, $0.end, $0.size) } : nil
        }
        // Only tidy: a killed process leaves the room behind the last record, which is no fault.
        if let (file, end, size) = last, size > end { try? file.truncate(to: end) }
    }

    /// The sequence of the first record that is kept; 1 unless older files were removed.
    public var firstSequence: UInt64 { state.withLock { $0.first } }
    /// The sequence of the last record; 0 if there is none.
    public var lastSequence: UInt64 { state.withLock { $0.last } }
    /// The place behind which records cannot be read; nil if all can.
    public var damage: SegmentDamage? { state.withLock { $0.damage } }
    /// The torn write that was cut off when the log was opened; nil if there was none.
    public var cut: SegmentDamage? { state.withLock { $0.cut } }
    /// What stood behind the last record when a reader opened the log and is no whole record: a
    /// write under way, or one that a crash tore and the next writer cuts off.
    public var unfinished: SegmentDamage? { state.withLock { $0.unfinished } }
    /// Files that can be read, wholly or in part.
    public var fileCount: Int { state.withLock { $0.segments.count } }
    /// Bytes of all files, as far as they can be read.
    public var byteCount: Int { state.withLock { $0.segments.reduce(0) { $0 + $1.end } } }
}
